//! The facts that rules of meaning compare, collected while a result is read in one pass, without
//! building a tree.
//!
//! Rules about one value are a schema beside the type's own, see [`supplement`](super::supplement).

use super::operation::Outcome;
use super::{Batch, Envelope, Facts as _, Family, Media, Operation, Page};
use crate::check::{Note, Observer};
use crate::returns::StandardType;

/// The role of a value in a result.
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
    Dimensions,
    Width,
    Height,
    Data,
}

impl Role {
    /// The role of a member; `None` if it has none.
    pub(crate) fn of_member(self, standard: StandardType, key: &str) -> Option<Role> {
        Some(match (standard.family(), self, key) {
            (Family::Batch, Role::Root, "total") => Role::BatchTotal,
            (Family::Batch, Role::Root, "successful") => Role::Successful,
            (Family::Batch, Role::Root, "failed") => Role::Failed,
            (Family::Batch, Role::Root, "items") => Role::Items,
            (Family::Batch, Role::Root, "errors") => Role::Errors,
            (Family::Batch, Role::Item, "success") => Role::ItemSuccess,
            (Family::Batch, Role::Item, "error") => Role::ItemError,
            (Family::Batch, Role::ErrorGroup, "count") => Role::ErrorCount,
            (Family::Batch, ..) => return None,
            (Family::Operation, Role::Root, "status") => Role::Status,
            (Family::Operation, Role::Root, "result") => Role::Outcome,
            (Family::Operation, Role::Root, "progress") => Role::Progress,
            (Family::Operation, Role::Root, "created_at") => Role::CreatedAt,
            (Family::Operation, Role::Root, "updated_at") => Role::UpdatedAt,
            (Family::Operation, Role::Root, "completed_at") => Role::CompletedAt,
            (Family::Operation, Role::Progress, "current_step") => Role::CurrentStep,
            (Family::Operation, Role::Progress, "total_steps") => Role::TotalSteps,
            (Family::Page, Role::Root, "pagination") => Role::Pagination,
            (Family::Page, Role::Pagination, "page") => Role::Page,
            (Family::Page, Role::Pagination, "per_page") => Role::PerPage,
            (Family::Page, Role::Pagination, "total") => Role::Total,
            (Family::Page, Role::Pagination, "total_pages") => Role::TotalPages,
            (Family::Page, Role::Pagination, "has_next") => Role::HasNext,
            (Family::Page, Role::Pagination, "has_prev") => Role::HasPrev,
            (Family::File | Family::Media, Role::Payload, "data")
            | (Family::Chunk, Role::Root, "data") => Role::Data,
            (Family::Media, Role::Payload, "dimensions") => Role::Dimensions,
            (Family::Media, Role::Dimensions, "width") => Role::Width,
            (Family::Media, Role::Dimensions, "height") => Role::Height,
            (_, Role::Root, "success") if standard.envelope().has_success() => Role::Success,
            (_, Role::Root, "error") => Role::Error,
            (_, Role::Root, key) if standard.envelope().payload() == Some(key) => Role::Payload,
            _ => return None,
        })
    }

