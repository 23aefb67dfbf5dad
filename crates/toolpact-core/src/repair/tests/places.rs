use super::{LIST, becomes, parameters, stays};
use crate::json::Value;
use crate::repair::repair;

#[test]
fn single_values_for_lists() {
    becomes(&[
        (LIST, r#""a""#, r#"["a"]"#, "list-from-single"),
        (
            LIST,
            r#""[draft] a""#,
            r#"["[draft] a"]"#,
            "list-from-single",
        ),
        (
            r#"{"type": "array", "items": {"type": "integer"}}"#,
            "5",
            "[5]",
            "list-from-single",
        ),
        (
            r#"{"type": "array"}"#,
            r#"{"a": 1}"#,
            r#"[{"a": 1}]"#,
            "list-from-single",
        ),
        (
            r#"{"type": ["array", "null"], "items": {"enum": ["x"]}}"#,
            r#""x""#,
            r#"["x"]"#,
            "list-from-single",
        ),
        (
            r#"{"type": "array", "prefixItems": [{"type": "integer"}]}"#,
            "5",
            "[5]",
            "list-from-single",
        ),
    ]);
    stays(&[
        (LIST, "5"),
        (
            r#"{"type": "array", "items": {"type": "integer"}}"#,
            r#""5""#,
        ),
        (
            r#"{"type": "array", "items": {"type": "string"}, "minItems": 2}"#,
            r#""a""#,
        ),
        (r#"{"type": ["array", "string"]}"#, r#""a""#),
        // 5, or a list with the text?
        (
            r#"{"type": ["array", "integer"], "items": {"type": "string"}}"#,
            r#""5""#,
        ),
        (
            r#"{"type": "array", "items": {"type": "array", "items": {"type": "string"}}}"#,
            r#""a""#,
        ),
    ]);
}

#[test]
fn elements_and_members_are_put_right_where_they_are() {
    let list =
        r#"{"type": "array", "prefixItems": [{"type": "boolean"}], "items": {"type": "integer"}}"#;
    becomes(&[
        (
            list,
            r#"[true, 1, "2"]"#,
            "[true,1,2]",
            "number-from-string",
        ),
        (list, r#"["true", 1]"#, "[true,1]", "boolean-from-string"),
        (
            r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
            r#"{"a": "1"}"#,
            r#"{"a":1}"#,
            "number-from-string",
        ),
        (
            r#"{"type": "object", "patternProperties": {"^n": {"type": "integer"}}}"#,
            r#"{"n1": "1", "x": "2"}"#,
            r#"{"n1":1,"x":"2"}"#,
            "number-from-string",
        ),
    ]);
    // What can be fixed is fixed, beside what cannot be.
    let args = r#"{"a": "1", "b": "one", "c": {"d": "2"}}"#;
    let schema = r#"{"type": "OBJECT", "properties": {"a": {"type": "INTEGER"}, "b": {"type": "INTEGER"},
        "c": {"type": "OBJECT", "properties": {"d": {"type": "NUMBER"}}}}}"#;
    let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
    assert_eq!(repaired.value.text(), r#"{"a":1,"b":"one","c":{"d":2}}"#);
    let places = repaired.repairs.iter().map(|r| r.pointer.to_string());
    assert_eq!(places.collect::<Vec<_>>(), ["/a", "/c/d"]);
}

#[test]
fn references_and_all_of() {
    becomes(&[
        (
            r##"{"$ref": "#/$defs/whole"}"##,
            r#""5""#,
            "5",
            "number-from-string",
        ),
        (
            r##"{"$ref": "#/$defs/words"}"##,
            r#""a""#,
            r#"["a"]"#,
            "list-from-single",
        ),
        (
            r##"{"allOf": [{"$ref": "#/$defs/whole"}, {"minimum": 5}]}"##,
            r#""5""#,
            "5",
            "number-from-string",
        ),
        (
            r#"{"allOf": [{"type": ["integer", "string"]}, {"type": "integer"}]}"#,
            r#""5""#,
            "5",
            "number-from-string",
        ),
    ]);
    stays(&[
        (
            r##"{"allOf": [{"$ref": "#/$defs/whole"}, {"minimum": 6}]}"##,
            r#""5""#,
        ),
        (
            r#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#,
            r#""5""#,
        ),
    ]);
}

#[test]
fn alternatives() {
    let or_null = r#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#;
    let tagged = r#"{"anyOf": [
        {"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}, "n": {"type": "boolean"}}, "required": ["kind"]}]}"#;
    becomes(&[
        (or_null, r#""5""#, "5", "number-from-string"),
        (
            r##"{"oneOf": [{"$ref": "#/$defs/whole"}, {"$ref": "#/$defs/words"}]}"##,
            r#""a""#,
            r#"["a"]"#,
            "list-from-single",
        ),
        (
            r#"{"anyOf": [{"const": "auto"}, {"type": "integer"}]}"#,
            r#""5""#,
            "5",
            "number-from-string",
        ),
        (
            r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#,
            r#""5""#,
            "5",
            "number-from-string",
        ),
        (
            tagged,
            r#"{"kind": "a", "n": "5"}"#,
            r#"{"kind":"a","n":5}"#,
            "number-from-string",
        ),
        (
            tagged,
            r#"{"kind": "b", "n": "true"}"#,
            r#"{"kind":"b","n":true}"#,
            "boolean-from-string",
        ),
        // The alternatives are about something else.
        (
            r#"{"properties": {"a": {"type": "integer"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            r#"{"a": "5"}"#,
            r#"{"a":5}"#,
            "number-from-string",
        ),
    ]);
    stays(&[
        (or_null, "null"),
        (or_null, r#""null""#),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#,
            r#""5""#,
        ),
        // A number or a list of texts: two ways.
        (
            r##"{"anyOf": [{"$ref": "#/$defs/whole"}, {"$ref": "#/$defs/words"}]}"##,
            r#""5""#,
        ),
        // Both would accept it, and only one may.
        (
            r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
            r#""5""#,
        ),
        (tagged, r#"{"kind": "c", "n": "5"}"#),
        // One drops a key, the other converts it.
        (
            r#"{"anyOf": [
                {"properties": {"a": {"type": "integer"}}, "additionalProperties": false},
                {"properties": {"bbb": {"type": "integer"}}, "additionalProperties": false}]}"#,
            r#"{"a": "5"}"#,
        ),
    ]);
}
