//! Which schemas are about a place of a value, found without anything of the library.

use serde_json::Value as Json;

/// The schemas that may be about a place of a value: references are followed, and whatever the value is, all
/// alternatives and conditions are among them.
pub(super) struct Place<'s> {
    root: &'s Json,
    schemas: Vec<&'s Json>,
}

impl<'s> Place<'s> {
    /// The whole value.
    pub(super) fn root(schema: &'s Json) -> Self {
        Self::new(schema, vec![schema])
    }

    pub(super) fn schemas(&self) -> &[&'s Json] {
        &self.schemas
    }

    /// What each of the schemas says under a keyword.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'s Json> {
        let schemas = self.schemas.iter();
        schemas.filter_map(move |schema| schema.get(keyword))
    }

    /// The member of this name, whatever patterns match it.
    pub(super) fn member(&self, name: &str) -> Self {
        let mut schemas = Vec::new();
        for schema in &self.schemas {
            let named = schema.get("properties").and_then(|all| all.get(name));
            let patterns = schema.get("patternProperties").and_then(Json::as_object);
            schemas.extend(named.or(schema.get("additionalProperties")));
            schemas.extend(schema.get("unevaluatedProperties"));
            schemas.extend(patterns.into_iter().flat_map(|all| all.values()));
        }
        Self::new(self.root, schemas)
    }

    /// The element at this index.
    pub(super) fn element(&self, index: usize) -> Self {
        let own = |schema: &&'s Json| {
            let first = schema.get("prefixItems").and_then(|all| all.get(index));
            let rest = schema.get("items");
            [
                first.or(rest),
                schema.get("contains"),
                schema.get("unevaluatedItems"),
            ]
        };
        let schemas = self.schemas.iter().flat_map(own).flatten();
        Self::new(self.root, schemas.collect())
    }

    fn new(root: &'s Json, mut open: Vec<&'s Json>) -> Self {
        let mut schemas: Vec<&Json> = Vec::new();
        while let Some(schema) = open.pop() {
            if schemas.iter().any(|one| std::ptr::eq(*one, schema)) {
                continue;
            }
            schemas.push(schema);
            open.extend(in_place(root, schema));
        }
        Self { root, schemas }
    }
}

/// The schemas that a schema applies to the same value.
fn in_place<'s>(root: &'s Json, schema: &'s Json) -> Vec<&'s Json> {
    let mut found = Vec::new();
    if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
        found.extend(root.pointer(reference.trim_start_matches('#')));
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let list = schema.get(keyword).and_then(Json::as_array);
        found.extend(list.into_iter().flatten());
    }
    found.extend(schema.get("not"));
    if schema.get("if").is_some() {
        let branches = ["if", "then", "else"];
        found.extend(branches.iter().filter_map(|one| schema.get(one)));
    }
    let dependent = schema.get("dependentSchemas").and_then(Json::as_object);
    found.extend(dependent.into_iter().flat_map(|all| all.values()));
    found
}
