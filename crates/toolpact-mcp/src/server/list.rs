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
    let from = start(cursor, list.key, list.generation, list.items.len())?;
    let end = from.saturating_add(list.size).min(list.items.len());
    let items = list.items[from..end].iter().map(json_of);
    let next = (end < list.items.len()).then(|| write(end, list.generation));
    Ok(written(id, version, list.key, items, next.as_deref()))
}

/// Where the page begins that a cursor leads to.
pub(super) fn start(
    cursor: Option<&str>,
    key: &str,
    generation: u64,
    length: usize,
) -> Result<usize, RpcError> {
    let from = match cursor {
        Some(cursor) => read(cursor).filter(|(_, of)| *of == generation),
        None => Some((0, generation)),
    };
    let from = from.map(|(from, _)| from);
    let from = from.filter(|from| *from == 0 || *from < length);
    from.ok_or_else(|| wrong(key))
}

/// The generation of the list that a cursor is of.
pub(super) fn generation(cursor: &str) -> Option<u64> {
    read(cursor).map(|(_, generation)| generation)
}

/// A page, with the cursor of the next.
pub(super) fn written<'i>(
    id: &Id,
    version: Version,
    key: &str,
    items: impl Iterator<Item = &'i str>,
    next: Option<&str>,
) -> Response {
    Response::result(id, |json| {
        json.push(b'{');
        if !version.has_sessions() {
            // A list is valid until the client is told that it has changed.
            json.extend_from_slice(
                b"\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",",
            );
        }
        json.extend_from_slice(format!("\"{key}\":[").as_bytes());
        for (place, item) in items.enumerate() {
            if place > 0 {
                json.push(b',');
            }
            json.extend_from_slice(item.as_bytes());
        }
        json.push(b']');
        if let Some(next) = next {
            json.extend_from_slice(format!(",\"nextCursor\":\"{next}\"").as_bytes());
        }
        json.push(b'}');
    })
}

/// The generation of the list is part of it: another one has other places.
pub(super) fn write(from: usize, generation: u64) -> String {
    format!("{from}.{generation}")
}

fn read(cursor: &str) -> Option<(usize, u64)> {
    let (from, generation) = cursor.split_once('.')?;
    Some((from.parse().ok()?, generation.parse().ok()?))
}

fn wrong(key: &str) -> RpcError {
    RpcError::invalid_params(format!(
        "expected `cursor` to be the `nextCursor` of a page of the {key} as they are now; \
         list them again from the start"
    ))
}
