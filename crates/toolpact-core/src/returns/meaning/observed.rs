//! The rules of meaning, for a result that is read in one pass and never becomes a tree: what they
//! need is noted as it goes by.
//!
//! Rules about one value are said by a schema beside the type's own, see [`supplement`]; here are
//! those that compare several.

use std::cmp::Ordering;

use super::instant;
use crate::check::{Note, Observer};
use crate::returns::StandardType;

/// The part that a value plays in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Root,
    Success,
    Payload,
    Error,
    Pagination,
    Page,
    PerPage,
    Total,
    TotalPages,
    HasNext,
    HasPrev,
    BatchTotal,
    Successful,
    Failed,
    Items,
    Item,
    ItemSuccess,
    ItemError,
    Errors,
    ErrorGroup,
    ErrorCount,
    Status,
    Outcome,
    Progress,
    CurrentStep,
    TotalSteps,
    CreatedAt,
    UpdatedAt,
    CompletedAt,
    Exact,
    Container,
    Data,
}

impl Role {
    /// The role of a member; `None` if it has none.
    pub(crate) fn of_member(self, standard: StandardType, key: &str) -> Option<Role> {
        use StandardType as T;
        Some(match (standard, self, key) {
            (T::BatchResult, Role::Root, "total") => Role::BatchTotal,
            (T::BatchResult, Role::Root, "successful") => Role::Successful,
            (T::BatchResult, Role::Root, "failed") => Role::Failed,
            (T::BatchResult, Role::Root, "items") => Role::Items,
            (T::BatchResult, Role::Root, "errors") => Role::Errors,
            (T::BatchResult, Role::Item, "success") => Role::ItemSuccess,
            (T::BatchResult, Role::Item, "error") => Role::ItemError,
            (T::BatchResult, Role::ErrorGroup, "count") => Role::ErrorCount,
            (T::BatchResult, ..) => return None,
            (T::OperationStatus, Role::Root, "status") => Role::Status,
            (T::OperationStatus, Role::Root, "result") => Role::Outcome,
            (T::OperationStatus, Role::Root, "progress") => Role::Progress,
            (T::OperationStatus, Role::Root, "created_at") => Role::CreatedAt,
            (T::OperationStatus, Role::Root, "updated_at") => Role::UpdatedAt,
            (T::OperationStatus, Role::Root, "completed_at") => Role::CompletedAt,
            (T::OperationStatus, Role::Progress, "current_step") => Role::CurrentStep,
            (T::OperationStatus, Role::Progress, "total_steps") => Role::TotalSteps,
            (T::ListResult, Role::Root, "pagination") => Role::Pagination,
            (T::ListResult, Role::Pagination, "page") => Role::Page,
            (T::ListResult, Role::Pagination, "per_page") => Role::PerPage,
            (T::ListResult, Role::Pagination, "total") => Role::Total,
            (T::ListResult, Role::Pagination, "total_pages") => Role::TotalPages,
            (T::ListResult, Role::Pagination, "has_next") => Role::HasNext,
            (T::ListResult, Role::Pagination, "has_prev") => Role::HasPrev,
            (T::FileResult | T::MediaResult, Role::Payload, "data")
            | (T::ChunkedData, Role::Root, "data") => Role::Data,
            (T::MediaResult, Role::Payload, "dimensions") => Role::Container,
            (T::MediaResult, Role::Container, "width" | "height") => Role::Exact,
            (_, Role::Root, "success") if super::envelope::has_envelope(standard) => Role::Success,
            (_, Role::Root, "error") => Role::Error,
            (_, Role::Root, key) if super::envelope::payload(standard) == Some(key) => {
                Role::Payload
            }
            _ => return None,
        })
    }

    /// Whether anything is to be noted about it. The others only lead to such.
    pub(crate) fn is_noted(self) -> bool {
        !matches!(
            self,
            Role::Root | Role::Errors | Role::ErrorGroup | Role::Progress | Role::Container
        )
    }

    /// The role of the elements of an array.
    pub(crate) fn of_element(self) -> Option<Role> {
        match self {
            Role::Items => Some(Role::Item),
            Role::Errors => Some(Role::ErrorGroup),
            _ => None,
        }
    }
}

/// What was noted about a result.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "notes, each of its own kind")]
pub(crate) struct Observed {
    success: Option<bool>,
    error: bool,
    payload: Option<u32>,
    /// Whether anything is in the parts below, which most results have no use for.
    parts: bool,
    page: Page,
    batch: Batch,
    operation: Operation,
    /// A rule was broken on the way.
    broken: bool,
    /// There is something that has to be looked at as a whole.
    unsure: bool,
}

#[derive(Debug, Default)]
#[expect(clippy::struct_field_names, reason = "as the specification has them")]
struct Page {
    page: Option<i64>,
    per_page: Option<i64>,
    total: Option<i64>,
    total_pages: Option<i64>,
    has_next: Option<bool>,
    has_prev: Option<bool>,
    present: bool,
}

