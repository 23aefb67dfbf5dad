//! References. The standard return types have several spellings and one meaning; everything else
//! must be inside of the schema.

use std::collections::BTreeSet;

use crate::json::{Kind, Node, Value, Writer};
use crate::returns::StandardType;

use super::splice::splice;
use super::walk::subschemas;

/// The standard type that a reference means, in any of its spellings.
pub(crate) fn standard_reference(reference: &str) -> Option<StandardType> {
    let name = reference
        .strip_prefix(StandardType::BASE_URI)
        .or_else(|| reference.strip_prefix("#/$defs/StandardReturnTypes/properties/"))
        .or_else(|| reference.strip_prefix("#/$defs/StandardReturnTypes/"))
        .or_else(|| reference.strip_prefix("#/$defs/")?.strip_suffix("Schema"))
        .unwrap_or(reference);
    StandardType::from_name(name)
}

/// Whether a reference stays inside of its schema.
pub(super) fn is_local(reference: &str) -> bool {
    reference.starts_with('#')
}

/// The schema with its standard references in one spelling, and the types they mean inside of it.
pub(super) fn bundle(root: Node<'_>) -> Value {
    let references: Vec<(Node<'_>, StandardType)> = subschemas(root)
        .into_iter()
        .filter_map(|schema| {
            let reference = schema.get("$ref")?;
            Some((reference, standard_reference(&reference.as_str()?)?))
        })
        .collect();
    if references.is_empty() {
        return root.to_value();
    }
    let uris = references
        .iter()
        .map(|(node, standard)| (node.span(), format!("\"{}\"", standard.uri())))
        .collect();
    let respelled = splice(root, uris);
    let types: BTreeSet<StandardType> = references.into_iter().map(|(_, t)| t).collect();
    with_definitions(&respelled, &types)
}

fn with_definitions(schema: &Value, types: &BTreeSet<StandardType>) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let mut definitions = None;
    for (key, value) in schema.root().members() {
        match (&*key, value.kind()) {
            ("$defs", Kind::Object) => definitions = Some(value),
            _ => {
                writer.key(&key).raw(value.text());
            }
        }
    }
    writer.key("$defs").begin_object();
    for (key, value) in definitions.into_iter().flat_map(Node::members) {
        writer.key(&key).raw(value.text());
    }
    for standard in types {
        // A name that nobody would give a definition of their own.
        writer.key(&standard.uri()).raw(standard.schema_text());
    }
    writer.end_object().end_object();
    Value::trusted(writer)
}
