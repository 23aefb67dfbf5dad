//! Lists, page by page.

use std::borrow::Cow;

use crate::rpc::{Id, Message, Response, RpcError};
use crate::version::Version;

/// A list of what clients are shown, as JSON.
pub(super) struct List<'l, T> {
    /// Its key in the answer.
    pub(super) key: &'static str,
    pub(super) items: &'l [T],
    /// Changes with the items.
    pub(super) generation: u64,
    /// Most items of a page.
    pub(super) size: usize,
}

/// The cursor of a request, if it has one.
pub(super) fn cursor(message: &Message) -> Result<Option<Cow<'_, str>>, RpcError> {
    let text = "expected `cursor` to be the text `nextCursor` of a page";
    let cursor = message.param("cursor");
    let cursor = cursor.map(|cursor| {
        cursor
            .as_str()
            .ok_or_else(|| RpcError::invalid_params(text))
    });
    cursor.transpose()
}

/// The page that a cursor leads to.
pub(super) fn page<T>(
    id: &Id,
    version: Version,
    cursor: Option<&str>,
    list: &List<'_, T>,
    json_of: impl Fn(&T) -> &str,
) -> Result<Response, RpcError> {
    let from = match cursor {
        Some(cursor) => read(cursor, list.generation).ok_or_else(|| wrong(list.key))?,
        None => 0,
    };
    if from > 0 && from >= list.items.len() {
        return Err(wrong(list.key));
    }
    let end = from.saturating_add(list.size).min(list.items.len());
    Ok(Response::result(id, |json| {
        json.push(b'{');
        if !version.has_sessions() {
            // A list is valid until the client is told that it has changed.
            json.extend_from_slice(
                b"\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",",
            );
        }
        json.extend_from_slice(format!("\"{}\":[", list.key).as_bytes());
        for (place, item) in list.items[from..end].iter().enumerate() {
            if place > 0 {
                json.push(b',');
            }
            json.extend_from_slice(json_of(item).as_bytes());
        }
        json.push(b']');
        if end < list.items.len() {
            let cursor = format!(",\"nextCursor\":\"{}\"", write(end, list.generation));
            json.extend_from_slice(cursor.as_bytes());
        }
        json.push(b'}');
    }))
}

/// The generation of the list is part of it: another one has other places.
fn write(from: usize, generation: u64) -> String {
    format!("{from}.{generation}")
}

fn read(cursor: &str, generation: u64) -> Option<usize> {
    let (from, of) = cursor.split_once('.')?;
    let of: u64 = of.parse().ok()?;
    from.parse().ok().filter(|_| of == generation)
}

fn wrong(key: &str) -> RpcError {
    RpcError::invalid_params(format!(
        "expected `cursor` to be the `nextCursor` of a page of the {key} as they are now; \
         list them again from the start"
    ))
}
