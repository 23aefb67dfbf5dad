//! What a server lists: tools, prompts and resources.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use toolpact_mcp::passthrough::ListKind;

use crate::error::{Reason, UpstreamError};
use crate::link::Link;

/// Most pages, items and bytes that are read of one list: a server may have one more for ever.
const PAGES: usize = 1000;
const ITEMS: usize = 10_000;
const BYTES: usize = 32 << 20;

/// What a server has besides tools.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Lists {
    /// Its capabilities, as it declares them.
    pub(crate) capabilities: Json,
    items: [Vec<Json>; ListKind::FORWARDED.len()],
}

impl Lists {
    /// A list that cannot be read does not take the tools with it.
    pub(crate) async fn read(link: &Arc<Link>) -> Result<Self, UpstreamError> {
        let connection = link.connection().await?;
        let capabilities = serde_json::to_value(connection.capabilities()).unwrap_or_default();
        let mut lists = Self {
            capabilities,
            ..Self::default()
        };
        for (kind, items) in ListKind::FORWARDED.into_iter().zip(&mut lists.items) {
            if lists.capabilities.get(kind.capability()).is_none() {
                continue;
            }
            match pages(link, kind).await {
                Ok(listed) => *items = listed,
                Err(error) => {
                    let (error, list) = (error.to_string(), kind.key());
                    tracing::warn!(target: "toolpact::mcp", error, list, "a list is left out");
                }
            }
        }
        Ok(lists)
    }

    pub(crate) fn items(&self, kind: ListKind) -> &[Json] {
        let place = ListKind::FORWARDED
            .iter()
            .position(|passed| *passed == kind);
        place.map_or(&[], |place| &self.items[place])
    }
}

/// The items of all pages, as the server writes them.
pub(crate) async fn pages(link: &Arc<Link>, kind: ListKind) -> Result<Vec<Json>, UpstreamError> {
    let (mut items, mut seen, mut bytes) = (Vec::new(), HashSet::new(), 0);
    let mut params = json!({});
    for _ in 0..PAGES {
        let mut answer = match link.ask(kind.method(), params).await {
            // Some have no tools, and some that have resources have no templates.
            Err(error) if error.is_method_not_found() => return Ok(items),
            answer => answer?,
        };
        let Some(Json::Array(page)) = answer.get_mut(kind.key()).map(Json::take) else {
            let why = format!("expected an answer with the array `{}`", kind.key());
            return Err(UpstreamError::new(link.place(), Reason::List(why)));
        };
        bytes += page
            .iter()
            .map(|item| item.to_string().len())
            .sum::<usize>();
        items.extend(page);
        if items.len() > ITEMS || bytes > BYTES {
            break;
        }
        match answer["nextCursor"].as_str() {
            None => return Ok(items),
            Some(next) if !seen.insert(next.to_owned()) => break,
            Some(next) => params = json!({"cursor": next}),
        }
    }
    let why = format!(
        "expected the pages of `{}` to come to an end, found the same one again, or too many",
        kind.method()
    );
    Err(UpstreamError::new(link.place(), Reason::List(why)))
}
