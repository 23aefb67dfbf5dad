//! The index of a JSON text: one small entry for each value and key, in document order.

/// The number of an entry.
pub(crate) type NodeId = u32;

/// A JSON text with its index. The text is known to be one valid JSON value, unless reading it
/// reported errors; then it is only looked at to say more about it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) text: Box<str>,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Where the value's text begins.
    pub(crate) start: u32,
    /// Where the value's text ends.
    pub(crate) end: u32,
    /// The entry after this one and everything in it.
    pub(crate) next: NodeId,
    pub(crate) shape: Shape,
}

impl Entry {
    /// What an index without entries says.
    pub(crate) const NULL: Entry = Entry {
        start: 0,
        end: 0,
        next: 1,
        shape: Shape::Null,
    };
}

/// What an entry is. The members of an object are a key entry followed by a value entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Null,
    Bool,
    Number,
    /// A string without escapes: its value is its text between the quotes.
    Plain,
    /// A string that has to be decoded.
    Escaped,
    Array,
    Object,
}

impl Shape {
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Shape::Array | Shape::Object)
    }
}
