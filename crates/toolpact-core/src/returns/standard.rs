use std::fmt;

use crate::json::Value;
use crate::schema::JsonSchema;
use crate::violation::nearest::nearest;

/// The fourteen standard return types of ADL 1.5.
///
/// ```
/// use toolpact_core::returns::{Category, StandardType};
///
/// let list = StandardType::from_name("ListResult").unwrap();
/// assert_eq!(list.category(), Category::Array);
/// assert_eq!(list.uri(), "https://adl.io/schemas/returns/ListResult");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StandardType {
    /// An object, wrapped in success or error.
    ObjectResult,
    /// One entity with a type, attributes and relationships.
    EntityResult,
    /// The state of a long-running operation.
    OperationStatus,
    /// Text.
    StringValue,
    /// A number.
    NumberValue,
    /// True or false.
    BooleanValue,
    /// The identifier of something.
    IdentifierValue,
    /// A page of a list.
    ListResult,
    /// What came of each item of a batch.
    BatchResult,
    /// A file.
    FileResult,
    /// An image, a sound or a video.
    MediaResult,
    /// One event of a stream.
    EventStream,
    /// One piece of a large payload.
    ChunkedData,
    /// Nothing but whether it worked.
    VoidResult,
}

/// The six categories of return types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// Objects with nested properties.
    Structured,
    /// Simple scalar values.
    Primitive,
    /// Collections.
    Array,
    /// Data that is not JSON.
    Binary,
    /// Continuous flows.
    Stream,
    /// No return value.
    Void,
}

/// One row of the catalogue.
struct Row {
    standard: StandardType,
    name: &'static str,
    category: Category,
    purpose: &'static str,
    use_cases: [&'static str; 3],
    schema: &'static str,
    examples: &'static str,
}

macro_rules! row {
    ($name:ident, $category:ident, $purpose:literal, $use_cases:expr) => {
        Row {
            standard: StandardType::$name,
            name: stringify!($name),
            category: Category::$category,
            purpose: $purpose,
            use_cases: $use_cases,
            schema: include_str!(concat!("catalogue/", stringify!($name), ".schema.json")),
            examples: include_str!(concat!("catalogue/", stringify!($name), ".examples.json")),
        }
    };
}

/// In the order of the enum, which is the order of the specification.
static CATALOGUE: [Row; 14] = [
    row!(
        ObjectResult,
        Structured,
        "Generic object return with success/error wrapper",
        ["CRUD operations", "API responses", "Service calls"]
    ),
    row!(
        EntityResult,
        Structured,
        "Single entity with type discriminator",
        [
            "Database entity retrieval",
            "Resource representation",
            "Typed object returns"
        ]
    ),
    row!(
        OperationStatus,
        Structured,
        "Async operation status tracking",
        [
            "Long-running operations",
            "Batch processing",
            "Async job tracking"
        ]
    ),
    row!(
        StringValue,
        Primitive,
        "Simple string return",
        [
            "Text generation",
            "Name/slug generation",
            "Simple message returns"
        ]
    ),
    row!(
        NumberValue,
        Primitive,
        "Numeric return (integer or float)",
        ["Counts and tallies", "Measurements", "Calculations"]
    ),
    row!(
        BooleanValue,
        Primitive,
        "True/false return",
        ["Validation results", "Feature flags", "Existence checks"]
    ),
    row!(
        IdentifierValue,
        Primitive,
        "Unique identifier return",
        ["ID generation", "Reference returns", "Lookup results"]
    ),
    row!(
        ListResult,
        Array,
        "Generic list with pagination",
        ["Search results", "List endpoints", "Paginated data"]
    ),
    row!(
        BatchResult,
        Array,
        "Batch operation results with individual item status",
        ["Bulk operations", "Import/export", "Batch processing"]
    ),
    row!(
        FileResult,
        Binary,
        "File download with metadata",
        [
            "Document generation",
            "Export functionality",
            "File downloads"
        ]
    ),
    row!(
        MediaResult,
        Binary,
        "Media file (image, audio, video) with metadata",
        ["Image generation", "Audio processing", "Video manipulation"]
    ),
    row!(
        EventStream,
        Stream,
        "Server-sent events or WebSocket message format",
        [
            "Real-time updates",
            "Chat streaming",
            "Progress notifications"
        ]
    ),
    row!(
        ChunkedData,
        Stream,
        "Chunked data transfer for large payloads",
        [
            "Large file transfers",
            "Streaming data processing",
            "Incremental updates"
        ]
    ),
    row!(
        VoidResult,
        Void,
        "No return value, only status",
        [
            "Delete operations",
            "Fire-and-forget",
            "Side-effect only operations"
        ]
    ),
];

impl StandardType {
    /// What the URI of every standard schema begins with.
    pub const BASE_URI: &'static str = "https://adl.io/schemas/returns/";

    /// All fourteen, in the order of the specification.
    pub fn all() -> impl ExactSizeIterator<Item = StandardType> {
        CATALOGUE.iter().map(|row| row.standard)
    }

    /// The type of this name, compared exactly.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        CATALOGUE
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.standard)
    }

    /// The name most like `name`, for a suggestion.
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, CATALOGUE.iter().map(|row| row.name))
    }

    /// The name: `ListResult`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The category it is of.
    #[must_use]
    pub fn category(self) -> Category {
        self.row().category
    }

    /// What it is for, in a few words.
    #[must_use]
    pub fn purpose(self) -> &'static str {
        self.row().purpose
    }

    /// Where it is used.
    #[must_use]
    pub fn use_cases(self) -> &'static [&'static str] {
        &self.row().use_cases
    }

    /// The identifier of its schema.
    #[must_use]
    pub fn uri(self) -> String {
        format!("{}{}", Self::BASE_URI, self.name())
    }

    /// Its schema, literally as the specification has it.
    #[must_use]
    pub fn schema_text(self) -> &'static str {
        self.row().schema.trim_end()
    }

    /// Its schema.
    #[must_use]
    pub fn schema(self) -> JsonSchema {
        JsonSchema::trusted(Value::embedded(self.schema_text()))
    }

    /// The examples of the specification.
    #[must_use]
    pub fn examples(self) -> Vec<Value> {
        let list = Value::embedded(self.row().examples);
        list.root()
            .items()
            .map(crate::json::Node::to_value)
            .collect()
    }

    fn row(self) -> &'static Row {
        &CATALOGUE[self as usize]
    }
}

impl Category {
    /// All six, in the order of the specification.
    pub const ALL: [Category; 6] = [
        Category::Structured,
        Category::Primitive,
        Category::Array,
        Category::Binary,
        Category::Stream,
        Category::Void,
    ];

    /// The name: `Structured`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Category::Structured => "Structured",
            Category::Primitive => "Primitive",
            Category::Array => "Array",
            Category::Binary => "Binary",
            Category::Stream => "Stream",
            Category::Void => "Void",
        }
    }
}

impl fmt::Display for StandardType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::StandardType;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (i, standard) in StandardType::all().enumerate() {
            assert_eq!(standard as usize, i);
            assert_eq!(standard.name(), format!("{standard:?}"));
        }
    }

    #[test]
    fn schemas_compile_and_examples_fit() {
        for standard in StandardType::all() {
            let schema = standard.schema();
            crate::schema::JsonSchema::from_value(schema.as_value()).unwrap();
            let checker = schema.shape_checker();
            assert!(!standard.examples().is_empty());
            for example in standard.examples() {
                checker.check(&example).unwrap();
            }
        }
    }
}
