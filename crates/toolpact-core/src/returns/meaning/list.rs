//! `ListResult`.

use super::numbers::{count, exact, whole};
use super::{Broken, Facts, Found};
use crate::json::{Kind, Node};
use crate::violation::rules::meaning as rules;

/// A page of a list, and how many items it holds.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_field_names, reason = "as the specification has them")]
pub(crate) struct Page {
    pub(crate) page: Option<i128>,
    pub(crate) per_page: Option<i128>,
    pub(crate) total: Option<i128>,
    pub(crate) total_pages: Option<i128>,
    pub(crate) has_next: Option<bool>,
    pub(crate) has_prev: Option<bool>,
    pub(crate) items: Option<i128>,
}

impl Page {
    pub(super) fn of(value: Node<'_>) -> Self {
        let Some(pagination) = value.get("pagination") else {
            return Self::default();
        };
        let flag = |key| pagination.get(key).and_then(Node::as_bool);
        let data = value.get("data").filter(|data| data.kind() == Kind::Array);
        Self {
            page: whole(pagination, "page"),
            per_page: whole(pagination, "per_page"),
            total: whole(pagination, "total"),
            total_pages: whole(pagination, "total_pages"),
            has_next: flag("has_next"),
            has_prev: flag("has_prev"),
            items: data.map(|data| count(data.items())),
        }
    }

    /// `total` divided by `per_page`, rounded up.
    fn computed_pages(&self) -> Option<i128> {
        let total = exact(self.total).filter(|total| *total >= 0)?;
        let per_page = exact(self.per_page).filter(|per_page| *per_page >= 1)?;
        Some(total / per_page + i128::from(total % per_page != 0))
    }

    fn page_count(&self, computed: Option<i128>, tell: &mut dyn FnMut(Broken<'_>)) {
        if let (Some(expected), Some(found)) = (computed, exact(self.total_pages))
            && expected != found
            // An empty list has no pages, or one without items.
            && (expected, found) != (0, 1)
        {
            tell(Broken::wrong(
                &rules::PAGE_COUNT,
                &["pagination", "total_pages"],
                format_args!("{expected}, which is `total` divided by `per_page`, rounded up"),
                Found::Value(&found),
            ));
        }
    }

    fn neighbours(&self, pages: Option<i128>, tell: &mut dyn FnMut(Broken<'_>)) {
        let Some(page) = exact(self.page).filter(|page| *page >= 1) else {
            return;
        };
        let mut expect = |at: &'static [&'static str], expected: bool, found: Option<bool>| {
            if let Some(found) = found.filter(|found| *found != expected) {
                tell(Broken::wrong(
                    &rules::PAGE_NEIGHBOURS,
                    at,
                    format_args!("{expected}, going by `page` and `total_pages`"),
                    Found::Value(&found),
                ));
            }
        };
        if let Some(pages) = pages {
            expect(&["pagination", "has_next"], page < pages, self.has_next);
        }
        // Far beyond the last page, `has_prev` may be either.
        if pages.is_none_or(|pages| page == 1 || page - 1 <= pages) {
            expect(&["pagination", "has_prev"], page > 1, self.has_prev);
        }
    }

    fn page_size(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let Some(items) = self.items else {
            return;
        };
        let mut complain = |expected: std::fmt::Arguments<'_>| {
            let found = Found::Said(&items);
            tell(Broken::wrong(&rules::PAGE_SIZE, &["data"], expected, found));
        };
        let mut fits = true;
        for (key, most, least) in [("per_page", self.per_page, 1), ("total", self.total, 0)] {
            if let Some(most) = most.filter(|most| (least..items).contains(most)) {
                complain(format_args!(
                    "at most as many items as `{key}` says, {most}"
                ));
                fits = false;
            }
        }
        if let Some((page, left)) = self.left().filter(|(_, left)| fits && items > *left) {
            complain(format_args!(
                "at most as many items as are left for page {page}, {left}"
            ));
        }
    }

    /// The page, and how many of all items the pages before it leave for it.
    fn left(&self) -> Option<(i128, i128)> {
        let page = exact(self.page).filter(|page| *page >= 1)?;
        let per_page = exact(self.per_page).filter(|per_page| *per_page >= 1)?;
        let total = exact(self.total).filter(|total| *total >= 0)?;
        let before = (page - 1).saturating_mul(per_page);
        Some((page, total.saturating_sub(before).max(0)))
    }
}

impl Facts for Page {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let computed = self.computed_pages();
        self.page_count(computed, tell);
        self.neighbours(exact(self.total_pages).or(computed), tell);
        self.page_size(tell);
    }
}
