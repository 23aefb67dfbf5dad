//! A schema as JSON Schema 2020-12, for validators that know nothing of ADM.

use crate::json::{Value, Writer};

use super::{Schema, SchemaRef, SchemaType};

impl Schema {
    /// The JSON Schema that accepts the same values.
    ///
    /// What it cannot say: duplicate keys, and numbers beyond the precision of the validator.
    #[must_use]
    pub fn to_json_schema(&self) -> Value {
        export(self.root(), false)
    }

    /// The same for the arguments of a call, where an OBJECT without properties means that there
    /// are no arguments.
    #[must_use]
    pub fn to_arguments_json_schema(&self) -> Value {
        export(self.root(), true)
    }
}

enum PendingExport<'a> {
    Schema(SchemaRef<'a>, bool),
    Key(&'a str),
    Begin,
    End,
}

fn export(root: SchemaRef<'_>, closed: bool) -> Value {
    let mut writer = Writer::default();
    let mut steps = vec![PendingExport::Schema(root, closed)];
    while let Some(step) = steps.pop() {
        match step {
            PendingExport::Schema(part, closed) => {
                let waiting = steps.len();
                keywords(part, closed, &mut writer);
                children(part, &mut steps);
                steps[waiting..].reverse();
            }
            PendingExport::Key(key) => drop(writer.key(key)),
            PendingExport::Begin => drop(writer.begin_object()),
            PendingExport::End => drop(writer.end_object()),
        }
    }
    Value::trusted(writer)
}

fn keywords(part: SchemaRef<'_>, closed: bool, writer: &mut Writer) {
    let schema_type = part.schema_type();
    writer.begin_object();
    writer
        .key("type")
        .string(&schema_type.as_str().to_ascii_lowercase());
    if let Some(description) = part.description() {
        writer.key("description").string(description);
    }
    match schema_type {
        SchemaType::Integer => {
            writer.key("minimum").raw(&i64::MIN.to_string());
            writer.key("maximum").raw(&i64::MAX.to_string());
        }
        SchemaType::String => {
            if let Some(values) = part.values() {
                writer.key("enum").strings(values);
            }
        }
        SchemaType::Object => {
            if part.required().len() > 0 {
                writer.key("required").strings(part.required());
            }
            if closed || part.properties().len() > 0 {
                writer.key("additionalProperties").raw("false");
            }
        }
        SchemaType::Number | SchemaType::Boolean | SchemaType::Array => {}
    }
}

fn children<'a>(part: SchemaRef<'a>, steps: &mut Vec<PendingExport<'a>>) {
    if let (SchemaType::Array, Some(items)) = (part.schema_type(), part.items()) {
        steps.extend([
            PendingExport::Key("items"),
            PendingExport::Schema(items, false),
        ]);
    }
    if part.schema_type() == SchemaType::Object && part.properties().len() > 0 {
        steps.extend([PendingExport::Key("properties"), PendingExport::Begin]);
        for (name, property) in part.properties() {
            steps.extend([
                PendingExport::Key(name),
                PendingExport::Schema(property, false),
            ]);
        }
        steps.push(PendingExport::End);
    }
    steps.push(PendingExport::End);
}
