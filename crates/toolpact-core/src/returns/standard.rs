use super::Reports;
use super::meaning::{Family, ValueRule, ValueRules};
use crate::json::Value;
use crate::schema::JsonSchema;
use crate::violation::nearest::nearest;

/// Generates the enum and the catalogue from one list.
macro_rules! standard_types {
    (
        $(#[$about:meta])*
        pub enum StandardType {
            $($(#[$doc:meta])* $name:ident { $($field:ident: $value:expr,)* })*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StandardType {
            $($(#[$doc])* $name,)*
        }

        /// How many standard types there are.
        pub(super) const COUNT: usize = [$(stringify!($name)),*].len();

        static CATALOGUE: [Row; COUNT] = [$(Row {
            standard: StandardType::$name,
            name: stringify!($name),
            schema: include_str!(concat!("catalogue/", stringify!($name), ".schema.json")),
            examples: include_str!(concat!("catalogue/", stringify!($name), ".examples.json")),
            $($field: $value,)*
        }),*];
    };
}

/// One row of the catalogue: what differs between types, apart from their schemas.
struct Row {
    standard: StandardType,
    name: &'static str,
    schema: &'static str,
    examples: &'static str,
    category: Category,
    purpose: &'static str,
    use_cases: [&'static str; 3],
    /// How success and failure are told apart.
    envelope: Envelope,
    /// How it says what came of the work.
    reports: Reports,
    /// Which values are compared.
    family: Family,
    /// The rules about single values, besides the schema.
    value_rules: ValueRules,
}

standard_types! {
    /// The fourteen standard return types of ADL 1.5, in the order of the specification.
    ///
    /// ```
    /// use toolpact_core::returns::{Category, StandardType};
    ///
    /// let list = StandardType::from_name("ListResult").unwrap();
    /// assert_eq!(list.category(), Category::Array);
    /// assert_eq!(list.uri(), "https://adl.io/schemas/returns/ListResult");
    /// ```
    pub enum StandardType {
        /// An object, wrapped in success or error.
        ObjectResult {
            category: Category::Structured,
            purpose: "Generic object return with success/error wrapper",
            use_cases: ["CRUD operations", "API responses", "Service calls"],
            envelope: Envelope::Payload("data"),
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[
                (&["metadata", "timestamp"], ValueRule::DateTime),
                (&["metadata", "duration_ms"], ValueRule::NotNegative),
            ],
        }

        /// One entity with a type, attributes and relationships.
        EntityResult {
            category: Category::Structured,
            purpose: "Single entity with type discriminator",
            use_cases: ["Database entity retrieval", "Resource representation", "Typed object returns"],
            envelope: Envelope::None,
            reports: Reports::Nothing,
            family: Family::None,
            value_rules: &[(&["relationships", "*", "data"], ValueRule::Entities)],
        }

        /// The state of a long-running operation.
        OperationStatus {
            category: Category::Structured,
            purpose: "Async operation status tracking",
            use_cases: ["Long-running operations", "Batch processing", "Async job tracking"],
            envelope: Envelope::None,
            reports: Reports::Status,
            family: Family::Operation,
            value_rules: &[
                (&["created_at"], ValueRule::DateTime),
                (&["updated_at"], ValueRule::DateTime),
                (&["completed_at"], ValueRule::DateTime),
            ],
        }

        /// Text.
        StringValue {
            category: Category::Primitive,
            purpose: "Simple string return",
            use_cases: ["Text generation", "Name/slug generation", "Simple message returns"],
            envelope: Envelope::Payload("value"),
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[],
        }

        /// A number.
        NumberValue {
            category: Category::Primitive,
            purpose: "Numeric return (integer or float)",
            use_cases: ["Counts and tallies", "Measurements", "Calculations"],
            envelope: Envelope::Payload("value"),
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[],
        }

        /// True or false.
        BooleanValue {
            category: Category::Primitive,
            purpose: "True/false return",
            use_cases: ["Validation results", "Feature flags", "Existence checks"],
            envelope: Envelope::Payload("value"),
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[],
        }

        /// The identifier of something.
        IdentifierValue {
            category: Category::Primitive,
            purpose: "Unique identifier return",
            use_cases: ["ID generation", "Reference returns", "Lookup results"],
            envelope: Envelope::Payload("id"),
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[],
        }

        /// A page of a list.
        ListResult {
            category: Category::Array,
            purpose: "Generic list with pagination",
            use_cases: ["Search results", "List endpoints", "Paginated data"],
            envelope: Envelope::RequiredPayload("data"),
            reports: Reports::Flag,
            family: Family::Page,
            value_rules: &[],
        }

        /// The outcome of each item of a batch.
        BatchResult {
            category: Category::Array,
            purpose: "Batch operation results with individual item status",
            use_cases: ["Bulk operations", "Import/export", "Batch processing"],
            envelope: Envelope::None,
            reports: Reports::Batch,
            family: Family::Batch,
            value_rules: &[(&["errors", "*", "count"], ValueRule::NotNegative)],
        }

        /// A file.
        FileResult {
            category: Category::Binary,
            purpose: "File download with metadata",
            use_cases: ["Document generation", "Export functionality", "File downloads"],
            envelope: Envelope::Payload("file"),
            reports: Reports::Flag,
            family: Family::File,
            value_rules: &[
                (&["file", "url"], ValueRule::Uri),
                (&["file", "size"], ValueRule::NotNegative),
            ],
        }

        /// An image, a sound or a video.
        MediaResult {
            category: Category::Binary,
            purpose: "Media file (image, audio, video) with metadata",
            use_cases: ["Image generation", "Audio processing", "Video manipulation"],
            envelope: Envelope::Payload("media"),
            reports: Reports::Flag,
            family: Family::Media,
            value_rules: &[
                (&["media", "url"], ValueRule::Uri),
                (&["media", "size"], ValueRule::NotNegative),
                (&["media", "duration"], ValueRule::NotNegative),
            ],
        }

        /// One event of a stream.
        EventStream {
            category: Category::Stream,
            purpose: "Server-sent events or WebSocket message format",
            use_cases: ["Real-time updates", "Chat streaming", "Progress notifications"],
            envelope: Envelope::None,
            reports: Reports::Nothing,
            family: Family::None,
            value_rules: &[(&["retry"], ValueRule::NotNegative)],
        }

        /// One piece of a large payload.
        ChunkedData {
            category: Category::Stream,
            purpose: "Chunked data transfer for large payloads",
            use_cases: ["Large file transfers", "Streaming data processing", "Incremental updates"],
            envelope: Envelope::None,
            reports: Reports::Nothing,
            family: Family::Chunk,
            value_rules: &[],
        }

        /// No value, only whether the call succeeded.
        VoidResult {
            category: Category::Void,
            purpose: "No return value, only status",
            use_cases: ["Delete operations", "Fire-and-forget", "Side-effect only operations"],
            envelope: Envelope::Status,
            reports: Reports::Flag,
            family: Family::None,
            value_rules: &[],
        }
    }
}

/// How a standard type tells success from failure.
///
/// ```
/// use toolpact_core::returns::{Envelope, StandardType};
///
/// assert_eq!(StandardType::NumberValue.envelope(), Envelope::Payload("value"));
/// assert_eq!(StandardType::VoidResult.envelope(), Envelope::Status);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Envelope {
    /// Not at all: a failed call has no value of this type.
    None,
    /// `success`, and `error` if it is false.
    Status,
    /// `success`, and the payload under this key, or `error`.
    Payload(&'static str),
    /// The same, but the payload is required: it is present and empty beside an `error`.
    RequiredPayload(&'static str),
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

impl StandardType {
    /// The prefix of the URI of every standard schema.
    pub const BASE_URI: &'static str = "https://adl.io/schemas/returns/";

    /// All of them, in the order of the specification.
    pub fn all() -> impl ExactSizeIterator<Item = StandardType> {
        CATALOGUE.iter().map(|row| row.standard)
    }

    /// The type of this name, compared exactly.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let row = CATALOGUE.iter().find(|row| row.name == name)?;
        Some(row.standard)
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

    /// The category.
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

    /// Its schema, exactly as in the specification.
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

    /// The rules that its values follow besides the schema.
    #[must_use]
    pub fn rules(self) -> Vec<&'static crate::violation::Rule> {
        super::meaning::rules_of(self)
    }

    /// How success and failure are told apart.
    #[must_use]
    pub fn envelope(self) -> Envelope {
        self.row().envelope
    }

    /// How a result says what came of the work.
    #[must_use]
    pub fn reports(self) -> Reports {
        self.row().reports
    }

    /// Whether a failure has a form of its own in this type: `success: false` with an `error`, and
    /// nothing else that is required.
    #[must_use]
    pub fn has_error_envelope(self) -> bool {
        matches!(self.envelope(), Envelope::Status | Envelope::Payload(_))
    }

    /// Which of its values are compared.
    pub(crate) fn family(self) -> Family {
        self.row().family
    }

    /// The rules about single values, besides the schema.
    pub(crate) fn value_rules(self) -> ValueRules {
        self.row().value_rules
    }

    fn row(self) -> &'static Row {
        &CATALOGUE[self as usize]
    }
}

impl Envelope {
    /// Whether there is a member `success`.
    #[must_use]
    pub fn has_success(self) -> bool {
        self != Envelope::None
    }

    /// The key of the payload.
    #[must_use]
    pub fn payload(self) -> Option<&'static str> {
        match self {
            Envelope::Payload(key) | Envelope::RequiredPayload(key) => Some(key),
            Envelope::None | Envelope::Status => None,
        }
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

crate::text::display!(StandardType: name);

crate::text::display!(Category: name);

#[cfg(test)]
mod tests {
    use super::StandardType;

    #[test]
    fn schemas_compile_and_examples_fit() {
        for standard in StandardType::all() {
            let schema = standard.schema();
            crate::schema::JsonSchema::from_value(&schema.to_value()).unwrap();
            let checker = schema.shape_checker();
            assert!(!standard.examples().is_empty());
            for example in standard.examples() {
                checker.check(&example).unwrap();
            }
        }
    }
}
