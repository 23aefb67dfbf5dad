//! ADM schemas: six types, nested as deep as one likes.
//!
//! A [`Schema`] is a flat list of its parts, each of which names its children by number, so that
//! cloning, comparing and dropping it never recurse. [`SchemaRef`] is the way to look into it.

mod build;
mod json_schema;
mod read;
mod write;

use std::fmt;

use indexmap::{IndexMap, IndexSet};

use crate::json::report::Report;
use crate::json::{Node, Writer};
use crate::violation::Pointer;

use super::methods::document_methods;
use super::{Form, Model};

pub use build::SchemaBuilder;

/// What a value must look like.
///
/// ```
/// use toolpact_core::model::{Schema, SchemaType};
///
/// let schema = Schema::from_json(r#"{"type": "ARRAY", "items": {"type": "STRING"}}"#)?;
/// assert_eq!(schema.root().items().unwrap().schema_type(), SchemaType::String);
///
/// let violations = Schema::from_json(r#"{"type": "string"}"#).unwrap_err();
/// assert_eq!(violations.iter().next().unwrap().suggestion().unwrap().text, "did you mean `STRING`?");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct Schema {
    /// The root first, every part before its children.
    parts: Vec<Subschema>,
}

document_methods!(Schema);

/// The six types of ADM 3.3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaType {
    /// Text.
    String,
    /// A 64-bit float, finite.
    Number,
    /// A whole number within 64 bits, signed.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A list of values that share one schema.
    Array,
    /// Keys and values.
    Object,
}

/// The number of a part.
pub(crate) type SubschemaId = u32;

#[derive(Debug, Clone)]
struct Subschema {
    schema_type: SchemaType,
    description: Option<Box<str>>,
    properties: Option<Box<IndexMap<Box<str>, Property>>>,
    required: Option<Box<[Box<str>]>>,
    items: Option<SubschemaId>,
    values: Option<Box<IndexSet<Box<str>>>>,
    /// Where it is in which other part; `None` for the root.
    parent: Option<(SubschemaId, SubschemaSlot)>,
}

#[derive(Debug, Clone, Copy)]
struct Property {
    part: SubschemaId,
    required: bool,
}

#[derive(Debug, Clone, Copy)]
enum SubschemaSlot {
    Items,
    /// By position among the properties.
    Property(usize),
}

/// A part of a [`Schema`].
#[derive(Clone, Copy)]
pub struct SchemaRef<'a> {
    schema: &'a Schema,
    id: SubschemaId,
}

impl Schema {
    /// The whole schema as a reference, the way into it.
    #[must_use]
    pub fn root(&self) -> SchemaRef<'_> {
        self.part(0)
    }

    /// All parts, the root first, in the order of their numbers.
    pub(crate) fn parts(&self) -> impl Iterator<Item = SchemaRef<'_>> {
        (0..).take(self.parts.len()).map(|id| self.part(id))
    }

    pub(crate) fn part(&self, id: SubschemaId) -> SchemaRef<'_> {
        SchemaRef { schema: self, id }
    }
}

impl<'a> SchemaRef<'a> {
    /// The type of a value.
    #[must_use]
    pub fn schema_type(self) -> SchemaType {
        self.inner().schema_type
    }

    /// What the value means.
    #[must_use]
    pub fn description(self) -> Option<&'a str> {
        self.inner().description.as_deref()
    }

    /// The properties of an object in the order they were written.
    pub fn properties(self) -> impl ExactSizeIterator<Item = (&'a str, SchemaRef<'a>)> {
        let properties = self.inner().properties.as_deref().map(IndexMap::as_slice);
        let properties = properties.unwrap_or_default();
        properties
            .iter()
            .map(move |(name, property)| (&**name, self.schema.part(property.part)))
    }

    /// The property of this name.
    #[must_use]
    pub fn property(self, name: &str) -> Option<SchemaRef<'a>> {
        self.lookup(name).map(|(part, _)| part)
    }

    /// The names of the properties that must be there, as they were written.
    pub fn required(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.inner()
            .required
            .as_deref()
            .unwrap_or_default()
            .iter()
            .map(|name| &**name)
    }

    /// The schema of the elements of an array.
    #[must_use]
    pub fn items(self) -> Option<SchemaRef<'a>> {
        self.inner().items.map(|id| self.schema.part(id))
    }

    /// The strings that are allowed, if not all are: the keyword `enum`.
    #[must_use]
    pub fn values(self) -> Option<impl ExactSizeIterator<Item = &'a str>> {
        self.inner()
            .values
            .as_deref()
            .map(|values| values.iter().map(|value| &**value))
    }

    /// A property, and whether it is required.
    pub(crate) fn lookup(self, name: &str) -> Option<(SchemaRef<'a>, bool)> {
        let property = self.inner().properties.as_deref()?.get(name)?;
        Some((self.schema.part(property.part), property.required))
    }

    pub(crate) fn allows(self, value: &str) -> bool {
        self.inner()
            .values
            .as_deref()
            .is_none_or(|values| values.contains(value))
    }

    pub(crate) fn id(self) -> SubschemaId {
        self.id
    }

    /// The part this one is in, and the pointer from there to here.
    pub(crate) fn parent(self) -> Option<(SchemaRef<'a>, impl Fn(&Pointer) -> Pointer + 'a)> {
        let (id, step) = self.inner().parent?;
        let parent = self.schema.part(id);
        let name = match step {
            SubschemaSlot::Items => None,
            SubschemaSlot::Property(position) => {
                let properties = parent.inner().properties.as_deref();
                properties
                    .and_then(|map| map.get_index(position))
                    .map(|(name, _)| &**name)
            }
        };
        let extend = move |pointer: &Pointer| match name {
            Some(name) => pointer.key("properties").key(name),
            None => pointer.key("items"),
        };
        Some((parent, extend))
    }

    fn inner(self) -> &'a Subschema {
        &self.schema.parts[self.id as usize]
    }
}

impl Model for Schema {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        read::read(node, report)
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        write::write(self.root(), writer, form);
    }
}

impl SchemaType {
    /// All six.
    pub const ALL: [SchemaType; 6] = [
        SchemaType::String,
        SchemaType::Number,
        SchemaType::Integer,
        SchemaType::Boolean,
        SchemaType::Array,
        SchemaType::Object,
    ];

    /// As ADM writes it: `STRING`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SchemaType::String => "STRING",
            SchemaType::Number => "NUMBER",
            SchemaType::Integer => "INTEGER",
            SchemaType::Boolean => "BOOLEAN",
            SchemaType::Array => "ARRAY",
            SchemaType::Object => "OBJECT",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }
}

crate::text::display!(SchemaType: as_str);

impl fmt::Debug for SchemaRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}
