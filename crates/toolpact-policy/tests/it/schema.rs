//! The schema that policies are checked against.

use crate::support::Desk;

#[test]
fn what_tools_look_like() {
    let (schema, losses) = Desk::new("").catalogue().schema(&["search_*".to_owned()]);
    insta::assert_snapshot!("schema", schema);
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("losses", losses.join("\n"));
}

/// Types that Cedar lacks.
#[test]
fn what_is_lost() {
    use std::sync::Arc;
    use toolpact::core::contract::Contract;
    let contract = r##"{"name": "odd", "description": "Takes odd things.", "returns": "opaque", "parameters": {
      "type": "object", "$defs": {"node": {"type": "object", "properties": {
        "name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}},
      "properties": {
        "either": {"type": ["string", "integer"]},
        "one_of": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {}}]},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "names": {"anyOf": [{"const": "a"}, {"const": "b"}]},
        "level": {"enum": [1, 2, 3]},
        "mixed": {"enum": [1, "two"]},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "both": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}]},
        "list": {"type": "array"},
        "holes": {"type": "array", "items": {"type": ["string", "null"]}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"a b": {"type": "boolean"}}}},
        "tree": {"$ref": "#/$defs/node"},
        "all": {"allOf": [{"type": "string"}, {"minLength": 1}]},
        "nothing": {"type": "null"},
        "price": {"type": "number"},
        "any": true
      }}}"##;
    let mut catalogue = toolpact_policy::Catalogue::default();
    catalogue.add(
        Some("odds"),
        Arc::new(Contract::from_json(contract).unwrap()),
    );
    let (schema, losses) = catalogue.schema(&[]);
    insta::assert_snapshot!("odd_schema", schema);
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("odd_losses", losses.join("\n"));
    // It is a schema.
    crate::support::read("").check(&catalogue).unwrap();
}
