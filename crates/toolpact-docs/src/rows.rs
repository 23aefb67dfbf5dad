//! A value as a table: what the whole is, and a row for each field.

use toolpact_core::schema::view::Sources;

use super::{Phrase, Prose, fields, limits, words};

/// What a value is: its type, its limits and its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// The type of the whole.
    pub kind: Phrase,
    /// What the whole has to keep to.
    pub limits: Vec<Phrase>,
    /// Whether other fields than these are refused.
    pub is_closed: bool,
    /// The fields, and theirs after each of them.
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
    /// Whether it is no field but one of several alternatives, whose fields follow.
    pub is_option: bool,
    /// What it has to keep to.
    pub limits: Vec<Phrase>,
    /// Whether it must be there.
    pub need: Need,
    /// What is said about it.
    pub about: Prose,
    /// The path of a row whose fields are the same, which lists them instead. The path of
    /// the whole is empty.
    pub same_as: Option<String>,
}

/// Whether a field must be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Required,
    /// It need not.
    Optional,
    /// It need not, and this is what it is then, as JSON.
    Default(String),
    /// It is no field: an item of an array, or an alternative.
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

    /// Whether there is nothing to say about the type of the whole that its fields do not say.
    pub(super) fn is_plain_object(&self) -> bool {
        self.kind == Phrase::words("object") && !self.rows.is_empty()
    }
}

/// Which way the fields of a table go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To the tool.
    In,
    /// From it.
    Out,
}
