//! A value as a table: its type, and a row for each field.

use toolpact_core::schema::view::Sources;

use super::{Phrase, Prose, fields, limits, words};

/// The type, the limits and the fields of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// The type of the whole.
    pub kind: Phrase,
    /// The limits of the whole.
    pub limits: Vec<Phrase>,
    /// Whether other fields than these are refused.
    pub is_closed: bool,
    /// The fields, each followed by its nested fields.
    pub rows: Vec<Row>,
    /// Whether there are more fields than are shown.
    pub cut: bool,
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Where it is: `items[].sku`.
    pub path: String,
    /// Its type.
    pub kind: Phrase,
    /// Whether it is not a field but one of several alternatives, whose fields follow.
    pub is_option: bool,
    /// Its limits.
    pub limits: Vec<Phrase>,
    /// Whether it is required.
    pub need: Need,
    /// Its description.
    pub about: Prose,
    /// The path of a row that lists the same fields, so they are not repeated. The path of the
    /// whole is empty.
    pub same_as: Option<String>,
}

/// Whether a field is required.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// It is required.
    Required,
    /// It is optional.
    Optional,
    /// It is optional, with this default as JSON.
    Default(String),
    /// Not a field: an item of an array, or an alternative.
    No,
}

impl Shape {
    pub(super) fn of(sources: &Sources<'_>) -> Self {
        let view = sources.root();
        let (rows, cut) = fields::of(sources, &view);
        Self {
            kind: words::of(sources, &view),
            limits: limits::of(sources, &view),
            is_closed: view.refuses_other_keys(),
            rows,
            cut,
        }
    }

    /// Whether the fields say everything about the type of the whole.
    pub(super) fn is_plain_object(&self) -> bool {
        self.kind == Phrase::words("object") && !self.rows.is_empty()
    }
}

/// The direction of the fields in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To the tool.
    In,
    /// From the tool.
    Out,
}
