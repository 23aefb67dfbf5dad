//! `tools/list`, page by page.

use super::catalog::Catalog;
use crate::View;
use crate::rpc::{Id, Response, RpcError};
use crate::version::Version;

/// The page that a cursor leads to.
pub(super) fn page(
    id: &Id,
    catalog: &Catalog,
    version: Version,
    cursor: Option<&str>,
    size: usize,
    view: View,
) -> Result<Response, RpcError> {
    let tools = &catalog.listing(version).tools;
    let from = match cursor {
        Some(cursor) => read(cursor, catalog.generation).ok_or_else(wrong)?,
        None => 0,
    };
    if from > 0 && from >= tools.len() {
        return Err(wrong());
    }
    let end = from.saturating_add(size).min(tools.len());
    Ok(Response::result(id, |json| {
        json.push(b'{');
        if !version.has_sessions() {
            // A list is valid until the client is told that it has changed.
            json.extend_from_slice(
                b"\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",",
            );
        }
        json.extend_from_slice(b"\"tools\":[");
        for (place, tool) in tools[from..end].iter().enumerate() {
            if place > 0 {
                json.push(b',');
            }
            // A client that is sent no structure is shown no schema of it.
            let tool = match view {
                View::Text => &tool.json_without_output,
                View::Structure | View::Both => &tool.json,
            };
            json.extend_from_slice(tool.as_bytes());
        }
        json.push(b']');
        if end < tools.len() {
            let cursor = format!(",\"nextCursor\":\"{}\"", write(end, catalog.generation));
            json.extend_from_slice(cursor.as_bytes());
        }
        json.push(b'}');
    }))
}

/// The generation of the tools is part of it: others have other places.
fn write(from: usize, generation: u64) -> String {
    format!("{from}.{generation}")
}

fn read(cursor: &str, generation: u64) -> Option<usize> {
    let (from, of) = cursor.split_once('.')?;
    let of: u64 = of.parse().ok()?;
    from.parse().ok().filter(|_| of == generation)
}

fn wrong() -> RpcError {
    RpcError::invalid_params(
        "expected `cursor` to be the `nextCursor` of a page of the tools as they are now; \
         list them again from the start",
    )
}
