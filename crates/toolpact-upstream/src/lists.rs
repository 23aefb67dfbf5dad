//! What a server lists: tools, prompts and resources.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::Arc;

use rmcp::model::ServerResult;
use serde::Serialize;
use serde_json::{Value as Json, json};
use toolpact::background;
use toolpact::core::memory::MemoryShare;
use toolpact_mcp::passthrough::ListKind;

use crate::error::{Reason, UpstreamError};
use crate::link::Link;

/// Most pages that are read of one list: a server may have one more for ever.
const PAGES: usize = 1000;

/// Most that is read of one list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListLimits {
    pub(crate) items: usize,
    pub(crate) bytes: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self {
            items: 10_000,
            bytes: 32 << 20,
        }
    }
}

/// What a server has besides tools.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Its capabilities, as it declares them.
    pub(crate) capabilities: Json,
    items: [Listed; ListKind::FORWARDED.len()],
}

/// A list as it was read.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) items: Vec<Arc<Item>>,
    bytes: usize,
    /// What does not fit into the limits.
    pub(crate) excess: Option<Excess>,
}

/// What is listed. Its text is all that is kept: a tree of it is many times as large.
#[derive(Debug)]
pub(crate) struct Item {
    /// As the server writes it, in JSON.
    pub(crate) text: Box<str>,
    /// Tells it from others. Nobody knows the key of the hash, and so can make two that are the same.
    pub(crate) hash: u64,
    /// What it takes of the memory for lists.
    _share: MemoryShare,
}

/// What was listed before, by its hash. It is not kept twice.
type Known = Arc<HashMap<u64, Arc<Item>>>;

/// What a list has beyond the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// How many tools were seen and left out. There may be more, which were not read.
    pub seen: usize,
    /// Most tools of a server.
    pub most_tools: usize,
    /// Most bytes of its list.
    pub most_bytes: usize,
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (seen, tools, bytes) = (self.seen, self.most_tools, self.most_bytes);
        write!(
            f,
            "{seen} tools or more are left out: a list may have {tools} tools and {bytes} bytes"
        )
    }
}

impl Lists {
    /// A list that cannot be read does not take the tools with it.
    pub(crate) async fn read(
        link: &Arc<Link>,
        before: Option<&Arc<Self>>,
    ) -> Result<Arc<Self>, UpstreamError> {
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
            let known = before.and_then(|before| before.list(kind));
            let listed = pages(link, kind, ListLimits::default(), known).await;
            match listed.and_then(|listed| listed.whole(link, kind)) {
                Ok(listed) => *items = listed,
                Err(error) => {
                    let (error, list) = (error.to_string(), kind.key());
                    tracing::warn!(target: "toolpact::mcp", error, list, "a list is left out");
                }
            }
        }
        Ok(match before.filter(|before| before.is_same(&lists)) {
            Some(before) => Arc::clone(before),
            None => Arc::new(lists),
        })
    }

    pub(crate) fn items(&self, kind: ListKind) -> impl Iterator<Item = Json> {
        let items = self.list(kind).map_or(&[][..], |list| &list.items);
        items.iter().map(|item| item.json())
    }

    fn list(&self, kind: ListKind) -> Option<&Listed> {
        let mut kinds = ListKind::FORWARDED.iter();
        let place = kinds.position(|passed| *passed == kind)?;
        self.items.get(place)
    }

    fn is_same(&self, other: &Self) -> bool {
        let mut lists = self.items.iter().zip(&other.items);
        self.capabilities == other.capabilities && lists.all(|(one, other)| one.is_same(other))
    }
}

impl Item {
    /// `None` if there is no memory for it.
    fn new(text: String, known: &Known, link: &Link) -> Option<Arc<Self>> {
        let hash = link.hash_key.hash_one(&text);
        if let Some(known) = known.get(&hash) {
            return Some(Arc::clone(known));
        }
        Some(Arc::new(Self {
            hash,
            _share: link.settings.lists.take_strictly(text.len())?,
            text: text.into(),
        }))
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}

impl Listed {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.excess == other.excess && self.hashes().eq(other.hashes())
    }

    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> {
        self.items.iter().map(|item| item.hash)
    }

