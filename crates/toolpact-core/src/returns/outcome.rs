//! What a result says came of the work: the one table that every boundary uses.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::meaning::Batch;
use super::names_false::names_false;
use super::{ErrorKind, Returns, StandardError, StandardType};
use crate::json::Node;

/// What came of the work, by the result of a call that succeeded.
///
/// A call that failed has a [`StandardError`] instead; [`Returns::outcome`] decides which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It is done.
    Success,
    /// Some items of a batch failed.
    Partial,
    /// An operation has not ended.
    Pending,
    /// An operation failed.
    Failed,
    /// An operation was cancelled.
    Cancelled,
}

/// How a standard type says what came of the work.
///
/// | | the result has | the call | [`Outcome`] |
/// |---|---|---|---|
/// | `Flag` | `success: true` | succeeded | `Success` |
/// | | `success: false` | failed with its `error` | |
/// | `Batch` | `success: true`, no item failed | succeeded | `Success` |
/// | | `success: true`, some items failed | succeeded | `Partial` |
/// | | `success: false` | failed with the errors of the items | |
/// | `Status` | `status: completed` | succeeded | `Success` |
/// | | `pending`, `running` | succeeded | `Pending` |
/// | | `failed` | succeeded | `Failed` |
/// | | `cancelled` | succeeded | `Cancelled` |
/// | `Nothing` | anything | succeeded | `Success` |
///
/// A call for the status of an operation has done what it was asked to, whatever became of the
/// operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reports {
    /// By `success`, and `error` if it is false.
    Flag,
    /// By `success` for the whole, and for each item.
    Batch,
    /// By `status`.
    Status,
    /// Not at all.
    Nothing,
}

impl Returns {
    /// What came of the work, or why the call failed.
    ///
    /// An object with `success: false` and an `error` object is a failure, whatever was promised. The
    /// exception is a custom schema that names `false` as a value of `success`, with `const` or `enum`:
    /// a result that satisfies it is a success.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::{Outcome, Returns, StandardType};
    ///
    /// let returns = Returns::Standard { standard: StandardType::BatchResult, refinement: None };
    /// let batch = Value::from_json(r#"{"success": true, "batch_id": "b", "total": 3, "failed": 1}"#)?;
    /// assert_eq!(returns.outcome(batch.root()), Ok(Outcome::Partial));
    ///
    /// let batch = Value::from_json(r#"{"success": false, "batch_id": "b", "total": 3, "failed": 3}"#)?;
    /// let error = returns.outcome(batch.root()).unwrap_err();
    /// assert_eq!(error.message(), "3 of 3 items failed.");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn outcome(&self, result: Node<'_>) -> Result<Outcome, StandardError> {
        if let Some(error) = StandardError::of_failure(result) {
            return match self.promises(result) {
                true => Ok(Outcome::Success),
                false => Err(error),
            };
        }
        match self {
            Returns::Standard { standard, .. } => standard.reports().outcome(result),
            _ => Ok(Outcome::Success),
        }
    }

    /// Whether a result that looks like a failure is one of those that the schema describes.
    fn promises(&self, result: Node<'_>) -> bool {
        let Returns::Custom(schema) = self else {
            return false;
        };
        names_false(schema) && schema.checker().check(&result.to_value()).is_ok()
    }

    /// Whether the error says everything about a failure. The items of a batch say more than the error
    /// that is made of them.
    #[must_use]
    pub fn error_says_all(&self, failure: Node<'_>) -> bool {
        let is_batch = matches!(
            self,
            Returns::Standard {
                standard: StandardType::BatchResult,
                ..
            }
        );
        !is_batch || StandardError::of_failure(failure).is_some()
    }
}

impl Reports {
    fn outcome(self, result: Node<'_>) -> Result<Outcome, StandardError> {
        let says_no = result.get("success").and_then(Node::as_bool) == Some(false);
        match self {
            Reports::Flag if says_no => Err(without_error(result)),
            Reports::Batch if says_no => Err(of_batch(result)),
            Reports::Batch => {
                let batch = Batch::of(result);
                let failed = batch.failed.unwrap_or(0) > 0 || batch.failures > 0;
                Ok(match failed {
                    true => Outcome::Partial,
                    false => Outcome::Success,
                })
            }
            Reports::Status => Ok(of_status(result)),
            Reports::Flag | Reports::Nothing => Ok(Outcome::Success),
        }
    }
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 5] = [
        Outcome::Success,
        Outcome::Partial,
        Outcome::Pending,
        Outcome::Failed,
        Outcome::Cancelled,
    ];

    /// The word for programs: `SUCCESS`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Success => "SUCCESS",
            Outcome::Partial => "PARTIAL",
            Outcome::Pending => "PENDING",
            Outcome::Failed => "FAILED",
            Outcome::Cancelled => "CANCELLED",
        }
    }
}

crate::text::display!(Outcome: as_str);

fn of_status(result: Node<'_>) -> Outcome {
    let status = result.get("status").and_then(Node::as_str);
    match status.as_deref() {
        Some("pending" | "running") => Outcome::Pending,
        Some("failed") => Outcome::Failed,
        Some("cancelled") => Outcome::Cancelled,
        _ => Outcome::Success,
    }
}

/// The error of a failure that has no `error` object, which only the level of shape lets through.
fn without_error(result: Node<'_>) -> StandardError {
    let said = ["error", "message"].map(|key| result.get(key).and_then(Node::as_str));
    let message = said.into_iter().flatten().next().unwrap_or_default();
    StandardError::new(ErrorKind::Internal, &message)
}

/// The error of a batch, made of those of its items: their code if they all have the same one.
fn of_batch(result: Node<'_>) -> StandardError {
    let errors = errors_of(result);
    let distinct = |key| -> IndexSet<Cow<'_, str>> {
        let texts = errors.iter().filter_map(|error| error.get(key)?.as_str());
        texts.filter(|text| !text.trim().is_empty()).collect()
    };
    let (codes, messages) = (distinct("code"), distinct("message"));
    let code = match codes.len() {
        1 => &*codes[0],
        _ => ErrorKind::Internal.code(),
    };
    let batch = Batch::of(result);
    let failed = batch.failed.unwrap_or_else(|| batch.failures.into());
    let counted = match (failed, batch.total) {
        (0, _) => "The batch failed.".to_owned(),
        (1, Some(1)) => "The only item failed.".to_owned(),
        (failed, Some(total)) => format!("{failed} of {total} items failed."),
        (failed, None) => format!("{failed} items failed."),
    };
    let message = match (messages.first(), messages.len()) {
        (None, _) => counted,
        (Some(message), 1) => format!("{counted} {message}"),
        (Some(message), all) => format!("{counted} {message} (and {} other errors)", all - 1),
    };
    StandardError::with_code(code, &message)
}

/// The errors of a batch: those it groups, otherwise those of its items.
fn errors_of(result: Node<'_>) -> Vec<Node<'_>> {
    let list = |key| result.get(key).into_iter().flat_map(Node::items);
    let groups: Vec<Node<'_>> = list("errors").collect();
    match groups.is_empty() {
        true => list("items").filter_map(|item| item.get("error")).collect(),
        false => groups,
    }
}
