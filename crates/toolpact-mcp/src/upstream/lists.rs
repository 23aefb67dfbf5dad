//! What a server lists: tools, prompts and resources.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::error::{Reason, UpstreamError};
use super::link::Link;

/// Most pages, items and bytes that are read of one list: a server may have one more for ever.
const PAGES: usize = 1000;
const ITEMS: usize = 10_000;
const BYTES: usize = 32 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl Kind {
    /// What is passed through as it is.
    pub(crate) const FORWARDED: [Kind; 3] = [Self::Prompts, Self::Resources, Self::Templates];

    /// The method that lists them.
    pub(crate) fn method(self) -> &'static str {
        self.row().0
    }

    /// The key of the list in an answer.
    pub(crate) fn key(self) -> &'static str {
        self.row().1
    }

    /// The key by which one item is known.
    pub(super) fn name(self) -> &'static str {
        self.row().2
    }

    /// The capability of servers that have them.
    pub(super) fn capability(self) -> &'static str {
        self.row().3
    }

    fn row(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Tools => ("tools/list", "tools", "name", "tools"),
            Self::Prompts => ("prompts/list", "prompts", "name", "prompts"),
            Self::Resources => ("resources/list", "resources", "uri", "resources"),
            Self::Templates => (
                "resources/templates/list",
                "resourceTemplates",
                "uriTemplate",
                "resources",
            ),
        }
    }
}

/// What a server has besides tools.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Lists {
    /// Its capabilities, as it declares them.
    pub(super) capabilities: Json,
    items: [Vec<Json>; Kind::FORWARDED.len()],
}

impl Lists {
    /// A list that cannot be read does not take the tools with it.
    pub(super) async fn read(link: &Arc<Link>) -> Result<Self, UpstreamError> {
        let connection = link.connection().await?;
        let capabilities = serde_json::to_value(connection.capabilities()).unwrap_or_default();
        let mut lists = Self {
            capabilities,
            ..Self::default()
        };
        for (kind, items) in Kind::FORWARDED.into_iter().zip(&mut lists.items) {
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

    pub(super) fn items(&self, kind: Kind) -> &[Json] {
        let place = Kind::FORWARDED.iter().position(|passed| *passed == kind);
        place.map_or(&[], |place| &self.items[place])
    }
}

/// The items of all pages, as the server writes them.
pub(super) async fn pages(link: &Arc<Link>, kind: Kind) -> Result<Vec<Json>, UpstreamError> {
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
