use serde::{Serialize, Serializer};

use super::result_node::ResultNode;
use crate::Error;
use crate::returns::meaning;

/// The position of a page in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pagination {
    page: u64,
    per_page: u64,
    total: u64,
}

impl Pagination {
    /// Page number `page` of a list of `total` items with `per_page` items on each page.
    pub fn new(page: u64, per_page: u64, total: u64) -> Result<Self, Error> {
        for (key, count) in [("page", page), ("per_page", per_page)] {
            if count == 0 {
                let message = format!("expected `{key}` to be at least 1, found 0");
                return Err(Error::at(key, message));
            }
        }
        Ok(Self {
            page,
            per_page,
            total,
        })
    }

    /// The number of the page; the first is 1.
    #[must_use]
    pub fn page(&self) -> u64 {
        self.page
    }

    /// How many items a page has at most.
    #[must_use]
    pub fn per_page(&self) -> u64 {
        self.per_page
    }

    /// How many items there are on all pages together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many pages there are.
    #[must_use]
    pub fn total_pages(&self) -> u64 {
        self.total.div_ceil(self.per_page)
    }

    /// Whether there is a page after this one.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.page < self.total_pages()
    }

    /// Whether there is a page before this one.
    #[must_use]
    pub fn has_prev(&self) -> bool {
        self.page > 1
    }

    /// The facts for the rules of meaning, for a page with this many items.
    pub(super) fn facts(&self, items: usize) -> meaning::Page {
        meaning::Page {
            page: Some(self.page.into()),
            per_page: Some(self.per_page.into()),
            total: Some(self.total.into()),
            items: i128::try_from(items).ok(),
            ..meaning::Page::default()
        }
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        // The rules of meaning check whether these agree with the rest.
        part.optional("total_pages", |part| part.count(0))?;
        part.optional("has_next", ResultNode::flag)?;
        part.optional("has_prev", ResultNode::flag)?;
        Ok(Self {
            page: part.require("page")?.count(1)?,
            per_page: part.require("per_page")?.count(1)?,
            total: part.require("total")?.count(0)?,
        })
    }
}

/// The serialized form, with the derived members.
#[derive(Serialize)]
struct Wire {
    page: u64,
    per_page: u64,
    total: u64,
    total_pages: u64,
    has_next: bool,
    has_prev: bool,
}

impl Serialize for Pagination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let wire = Wire {
            page: self.page,
            per_page: self.per_page,
            total: self.total,
            total_pages: self.total_pages(),
            has_next: self.has_next(),
            has_prev: self.has_prev(),
        };
        wire.serialize(serializer)
    }
}