    fn known(&self) -> Known {
        let items = self.items.iter();
        Arc::new(items.map(|item| (item.hash, Arc::clone(item))).collect())
    }

    fn whole(self, link: &Link, kind: ListKind) -> Result<Self, UpstreamError> {
        match self.excess {
            None => Ok(self),
            Some(_) => Err(endless(link, kind)),
        }
    }

    /// Takes a page, and returns where the next one is.
    fn add_page(
        &mut self,
        answer: ServerResult,
        kind: ListKind,
        limits: ListLimits,
        known: &Known,
        link: &Link,
    ) -> Result<Option<String>, Reason> {
        let answer = match answer {
            // The long ones. A tree of all of them would take many times their length.
            ServerResult::ListToolsResult(page) if kind == ListKind::Tools => {
                self.add(page.tools, limits, known, link)?;
                return Ok(page.next_cursor);
            }
            answer => answer,
        };
        let mut answer = serde_json::to_value(answer).map_err(|_| Reason::Lost)?;
        let Some(Json::Array(page)) = answer.get_mut(kind.key()).map(Json::take) else {
            let why = format!("expected an answer with the array `{}`", kind.key());
            return Err(Reason::List(why));
        };
        self.add(page, limits, known, link)?;
        Ok(answer["nextCursor"].as_str().map(str::to_owned))
    }

    /// Takes the items of a page, as far as they fit: one is written after the other, and none beyond the limits.
    fn add<T: Serialize>(
        &mut self,
        page: Vec<T>,
        limits: ListLimits,
        known: &Known,
        link: &Link,
    ) -> Result<(), Reason> {
        let mut page = page.into_iter();
        while let Some(item) = page.next() {
            let text = serde_json::to_string(&item).map_err(|_| Reason::Lost)?;
            drop(item);
            let bytes = self.bytes.saturating_add(text.len());
            if self.items.len() >= limits.items || bytes > limits.bytes {
                self.excess = Some(Excess {
                    seen: 1 + page.len(),
                    most_tools: limits.items,
                    most_bytes: limits.bytes,
                });
                return Ok(());
            }
            let item = Item::new(text, known, link);
            self.items.push(item.ok_or(Reason::NoMemory)?);
            self.bytes = bytes;
        }
        Ok(())
    }
}

/// The items of all pages, as the server writes them, as far as they fit.
pub(crate) async fn pages(
    link: &Arc<Link>,
    kind: ListKind,
    limits: ListLimits,
    before: Option<&Listed>,
) -> Result<Listed, UpstreamError> {
    let (mut listed, mut seen) = (Listed::default(), HashSet::new());
    let known = before.map(Listed::known).unwrap_or_default();
    let mut params = json!({});
    for _ in 0..PAGES {
        let answer = match link.ask_typed(kind.method(), params).await {
            // Some have no tools, and some that have resources have no templates.
            Err(error) if error.is_method_not_found() => return Ok(listed),
            answer => answer?,
        };
        let (reading, known) = (Arc::clone(link), Arc::clone(&known));
        // A page may have megabytes.
        let read = background::spawn(move || {
            let next = listed.add_page(answer, kind, limits, &known, &reading);
            let next = next.map_err(|reason| UpstreamError::new(reading.place(), reason))?;
            Ok((listed, next))
        });
        let next;
        let lost = |_| UpstreamError::new(link.place(), Reason::Lost);
        (listed, next) = read.await.map_err(lost)??;
        match next {
            _ if listed.excess.is_some() => return Ok(listed),
            None => return Ok(listed),
            Some(next) if !seen.insert(next.clone()) => return Err(endless(link, kind)),
            Some(next) => params = json!({"cursor": next}),
        }
    }
    Err(endless(link, kind))
}

fn endless(link: &Link, kind: ListKind) -> UpstreamError {
    let why = format!(
        "expected the pages of `{}` to come to an end, found the same one again, or too many",
        kind.method()
    );
    UpstreamError::new(link.place(), Reason::List(why))
}
