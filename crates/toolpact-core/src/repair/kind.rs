/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// An optional key that was null was left out.
    NullDropped,
    /// A number was in a string.
    NumberFromString,
    /// `true` or `false` was in a string.
    BooleanFromString,
    /// An object or an array was in a string, as JSON.
    JsonFromString,
    /// A single value was made a list of one.
    ListFromSingle,
    /// A key that the schema forbids was left out.
    UnknownKeyDropped,
}

impl RepairKind {
    /// All of them.
    pub const ALL: [RepairKind; 6] = [
        RepairKind::NullDropped,
        RepairKind::NumberFromString,
        RepairKind::BooleanFromString,
        RepairKind::JsonFromString,
        RepairKind::ListFromSingle,
        RepairKind::UnknownKeyDropped,
    ];

    /// The stable name: `number-from-string`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            RepairKind::NullDropped => "null-dropped",
            RepairKind::NumberFromString => "number-from-string",
            RepairKind::BooleanFromString => "boolean-from-string",
            RepairKind::JsonFromString => "json-from-string",
            RepairKind::ListFromSingle => "list-from-single",
            RepairKind::UnknownKeyDropped => "unknown-key-dropped",
        }
    }
}

crate::text::display!(RepairKind: code);
