//! The index of a JSON text: one small entry for each value and key, in document order.

/// The position of an entry in the index.
pub(crate) type NodeId = u32;

/// A JSON text with its index. The text is one valid JSON value, unless reading it reported errors;
/// then the index only serves to report more of them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) text: Box<str>,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where the value's text begins.
    pub(crate) start: u32,
    /// Where the value's text ends.
    pub(crate) end: u32,
    /// The entry after this one and all its descendants.
    pub(crate) next: NodeId,
    pub(crate) shape: Shape,
}

impl Entry {
    /// The root of an index without entries.
    pub(crate) const NULL: Entry = Entry {
        start: 0,
        end: 0,
        next: 1,
        shape: Shape::Null,
    };
}

/// The kind of an entry. The members of an object are a key entry followed by a value entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Null,
    Bool,
    Number,
    /// A string without escapes: its value is its text between the quotes.
    Plain,
    /// A string with escapes, which has to be decoded.
    Escaped,
    Array,
    Object,
}

impl Shape {
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Shape::Array | Shape::Object)
    }
}
