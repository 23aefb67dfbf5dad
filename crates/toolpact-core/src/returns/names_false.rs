//! Schemas that name `false` as a value of `success`.

use std::collections::HashSet;

use crate::json::Node;
use crate::schema::view::{Sources, View};
use crate::schema::{JsonSchema, Keyword};

/// Whether `const` or `enum` of `success` has `false`, in the schema or in one of its alternatives. A
/// schema that only says that `success` is a boolean describes the usual envelope.
pub(super) fn names_false(schema: &JsonSchema) -> bool {
    let bundle = schema.to_bundle();
    let sources = Sources::new([&bundle]);
    let is_false = |value: &Node<'_>| value.as_bool() == Some(false);
    alternatives(&sources, sources.root()).iter().any(|view| {
        let success = view.named(Keyword::Properties).swap_remove("success");
        let success = sources.view(success.unwrap_or_default());
        alternatives(&sources, success).iter().any(|view| {
            view.values()
                .is_some_and(|values| values.iter().any(is_false))
        })
    })
}

/// The view and its alternatives at any depth, each once.
fn alternatives<'v>(sources: &Sources<'v>, view: View<'v>) -> Vec<View<'v>> {
    let (mut seen, mut found, mut todo) = (HashSet::new(), Vec::new(), vec![view]);
    while let Some(view) = todo.pop() {
        for list in view.choices() {
            let new = list
                .items()
                .into_iter()
                .filter(|part| seen.insert(part.id()));
            todo.extend(new.map(|part| sources.view([part])));
        }
        found.push(view);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::names_false;
    use crate::json::Value;
    use crate::schema::JsonSchema;

    #[test]
    fn only_a_value_that_is_named_counts() {
        let yes = [
            r#"{"properties": {"success": {"const": false}}}"#,
            r#"{"properties": {"success": {"enum": [true, false]}}}"#,
            r##"{"oneOf": [{"properties": {"success": {"const": true}}}, {"$ref": "#/$defs/no"}],
                "$defs": {"no": {"properties": {"success": {"const": false}}}}}"##,
            r#"{"allOf": [{"properties": {"success": {"anyOf": [{"const": false}, {"const": true}]}}}]}"#,
        ];
        let no = [
            "true",
            r#"{"properties": {"success": {"type": "boolean"}}}"#,
            r#"{"properties": {"success": {"const": true}}}"#,
            r#"{"properties": {"other": {"const": false}}}"#,
        ];
        let schema = |text| JsonSchema::from_value(&Value::from_json(text).unwrap()).unwrap();
        for text in yes {
            assert!(names_false(&schema(text)), "{text}");
        }
        for text in no {
            assert!(!names_false(&schema(text)), "{text}");
        }
    }
}
