//! What is asked of the database, by what it is about. All values are bound, never written into SQL.

pub(crate) mod create;
pub(crate) mod customers;
pub(crate) mod events;
pub(crate) mod filter;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod products;
pub(crate) mod sales;
pub(crate) mod update;
pub(crate) mod words;

use toolpact::ToolError;
use toolpact::returns::ListResult;

/// As much of a list as fits on a page.
pub(crate) struct Slice<T> {
    pub(crate) items: Vec<T>,
    /// How many there are on all pages.
    pub(crate) total: u64,
}

impl<T> Slice<T> {
    /// The result that tells callers where they are in the list.
    pub(crate) fn page(self, page: u32, per_page: u32) -> Result<ListResult<T>, ToolError> {
        let list = ListResult::page(self.items, page.into(), per_page.into(), self.total);
        Ok(list?)
    }
}

/// Where a page begins in its list.
pub(crate) fn offset(page: u32, per_page: u32) -> i64 {
    i64::from(page.saturating_sub(1)) * i64::from(per_page)
}
