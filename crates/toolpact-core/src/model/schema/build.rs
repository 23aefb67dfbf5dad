use crate::Violations;
use crate::json::{Value, Writer};

use super::{Schema, SchemaRef, SchemaType};

/// Makes a [`Schema`]. Nothing is checked before [`build`](Self::build), which returns every
/// violation at once.
///
/// ```
/// use toolpact_core::model::Schema;
///
/// let schema = Schema::object()
///     .property("tags", Schema::array(Schema::string()))
///     .property("size", Schema::string().one_of(["S", "M", "L"]))
///     .required(["size"])
///     .build()?;
/// assert_eq!(schema.root().properties().len(), 2);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct SchemaBuilder {
    schema_type: SchemaType,
    description: Option<String>,
    /// Children as JSON, because they are only checked with the whole.
    properties: Option<Vec<(String, String)>>,
    items: Option<String>,
    required: Option<Vec<String>>,
    values: Option<Vec<String>>,
}

impl Schema {
    /// A schema of this type.
    pub fn of(schema_type: SchemaType) -> SchemaBuilder {
        SchemaBuilder {
            schema_type,
            description: None,
            properties: None,
            items: None,
            required: None,
            values: None,
        }
    }

    /// Any string.
    pub fn string() -> SchemaBuilder {
        Self::of(SchemaType::String)
    }

    /// Any number.
    pub fn number() -> SchemaBuilder {
        Self::of(SchemaType::Number)
    }

    /// Any whole number within 64 bits.
    pub fn integer() -> SchemaBuilder {
        Self::of(SchemaType::Integer)
    }

    /// `true` or `false`.
    pub fn boolean() -> SchemaBuilder {
        Self::of(SchemaType::Boolean)
    }

    /// An array of such elements.
    pub fn array(items: impl Into<SchemaBuilder>) -> SchemaBuilder {
        let items = items.into().to_json();
        SchemaBuilder {
            items: Some(items),
            ..Self::of(SchemaType::Array)
        }
    }

    /// An object, of any keys unless properties are added.
    pub fn object() -> SchemaBuilder {
        Self::of(SchemaType::Object)
    }
}

impl SchemaBuilder {
    /// Says what the value means.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a property to an object.
    pub fn property(mut self, name: impl Into<String>, schema: impl Into<SchemaBuilder>) -> Self {
        let property = (name.into(), schema.into().to_json());
        self.properties.get_or_insert_default().push(property);
        self
    }

    /// Says which properties must be there.
    pub fn required<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.required
            .get_or_insert_default()
            .extend(names.into_iter().map(Into::into));
        self
    }

    /// Allows only these strings: the keyword `enum`.
    pub fn one_of<S: Into<String>>(mut self, values: impl IntoIterator<Item = S>) -> Self {
        self.values
            .get_or_insert_default()
            .extend(values.into_iter().map(Into::into));
        self
    }

    /// The schema, or everything that is wrong with it.
    pub fn build(self) -> Result<Schema, Violations> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        Schema::from_value(&Value::trusted(writer))
    }

    pub(in crate::model) fn write(&self, writer: &mut Writer) {
        writer.begin_object();
        writer.key("type").string(self.schema_type.as_str());
        if let Some(description) = &self.description {
            writer.key("description").string(description);
        }
        if let Some(properties) = &self.properties {
            writer.key("properties").begin_object();
            for (name, json) in properties {
                writer.key(name).raw(json);
            }
            writer.end_object();
        }
        if let Some(items) = &self.items {
            writer.key("items").raw(items);
        }
        for (key, strings) in [("required", &self.required), ("enum", &self.values)] {
            let Some(strings) = strings else { continue };
            writer
                .key(key)
                .strings(strings.iter().map(|string| &**string));
        }
        writer.end_object();
    }

    fn to_json(&self) -> String {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.finish()
    }
}

impl From<Schema> for SchemaBuilder {
    fn from(schema: Schema) -> Self {
        schema.root().into()
    }
}

impl From<SchemaRef<'_>> for SchemaBuilder {
    fn from(part: SchemaRef<'_>) -> Self {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let children = part
            .properties()
            .map(|(name, child)| (name.to_owned(), child.to_json()));
        Self {
            schema_type: part.schema_type(),
            description: part.description().map(str::to_owned),
            properties: part.inner().properties.as_ref().map(|_| children.collect()),
            items: part.items().map(SchemaRef::to_json),
            required: part
                .inner()
                .required
                .as_ref()
                .map(|_| owned(part.required().collect())),
            values: part.values().map(|values| owned(values.collect())),
        }
    }
}
