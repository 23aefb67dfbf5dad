//! Where references lead.

use std::collections::HashMap;

use super::facts::within;
use super::{Atom, Compiler, Covered, gap};
use crate::json::{Kind, Node as Json};
use crate::schema::subschemas;

/// The resources and anchors inside of a schema.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Whether there is any `$ref`.
    pub(super) any: bool,
    /// Identifiers and anchors (`#name`) with their place.
    named: HashMap<Box<str>, u32>,
    /// A resource inside of the schema that is not one of the standard types.
    nested: Option<u32>,
}

impl References {
    pub(super) fn new(root: Json<'_>) -> Self {
        let mut references = Self::default();
        // Without the word there is nothing to look for.
        if !root.text().contains("$ref") {
            return references;
        }
        for schema in subschemas(root) {
            references.any |= schema.get("$ref").is_some();
            if let Some(id) = schema.get("$id").and_then(Json::as_str) {
                let standard = crate::schema::standard_reference(&id).is_some();
                if schema.id() != root.id() && !standard {
                    references.nested = Some(schema.id());
                }
                references.named.insert(id.into(), schema.id());
            }
            if let Some(anchor) = schema.get("$anchor").and_then(Json::as_str) {
                references
                    .named
                    .insert(format!("#{anchor}").into(), schema.id());
            }
        }
        references
    }
}

impl Compiler<'_, '_> {
    /// The subschema that a `$ref` of `from` leads to.
    pub(super) fn target(&self, from: Atom, reference: Json<'_>) -> Covered<Atom> {
        let at = within(from, reference);
        let references = &self.references[usize::from(from.source)];
        if let Some(node) = references.nested {
            let at = Atom { node, ..from };
            return Err(gap(at, "references beside an `$id` inside of the schema"));
        }
        let root = self.sources[usize::from(from.source)].schema;
        let text = reference.as_str().unwrap_or_default();
        let node = match references.named.get(&*text) {
            Some(node) => Some(*node),
            None => pointed(root, &text).map(Json::id),
        };
        let node = node.ok_or_else(|| gap(at, "an unusual reference"))?;
        Ok(Atom { node, ..from })
    }
}

/// What a JSON Pointer in a fragment leads to.
fn pointed<'a>(root: Json<'a>, reference: &str) -> Option<Json<'a>> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.contains('%') || !(pointer.is_empty() || pointer.starts_with('/')) {
        return None;
    }
    let found = pointer.split('/').skip(1).try_fold(root, |node, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        match node.kind() {
            Kind::Array => node.items().nth(token.parse().ok()?),
            _ => node.get(&token),
        }
    })?;
    matches!(found.kind(), Kind::Object | Kind::Bool).then_some(found)
}
