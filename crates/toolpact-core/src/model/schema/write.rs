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
enum Step<'a> {
    Schema(SchemaRef<'a>),
    Key(&'a str),
    Begin,
    End,
}

pub(super) fn write(root: SchemaRef<'_>, writer: &mut Writer, form: Form) {
    let mut steps = vec![Step::Schema(root)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Schema(part) => {
                let waiting = steps.len();
                scalars(part, writer, form);
                children(part, &mut steps);
                steps[waiting..].reverse();
            }
            Step::Key(key) => {
                writer.key(key);
            }
            Step::Begin => {
                writer.begin_object();
            }
            Step::End => {
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

fn children<'a>(part: SchemaRef<'a>, steps: &mut Vec<Step<'a>>) {
    if let Some(items) = part.items() {
        steps.extend([Step::Key("items"), Step::Schema(items)]);
    }
    if part.inner().properties.is_some() {
        steps.push(Step::Key("properties"));
        steps.push(Step::Begin);
        for (name, property) in part.properties() {
            steps.extend([Step::Key(name), Step::Schema(property)]);
        }
        steps.push(Step::End);
    }
    steps.push(Step::End);
}