#[derive(Debug, Default)]
struct Batch {
    total: Option<i64>,
    successful: Option<i64>,
    failed: Option<i64>,
    items: Option<u32>,
    successes: u32,
    failures: u32,
    item_success: Option<bool>,
    item_error: bool,
    error_sum: i128,
}

#[derive(Debug, Default)]
struct Operation {
    status: Option<Box<str>>,
    result: bool,
    current_step: Option<i64>,
    total_steps: Option<i64>,
    created_at: Option<Box<str>>,
    later: [Option<Box<str>>; 2],
}

impl Observer for Observed {
    #[expect(clippy::inline_always, reason = "measured: 3 % of a batch")]
    #[inline(always)]
    fn note(&mut self, role: Role, note: Note<'_>) {
        let text = |note: Note<'_>| match note {
            Note::Text(text) => std::str::from_utf8(text).ok().map(Box::from),
            _ => None,
        };
        self.parts |= !matches!(role, Role::Success | Role::Error | Role::Payload);
        match (role, note) {
            (Role::ItemSuccess, Note::Boolean(success)) => self.batch.item_success = Some(success),
            (Role::ItemError, _) => self.batch.item_error = true,
            (Role::Item, _) => self.broken |= !self.batch.end_item(),
            (Role::Items, Note::Array(count)) => self.batch.items = Some(count),
            (Role::BatchTotal, Note::Integer(n)) => self.batch.total = Some(n),
            (Role::Successful, Note::Integer(n)) => self.batch.successful = Some(n),
            (Role::Failed, Note::Integer(n)) => self.batch.failed = Some(n),
            (Role::ErrorCount, Note::Integer(n)) => {
                self.broken |= n < 0;
                self.batch.error_sum = self.batch.error_sum.saturating_add(n.max(0).into());
            }
            (Role::Success, Note::Boolean(success)) => self.success = Some(success),
            (Role::Error, _) => self.error = true,
            (Role::Payload, Note::Array(count)) => self.payload = Some(count),
            (Role::Payload, _) => self.payload = Some(1),
            (Role::Pagination, _) => self.page.present = true,
            (Role::Page, Note::Integer(n)) => self.page.page = Some(n),
            (Role::PerPage, Note::Integer(n)) => self.page.per_page = Some(n),
            (Role::Total, Note::Integer(n)) => self.page.total = Some(n),
            (Role::TotalPages, Note::Integer(n)) => self.page.total_pages = Some(n),
            (Role::HasNext, Note::Boolean(b)) => self.page.has_next = Some(b),
            (Role::HasPrev, Note::Boolean(b)) => self.page.has_prev = Some(b),
            (Role::Status, note) => self.operation.status = text(note),
            (Role::Outcome, _) => self.operation.result = true,
            (Role::CurrentStep, Note::Integer(n)) => self.operation.current_step = Some(n),
            (Role::TotalSteps, Note::Integer(n)) => self.operation.total_steps = Some(n),
            (Role::CreatedAt, note) => self.operation.created_at = text(note),
            (Role::UpdatedAt, note) => self.operation.later[0] = text(note),
            (Role::CompletedAt, note) => self.operation.later[1] = text(note),
            (Role::Exact, _) => {}
            // Base64 and checksums are looked at as a whole, and so is what is not of the type that
            // the schema asks for: it is unusual.
            _ => self.unsure = true,
        }
    }
}

impl Observed {
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.parts {
            *self = Self::default();
        }
        self.success = None;
        self.error = false;
        self.payload = None;
        self.broken = false;
        self.unsure = false;
    }

    /// Whether the rules that compare values hold; `None` if that cannot be said.
    pub(crate) fn verdict(&self, standard: StandardType) -> Option<bool> {
        if self.unsure {
            return None;
        }
        let holds = match standard {
            StandardType::ListResult => self.page.holds(self.payload),
            StandardType::BatchResult => self.batch.holds(),
            StandardType::OperationStatus => self.operation.holds(self.error),
            _ => true,
        };
        Some(holds && !self.broken && self.envelope(standard))
    }

    /// A success has its payload and no error, a failure an error and no payload.
    fn envelope(&self, standard: StandardType) -> bool {
        let has_payload = super::envelope::payload(standard).is_some();
        match self.success {
            Some(true) => !self.error && (!has_payload || self.payload.is_some()),
            // An empty list is as good as none.
            Some(false) => self.error && self.payload.is_none_or(|count| count == 0),
            None => true,
        }
    }
}

impl Page {
    fn holds(&self, items: Option<u32>) -> bool {
        if !self.present {
            return true;
        }
        let computed = self.computed_pages();
        let count_agrees = match (computed, self.total_pages) {
            (Some(expected), Some(found)) => expected == found,
            _ => true,
        };
        count_agrees && self.neighbours(self.total_pages.or(computed)) && self.fits(items)
    }