    /// Whether facts about it are recorded. Other roles only lead to such values.
    pub(crate) fn is_noted(self) -> bool {
        !matches!(
            self,
            Role::Root
                | Role::Errors
                | Role::ErrorGroup
                | Role::Pagination
                | Role::Progress
                | Role::Dimensions
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

/// The facts recorded about a result.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    envelope: Envelope,
    /// Whether any of the fields below is set; most results need none of them.
    parts: bool,
    page: Page,
    batch: Batch,
    /// The item of a batch that is being read.
    item: Envelope,
    operation: Operation,
    media: Media<'static>,
    /// A rule was broken while reading.
    broken: bool,
    /// Something can only be decided on the explain path.
    unsure: bool,
}

impl Observer for Observed {
    #[expect(clippy::inline_always, reason = "measured: 3 % of a batch")]
    #[inline(always)]
    fn note(&mut self, role: Role, note: Note<'_>) {
        self.parts |= !matches!(role, Role::Success | Role::Error | Role::Payload);
        match (role, note) {
            (Role::ItemSuccess, Note::Boolean(success)) => self.item.success = Some(success),
            (Role::ItemError, _) => self.item.error = true,
            (Role::Item, _) => self.end_item(),
            (Role::Success, Note::Boolean(success)) => self.envelope.success = Some(success),
            (Role::Error, _) => {
                self.envelope.error = true;
                self.operation.error = true;
            }
            (Role::Payload, Note::Array(count)) => self.envelope.length = Some(count),
            (Role::Payload, _) => self.envelope.length = Some(1),
            (Role::Items, Note::Array(count)) => self.batch.items = Some(count.into()),
            (Role::HasNext, Note::Boolean(flag)) => self.page.has_next = Some(flag),
            (Role::HasPrev, Note::Boolean(flag)) => self.page.has_prev = Some(flag),
            (Role::Outcome, _) => self.operation.result = true,
            (role, Note::Integer(number)) => self.note_number(role, number.into()),
            (role, Note::Text(text)) => self.note_text(role, text),
            // The value does not have the type that the schema asks for.
            _ => self.unsure = true,
        }
    }
}

impl Observed {
    fn note_number(&mut self, role: Role, number: i128) {
        let place = match role {
            Role::BatchTotal => &mut self.batch.total,
            Role::Successful => &mut self.batch.successful,
            Role::Failed => &mut self.batch.failed,
            Role::Page => &mut self.page.page,
            Role::PerPage => &mut self.page.per_page,
            Role::Total => &mut self.page.total,
            Role::TotalPages => &mut self.page.total_pages,
            Role::CurrentStep => &mut self.operation.current_step,
            Role::TotalSteps => &mut self.operation.total_steps,
            Role::Width => &mut self.media.width,
            Role::Height => &mut self.media.height,
            Role::ErrorCount => {
                self.batch.errors = self.batch.errors.saturating_add(number.max(0));
                return;
            }
            _ => {
                self.unsure = true;
                return;
            }
        };
        *place = Some(number);
    }

    fn note_text(&mut self, role: Role, text: &[u8]) {
        let time = match role {
            Role::Status => {
                self.operation.outcome = Outcome::of_status(text);
                return;
            }
            Role::CreatedAt => &mut self.operation.created_at,
            Role::UpdatedAt => &mut self.operation.updated_at,
            Role::CompletedAt => &mut self.operation.completed_at,
            // Base64 and checksums are checked on the explain path.
            _ => {
                self.unsure = true;
                return;
            }
        };
        *time = std::str::from_utf8(text).ok().map(Box::from);
    }

    /// Called after an item of a batch.
    fn end_item(&mut self) {
        let item = std::mem::take(&mut self.item);
        match item.success {
            Some(true) => self.batch.successes += 1,
            Some(false) => self.batch.failures += 1,
            None => {}
        }
        self.broken |= !item.hold();
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.parts {
            *self = Self::default();
        }
        self.envelope = Envelope::default();
        self.operation.error = false;
        self.broken = false;
        self.unsure = false;
    }

    /// Whether the rules that compare values hold; `None` if undecided.
    pub(crate) fn verdict(&self, standard: StandardType) -> Option<bool> {
        if self.unsure {
            return None;
        }
        let envelope = Envelope {
            payload: standard.envelope().payload(),
            ..self.envelope
        };
        let holds = match standard.family() {
            Family::Page => {
                let items = envelope.length.map(i128::from);
                Page { items, ..self.page }.hold()
            }
            Family::Batch => self.batch.hold(),
            Family::Operation => self.operation.hold(),
            Family::Media => self.media.hold(),
            Family::None | Family::File | Family::Chunk => true,
        };
        Some(holds && !self.broken && envelope.hold())
    }
}
