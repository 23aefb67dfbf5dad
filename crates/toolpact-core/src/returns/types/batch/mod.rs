mod wire;

use indexmap::IndexMap;
use serde::Serialize;

use crate::Error;
use crate::returns::StandardError;

/// The outcome of each item of a batch, or the error of one that did not run. `T`, the data of one
/// item, is written as an object.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolpact_core::returns::types::{BatchItem, BatchResult};
/// use toolpact_core::returns::{ErrorKind, StandardError};
///
/// let batch = BatchResult::new("batch_1", vec![
///     BatchItem::success("a", BTreeMap::from([("rows", 3)])),
///     BatchItem::failure("b", StandardError::new(ErrorKind::WrongArgument, "No email")),
/// ])?;
/// assert_eq!((batch.total(), batch.successful(), batch.failed()), (2, 1, 1));
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BatchResult<T> {
    batch_id: Box<str>,
    total: u64,
    outcome: Result<Ran<T>, StandardError>,
}

/// One item of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchItem<T> {
    id: Box<str>,
    outcome: Result<Option<T>, StandardError>,
}

/// A batch that ran.
#[derive(Debug, Clone, PartialEq)]
struct Ran<T> {
    success: bool,
    successful: u64,
    /// May be only some of the batch, if it was read from a value.
    items: Vec<BatchItem<T>>,
    errors: Vec<ErrorGroup>,
}

/// An error, and how often it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct ErrorGroup {
    code: Box<str>,
    message: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

impl<T> BatchResult<T> {
    /// A batch that ran. The items are counted here. It is a success if any of its items is, or if
    /// there are none.
    pub fn new(batch_id: &str, items: Vec<BatchItem<T>>) -> Result<Self, Error> {
        let successful = items.iter().filter(|item| item.outcome.is_ok()).count();
        let ran = Ran {
            success: successful > 0 || items.is_empty(),
            successful: count(successful),
            errors: repeated(&items),
            items,
        };
        let total = count(ran.items.len());
        Self::with(batch_id, total, Ok(ran))
    }

    /// A batch of `total` items that did not run.
    pub fn failure(batch_id: &str, total: u64, error: StandardError) -> Result<Self, Error> {
        Self::with(batch_id, total, Err(error))
    }

    /// The identifier of the batch.
    #[must_use]
    pub fn batch_id(&self) -> &str {
        &self.batch_id
    }

    /// How many items there were.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many items succeeded.
    #[must_use]
    pub fn successful(&self) -> u64 {
        self.outcome.as_ref().map_or(0, |ran| ran.successful)
    }

    /// How many items failed.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.total.saturating_sub(self.successful())
    }

    /// The listed items, or the error of a batch that did not run.
    pub fn as_result(&self) -> Result<&[BatchItem<T>], &StandardError> {
        self.outcome.as_ref().map(|ran| &*ran.items)
    }

    /// The listed items, or the error of a batch that did not run.
    pub fn into_result(self) -> Result<Vec<BatchItem<T>>, StandardError> {
        self.outcome.map(|ran| ran.items)
    }

    fn with(
        batch_id: &str,
        total: u64,
        outcome: Result<Ran<T>, StandardError>,
    ) -> Result<Self, Error> {
        if batch_id.is_empty() {
            let message = "expected an identifier that is not empty";
            return Err(Error::at("batch_id", message));
        }
        Ok(Self {
            batch_id: batch_id.into(),
            total,
            outcome,
        })
    }
}

impl<T> BatchItem<T> {
    /// A successful item with its data.
    #[must_use]
    pub fn success(id: &str, data: T) -> Self {
        Self {
            id: id.into(),
            outcome: Ok(Some(data)),
        }
    }

    /// A successful item without data.
    #[must_use]
    pub fn done(id: &str) -> Self {
        Self {
            id: id.into(),
            outcome: Ok(None),
        }
    }

    /// A failure.
    #[must_use]
    pub fn failure(id: &str, error: StandardError) -> Self {
        Self {
            id: id.into(),
            outcome: Err(error),
        }
    }

    /// The identifier of the item.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<Option<&T>, &StandardError> {
        self.outcome.as_ref().map(Option::as_ref)
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<Option<T>, StandardError> {
        self.outcome
    }
}

/// The distinct errors of the items, in order of first occurrence.
fn repeated<T>(items: &[BatchItem<T>]) -> Vec<ErrorGroup> {
    let mut counts: IndexMap<(&str, &str), u64> = IndexMap::new();
    for error in items.iter().filter_map(|item| item.outcome.as_ref().err()) {
        *counts.entry((error.code(), error.message())).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|((code, message), count)| ErrorGroup {
            code: code.into(),
            message: message.into(),
            count: Some(count),
        })
        .collect()
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
