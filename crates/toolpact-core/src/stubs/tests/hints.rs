use super::schema;
use crate::stubs::{python, typescript};

/// A schema, what it is in Python, and what in TypeScript.
const HINTS: &[(&str, &str, &str)] = &[
    (r#"{"type": "string"}"#, "str", "string"),
    (r#"{"type": "integer"}"#, "int", "number"),
    (r#"{"type": "number"}"#, "float", "number"),
    (r#"{"type": "boolean"}"#, "bool", "boolean"),
    (r#"{"type": "null"}"#, "None", "null"),
    ("true", "Any", "unknown"),
    ("{}", "Any", "unknown"),
    (r#"{"description": "Anything."}"#, "Any", "unknown"),
    ("false", "Never", "never"),
    (r#"{"not": {}, "type": "string"}"#, "str", "string"),
    // Arrays.
    (r#"{"type": "array"}"#, "list[Any]", "unknown[]"),
    (
        r#"{"type": "array", "items": {"type": "string"}}"#,
        "list[str]",
        "string[]",
    ),
    (
        r#"{"type": "array", "items": {"type": ["string", "null"]}}"#,
        "list[str | None]",
        "(string | null)[]",
    ),
    (
        r#"{"type": "array", "items": false}"#,
        "list[Never]",
        "never[]",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 1}"#,
        "list[str | int]",
        "[string, number?]",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2}"#,
        "list[float]",
        "[number, number]",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": ["string", "null"]}], "items": {"type": "boolean"}}"#,
        "list[str | bool | None]",
        "[(string | null)?, ...boolean[]]",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "string"}]}"#,
        "list[Any]",
        "[string?, ...unknown[]]",
    ),
    // Maps.
    (
        r#"{"type": "object"}"#,
        "dict[str, Any]",
        "Record<string, unknown>",
    ),
    (
        r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
        "dict[str, Any]",
        "Record<string, unknown>",
    ),
    (
        r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        "dict[str, int]",
        "Record<string, number>",
    ),
    (
        r#"{"type": "object", "patternProperties": {"^a": {"type": "string"}, "^b": {"type": "null"}}, "additionalProperties": false}"#,
        "dict[str, str | None]",
        "Record<string, string | null>",
    ),
    (
        r#"{"type": "object", "patternProperties": {"^a": {"type": "string"}}}"#,
        "dict[str, Any]",
        "Record<string, unknown>",
    ),
    // Values.
    (
        r#"{"enum": ["a", "b"]}"#,
        r#"Literal["a", "b"]"#,
        r#""a" | "b""#,
    ),
    (r#"{"const": "v2"}"#, r#"Literal["v2"]"#, r#""v2""#),
    (r#"{"const": null}"#, "None", "null"),
    (
        r#"{"enum": ["a", 1, true, null]}"#,
        r#"Literal["a", 1, True] | None"#,
        r#""a" | 1 | true | null"#,
    ),
    (r#"{"enum": [true, false]}"#, "bool", "boolean"),
    (r#"{"enum": [1.5, 2.0]}"#, "float | Literal[2]", "1.5 | 2"),
    (r#"{"enum": [1, 2], "type": "string"}"#, "Never", "never"),
    (
        r#"{"type": "string", "enum": ["a", 1]}"#,
        r#"Literal["a"]"#,
        r#""a""#,
    ),
    (
        r#"{"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#,
        r#"Literal["b"]"#,
        r#""b""#,
    ),
    (
        r#"{"const": 9223372036854775808}"#,
        "int",
        "9223372036854775808",
    ),
    (
        r#"{"enum": ["\"", "\\", "\n", "\u202e"]}"#,
        r#"Literal["\"", "\\", "\n", "\u202e"]"#,
        r#""\"" | "\\" | "\n" | "\u202e""#,
    ),
    (
        r#"{"const": [1, "a"]}"#,
        r#"list[Literal[1, "a"]]"#,
        r#"[1, "a"]"#,
    ),
    // Alternatives.
    (
        r#"{"type": ["null", "string", "integer"]}"#,
        "str | int | None",
        "string | number | null",
    ),
    (
        r#"{"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}, {"type": "null"}]}"#,
        "str | None",
        "string | null",
    ),
    (
        r#"{"anyOf": [{"enum": ["a"]}, {"type": "string"}]}"#,
        "str",
        "string",
    ),
    (r#"{"anyOf": [{"type": "string"}, {}]}"#, "Any", "unknown"),
    (
        r#"{"oneOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}]}"#,
        "str | int | bool",
        "string | number | boolean",
    ),
    (
        r#"{"type": "string", "anyOf": [{"format": "date"}, {"format": "time"}]}"#,
        "str",
        "string",
    ),
    (
        r#"{"type": "string", "anyOf": [{"type": "integer"}]}"#,
        "Never",
        "never",
    ),
    (
        r#"{"type": ["string", "integer"], "anyOf": [{"type": "string"}, {"type": "null"}]}"#,
        "str",
        "string",
    ),
    // References and `allOf`.
    (
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}"##,
        "str",
        "string",
    ),
    (
        r#"{"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}"#,
        "int",
        "number",
    ),
    (
        r##"{"type": "array", "items": {"$ref": "#"}}"##,
        "Thing",
        "Thing",
    ),
    // A keyword implies the type that it applies to.
    (r#"{"minLength": 1}"#, "str", "string"),
    (r#"{"items": {"type": "string"}}"#, "list[str]", "string[]"),
    // Objects have names.
    (r#"{"properties": {"a": {}}}"#, "Thing", "Thing"),
    (
        r#"{"type": "array", "items": {"properties": {"a": {}}}}"#,
        "list[ThingItem]",
        "ThingItem[]",
    ),
    (
        r#"{"additionalProperties": {"properties": {"a": {}}}}"#,
        "dict[str, ThingValue]",
        "Record<string, ThingValue>",
    ),
    (
        r#"{"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}, {"type": "null"}]}"#,
        "Thing | Thing2 | None",
        "Thing | Thing2 | null",
    ),
];

#[test]
fn every_kind_of_schema() {
    for (json, in_python, in_typescript) in HINTS {
        let schema = schema(json);
        assert_eq!(python::type_hint(&schema, "Thing"), *in_python, "{json}");
        assert_eq!(
            typescript::type_hint(&schema, "Thing"),
            *in_typescript,
            "{json}"
        );
    }
}