    fn computed_pages(&self) -> Option<i64> {
        let total = self.total.filter(|total| *total >= 0)?;
        let per_page = self.per_page.filter(|per_page| *per_page >= 1)?;
        Some(total / per_page + i64::from(total % per_page != 0))
    }

    fn neighbours(&self, pages: Option<i64>) -> bool {
        let Some(page) = self.page.filter(|page| *page >= 1) else {
            return true;
        };
        let is = |found: Option<bool>, expected: bool| found.is_none_or(|found| found == expected);
        let next = pages.is_none_or(|pages| is(self.has_next, page < pages));
        let told = pages.is_none_or(|pages| page == 1 || page - 1 <= pages);
        next && (!told || is(self.has_prev, page > 1))
    }

    fn fits(&self, items: Option<u32>) -> bool {
        let Some(items) = items.map(i64::from) else {
            return true;
        };
        let within = |most: Option<i64>, least: i64| {
            most.filter(|most| *most >= least)
                .is_none_or(|most| items <= most)
        };
        within(self.per_page, 1) && within(self.total, 0)
    }
}

impl Batch {
    /// Whether the item that ends keeps its rules.
    fn end_item(&mut self) -> bool {
        let error = std::mem::take(&mut self.item_error);
        match self.item_success.take() {
            Some(true) => {
                self.successes += 1;
                !error
            }
            Some(false) => {
                self.failures += 1;
                error
            }
            None => true,
        }
    }

    fn holds(&self) -> bool {
        self.counts_agree() && self.items_agree() && self.errors_agree()
    }

    fn counts_agree(&self) -> bool {
        let Some(total) = self.total.map(i128::from) else {
            return true;
        };
        match (self.successful.map(i128::from), self.failed.map(i128::from)) {
            (Some(successful), Some(failed)) => successful + failed == total,
            (Some(part), None) | (None, Some(part)) => part <= total,
            (None, None) => true,
        }
    }

    fn items_agree(&self) -> bool {
        let (Some(found), Some(total)) = (self.items.map(i64::from), self.total) else {
            return true;
        };
        let agrees = |expected: Option<i64>, some: u32| {
            let some = i64::from(some);
            expected.is_none_or(|expected| some <= expected && (found != total || some >= expected))
        };
        found <= total.max(0)
            && agrees(self.successful, self.successes)
            && agrees(self.failed, self.failures)
    }

    fn errors_agree(&self) -> bool {
        let failed = self.failed.filter(|failed| *failed >= 0);
        failed.is_none_or(|failed| self.error_sum <= failed.into())
    }
}

impl Operation {
    fn holds(&self, error: bool) -> bool {
        let outcome = match self.status.as_deref() {
            Some("completed") => self.result && !error,
            Some("failed") => !self.result && error,
            _ => true,
        };
        let steps = match (self.current_step, self.total_steps) {
            (Some(current), Some(total)) => current <= total,
            _ => true,
        };
        outcome && steps && self.times_agree()
    }

    fn times_agree(&self) -> bool {
        let Some(created) = self.created_at.as_deref() else {
            return true;
        };
        (self.later.iter().flatten())
            .all(|later| instant::compare(created, later) != Some(Ordering::Greater))
    }
}

/// What the rules about single values ask for, as a schema. Formats are asserted.
pub(crate) fn supplement(standard: StandardType) -> Option<&'static str> {
    Some(match standard {
        StandardType::ObjectResult => {
            r#"{"properties": {"metadata": {"properties": {
                "timestamp": {"format": "date-time"}, "duration_ms": {"minimum": 0}}}}}"#
        }
        StandardType::EntityResult => {
            r#"{"properties": {"relationships": {"additionalProperties": {"properties": {"data": {
                "properties": {"id": {"type": "string"}, "type": {"type": "string"}},
                "required": ["id", "type"],
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "type": {"type": "string"}},
                    "required": ["id", "type"]}}}}}}}"#
        }
        StandardType::OperationStatus => {
            r#"{"properties": {
                "created_at": {"format": "date-time"},
                "updated_at": {"format": "date-time"},
                "completed_at": {"format": "date-time"}}}"#
        }
        StandardType::FileResult => {
            r#"{"properties": {"file": {"properties": {
                "url": {"format": "uri"}, "size": {"minimum": 0}}}}}"#
        }
        StandardType::MediaResult => {
            r#"{"properties": {"media": {"properties": {
                "url": {"format": "uri"},
                "size": {"minimum": 0},
                "duration": {"minimum": 0},
                "dimensions": {"properties": {"width": {"minimum": 1}, "height": {"minimum": 1}}}}}}}"#
        }
        StandardType::EventStream => r#"{"properties": {"retry": {"minimum": 0}}}"#,
        _ => return None,
    })
}
