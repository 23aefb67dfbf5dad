//! `tools/list`, page by page.

use rmcp::model::{ErrorData, ListToolsResult, Tool};

use super::catalog::Catalog;
use crate::View;

/// The page that a cursor leads to.
pub(super) fn page(
    catalog: &Catalog,
    place: usize,
    cursor: Option<&str>,
    size: usize,
    view: View,
) -> Result<ListToolsResult, ErrorData> {
    let tools = &catalog.listing(place).tools;
    let from = match cursor {
        Some(cursor) => read(cursor, catalog.generation).ok_or_else(wrong)?,
        None => 0,
    };
    if from > 0 && from >= tools.len() {
        return Err(wrong());
    }
    let end = from.saturating_add(size).min(tools.len());
    let listed = tools[from..end]
        .iter()
        .map(|listed| shown(&listed.tool, view));
    let mut result = ListToolsResult::with_all_items(listed.collect());
    result.next_cursor = (end < tools.len()).then(|| write(end, catalog.generation));
    Ok(result)
}

/// A client that is sent no structure is told of none.
fn shown(tool: &Tool, view: View) -> Tool {
    let mut tool = tool.clone();
    if view == View::Text {
        tool.output_schema = None;
    }
    tool
}

/// The tools that it counts in are part of it: others would be in other places.
fn write(from: usize, generation: u64) -> String {
    format!("{from}.{generation}")
}

fn read(cursor: &str, generation: u64) -> Option<usize> {
    let (from, of) = cursor.split_once('.')?;
    let of: u64 = of.parse().ok()?;
    from.parse().ok().filter(|_| of == generation)
}

fn wrong() -> ErrorData {
    let message = "expected `cursor` to be the `nextCursor` of a page of the tools as they are \
                   now; list them again from the start";
    ErrorData::invalid_params(message, None)
}
