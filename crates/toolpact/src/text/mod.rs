//! How results read to a model.
//!
//! Every return type has a text of its own: a list is a table with its page line, an entity its
//! fields, a batch its counts and then its failures, a file its name, type and size, an operation
//! its status and progress, an error its message and what to do next.
//!
//! A text has a [`Budget`]. What is longer ends at the boundary of an item, a field or a line, never
//! in the middle of a value, and says what was left out and under which handle the whole can be
//! read. What this module says itself at the end of a text is in square brackets.
//!
//! ```
//! use toolpact::core::json::Value;
//! use toolpact::core::returns::{Returns, StandardType};
//! use toolpact::text::{Budget, of_value};
//!
//! let returns = Returns::Standard { standard: StandardType::ListResult, refinement: None };
//! let value = Value::from_json(r#"{
//!     "success": true,
//!     "data": [{"id": 7, "name": "Ada"}, {"id": 8, "name": "Grace"}],
//!     "pagination": {"page": 2, "total": 45, "total_pages": 5, "has_next": true}
//! }"#)?;
//! assert_eq!(
//!     of_value(&returns, value.root(), &Budget::default()).text,
//!     "2 items: page 2 of 5, 45 in all; ask for page 3 to go on\n\
//!      | id | name |\n\
//!      |---|---|\n\
//!      | 7 | Ada |\n\
//!      | 8 | Grace |"
//! );
//! # Ok::<(), toolpact::core::Violations>(())
//! ```

mod advice;
mod any;
mod batch;
mod binary;
mod budget;
mod compact;
mod entity;
mod envelope;
mod error;
mod fields;
mod items;
mod list;
mod operation;
mod page;
mod plain;
mod primitive;
mod scalar;
mod stream;
mod table;
mod template;
#[cfg(test)]
mod tests;

use toolpact_core::contract::TextTemplate;
use toolpact_core::json::Node;
use toolpact_core::returns::{Envelope, Returns, StandardError, StandardType};

use page::Page;

use crate::Error;

pub use budget::{Budget, Cut, Rendered};
pub(crate) use template::TemplateFault;

/// The text of a result by its return type. A result that says that it failed reads as an error,
/// whatever was promised.
///
/// A value that is not what its type promises is shown as it is.
#[must_use]
pub fn of_value(returns: &Returns, value: Node<'_>, budget: &Budget<'_>) -> Rendered {
    if returns.error_says_all(value)
        && let Err(error) = returns.outcome(value)
    {
        return of_error(&error, budget);
    }
    let write = match returns {
        Returns::Standard { standard, .. } => writer(*standard),
        Returns::Custom(_) | Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => {
            any::write
        }
    };
    let mut page = Page::new(budget.chars());
    let cut = write(&mut page, value);
    budget.close(page, cut)
}

/// The text of a failure: the message, what is known besides, and what to do next.
#[must_use]
pub fn of_error(error: &StandardError, budget: &Budget<'_>) -> Rendered {
    let mut page = Page::new(budget.chars());
    let cut = error::write(&mut page, error);
    budget.close(page, cut)
}

/// A text that a tool made itself, cut at the end of a line if it is over the budget. A text
/// whose first line is over the budget is cut between words.
#[must_use]
pub fn of_text(text: String, budget: &Budget<'_>) -> Rendered {
    let mut page = Page::new(budget.chars());
    match plain::write(&mut page, &text) {
        Some(cut) => budget.close(page, Some(cut)),
        None => Rendered { text, cut: None },
    }
}

/// The text that the template of a contract makes of a result.
///
/// The fields of an object are the variables of the template; anything else is `value`. A field
/// that is not there is an error, so that a template that does not fit its tool is noticed;
/// `is defined` and `default` are for those that may be absent. A failure reads as an error
/// without the template being asked.
pub fn of_template(
    template: &TextTemplate,
    value: Node<'_>,
    budget: &Budget<'_>,
) -> Result<Rendered, Error> {
    if let Some(error) = StandardError::of_failure(value) {
        return Ok(of_error(&error, budget));
    }
    of_success(template, value, budget)
}

/// The same for a result that is known to be a success.
pub(crate) fn of_success(
    template: &TextTemplate,
    value: Node<'_>,
    budget: &Budget<'_>,
) -> Result<Rendered, Error> {
    template::render(template.as_str(), value).map(|text| of_text(text, budget))
}

/// What writes a result, and says what it left out.
type Write = for<'a> fn(&mut Page, Node<'a>) -> Option<Cut>;

fn writer(standard: StandardType) -> Write {
    use StandardType as T;
    match standard {
        T::EntityResult => entity::write,
        T::OperationStatus => operation::write,
        T::StringValue | T::NumberValue | T::BooleanValue => primitive::write_value,
        T::IdentifierValue => primitive::write_identifier,
        T::ListResult => list::write,
        T::BatchResult => batch::write,
        T::FileResult => binary::write_file,
        T::MediaResult => binary::write_media,
        T::EventStream => stream::write_event,
        T::ChunkedData => stream::write_chunk,
        // A type without a text of its own reads by its envelope.
        _ => match standard.envelope() {
            Envelope::Status => primitive::write_void,
            Envelope::Payload("data") => envelope::write,
            _ => any::write,
        },
    }
}
