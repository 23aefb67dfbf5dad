//! From a schema to JSON, without recursion.

use crate::json::{Writer, utf16_order};
use crate::model::Form;

use super::SchemaRef;

impl SchemaRef<'_> {
    /// This part as compact JSON.
    #[must_use]
    pub fn to_json(self) -> String {
        let mut writer = Writer::default();
        write(self, &mut writer, Form::Faithful);
        writer.finish()
    }
}

/// What is still to be written, the next on top.
enum PendingWrite<'a> {
    Schema(SchemaRef<'a>),
    Key(&'a str),
    Begin,
    End,
}

pub(super) fn write(root: SchemaRef<'_>, writer: &mut Writer, form: Form) {
    let mut steps = vec![PendingWrite::Schema(root)];
    while let Some(step) = steps.pop() {
        match step {
            PendingWrite::Schema(part) => {
                let waiting = steps.len();
                scalars(part, writer, form);
                children(part, &mut steps);
                steps[waiting..].reverse();
            }
            PendingWrite::Key(key) => {
                writer.key(key);
            }
            PendingWrite::Begin => {
                writer.begin_object();
            }
            PendingWrite::End => {
                writer.end_object();
            }
        }
    }
}

/// Opens the object and writes the fields that do not nest.
fn scalars(part: SchemaRef<'_>, writer: &mut Writer, form: Form) {
    writer.begin_object();
    writer.key("type").string(part.schema_type().as_str());
    if let Some(description) = part.description() {
        writer.key("description").string(description);
    }
    if let Some(values) = part.values() {
        writer.key("enum").strings(values);
    }
    let mut required: Vec<&str> = part.required().collect();
    let written = match form {
        Form::Faithful => part.inner().required.is_some(),
        Form::Canonical => !required.is_empty(),
    };
    if written {
        if form == Form::Canonical {
            required.sort_by(|a, b| utf16_order(a, b));
        }
        writer.key("required").strings(required);
    }
}

fn children<'a>(part: SchemaRef<'a>, steps: &mut Vec<PendingWrite<'a>>) {
    if let Some(items) = part.items() {
        steps.extend([PendingWrite::Key("items"), PendingWrite::Schema(items)]);
    }
    if part.inner().properties.is_some() {
        steps.push(PendingWrite::Key("properties"));
        steps.push(PendingWrite::Begin);
        for (name, property) in part.properties() {
            steps.extend([PendingWrite::Key(name), PendingWrite::Schema(property)]);
        }
        steps.push(PendingWrite::End);
    }
    steps.push(PendingWrite::End);
}
