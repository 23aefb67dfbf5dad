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

/// As much of a list as fits on a page.
pub(crate) struct Slice<T> {
    pub(crate) items: Vec<T>,
    /// How many there are on all pages.
    pub(crate) total: u64,
}

/// Where a page begins in its list.
pub(crate) fn offset(page: u32, per_page: u32) -> i64 {
    i64::from(page.saturating_sub(1)) * i64::from(per_page)
}
