use super::{RepairKind, repair};
use crate::contract::{Contract, Parameters};
use crate::json::{Limits, Value};

fn parameters(schema: &str) -> Parameters {
    let contract = format!(r#"{{"name": "f", "description": "d", "parameters": {schema}}}"#);
    Contract::from_json(contract).unwrap().parameters().clone()
}

/// What becomes of a value for the key `v` that is to satisfy a schema, and the codes of what was
/// done.
fn of(schema: &str, value: &str) -> (String, Vec<&'static str>) {
    let schema = format!(
        r#"{{"type": "object", "properties": {{"v": {schema}}},
            "$defs": {{"whole": {{"type": "integer"}}, "words": {{"type": "array", "items": {{"type": "string"}}}}}}}}"#
    );
    let args = Value::from_json(format!(r#"{{"v":{value}}}"#)).unwrap();
    let repaired = repair(&parameters(&schema), &args);
    let codes = repaired.repairs.iter().map(|repair| repair.kind.code());
    let became = repaired
        .value
        .root()
        .get("v")
        .map(|node| node.text().to_owned());
    (became.unwrap_or_default(), codes.collect())
}

fn becomes(cases: &[(&str, &str, &str, &str)]) {
    for (schema, value, expected, code) in cases {
        let expected = ((*expected).to_owned(), vec![*code]);
        assert_eq!(of(schema, value), expected, "{value} for {schema}");
    }
}

fn stays(cases: &[(&str, &str)]) {
    for (schema, value) in cases {
        let expected = ((*value).to_owned(), Vec::new());
        assert_eq!(of(schema, value), expected, "{value} for {schema}");
    }
}

const WHOLE: &str = r#"{"type": "integer"}"#;
const NUMBER: &str = r#"{"type": "number"}"#;
const FLAG: &str = r#"{"type": "boolean"}"#;
const LIST: &str = r#"{"type": "array", "items": {"type": "string"}}"#;
const OBJECT: &str =
    r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;

#[test]
fn numbers_and_booleans_in_strings() {
    becomes(&[
        (WHOLE, r#""5""#, "5", "number-from-string"),
        (WHOLE, r#""-5""#, "-5", "number-from-string"),
        (WHOLE, r#""5.0""#, "5.0", "number-from-string"),
        (WHOLE, r#""\u0035""#, "5", "number-from-string"),
        (NUMBER, r#""0.10""#, "0.10", "number-from-string"),
        (
            NUMBER,
            r#""9007199254740993""#,
            "9007199254740993",
            "number-from-string",
        ),
        (
            NUMBER,
            r#""1.0000000000000000000001""#,
            "1.0000000000000000000001",
            "number-from-string",
        ),
        (FLAG, r#""true""#, "true", "boolean-from-string"),
        (FLAG, r#""false""#, "false", "boolean-from-string"),
        (
            r#"{"type": ["integer", "boolean", "null"]}"#,
            r#""7""#,
            "7",
            "number-from-string",
        ),
        (
            r#"{"enum": [1, 2, "auto"]}"#,
            r#""2""#,
            "2",
            "number-from-string",
        ),
        (
            r#"{"const": false}"#,
            r#""false""#,
            "false",
            "boolean-from-string",
        ),
    ]);
}

#[test]
fn text_that_leaves_a_doubt_stays() {
    for text in [
        " 5", "5 ", "5e3", "5E0", "0x10", "NaN", "Infinity", "1,000", "1_000", "+5", "05", ".5",
        "5.", "-", "", "five", "null", "true", "5.5", "\\u0665", "5\\n", "1e400",
    ] {
        stays(&[(WHOLE, &format!(r#""{text}""#))]);
    }
    for text in [
        "yes", "no", "1", "0", "True", "TRUE", " true", "on", "null", "",
    ] {
        stays(&[(FLAG, &format!(r#""{text}""#))]);
    }
    stays(&[
        (r#"{"type": ["string", "integer"]}"#, r#""5""#),
        (
            r#"{"type": ["string", "integer"], "pattern": "^a"}"#,
            r#""5""#,
        ),
        ("{}", r#""5""#),
        ("true", r#""5""#),
        ("false", r#""5""#),
        (r#"{"type": "string", "minLength": 5}"#, r#""5""#),
        // Still wrong as a number.
        (r#"{"type": "integer", "minimum": 10}"#, r#""5""#),
        (r#"{"enum": [1, 2]}"#, r#""5""#),
        // The other way round is nobody's mistake to guess at.
        (r#"{"type": "string"}"#, "5"),
        (WHOLE, "true"),
        (FLAG, "1"),
        (WHOLE, "5.5"),
    ]);
    let digits = format!(r#""{}""#, "9".repeat(400));
    stays(&[(NUMBER, &digits)]);
}

#[test]
fn json_in_strings() {
    let inside = r#"{"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}"#;
    becomes(&[
        (OBJECT, r#""{\"n\": 5}""#, r#"{"n": 5}"#, "json-from-string"),
        (
            OBJECT,
            r#"" {\"n\": 5}\n""#,
            r#"{"n": 5}"#,
            "json-from-string",
        ),
        (
            LIST,
            r#""[\"a\", \"b\"]""#,
            r#"["a", "b"]"#,
            "json-from-string",
        ),
        (LIST, r#""[]""#, "[]", "json-from-string"),
        (
            r#"{"type": ["object", "null"]}"#,
            r#""{}""#,
            "{}",
            "json-from-string",
        ),
    ]);
    assert_eq!(
        of(OBJECT, r#""{\"n\": \"5\"}""#),
        (
            r#"{"n":5}"#.to_owned(),
            vec!["json-from-string", "number-from-string"]
        )
    );
    assert_eq!(
        of(inside, r#""[\"[true]\", [\"false\"]]""#),
        (
            "[[true],[false]]".to_owned(),
            vec![
                "json-from-string",
                "json-from-string",
                "boolean-from-string"
            ]
        )
    );
    stays(&[
        (OBJECT, r#""{\"n\": 5""#),
        (OBJECT, r#""{'n': 5}""#),
        (OBJECT, r#""{\"n\": 5,}""#),
        (OBJECT, r#""{\"n\": 5, \"n\": 6}""#),
        (OBJECT, r#""{\"n\": \"five\"}""#),
        (OBJECT, r#""{}""#),
        (OBJECT, r#""[]""#),
        (OBJECT, r#""5""#),
        (r#"{"type": ["object", "string"]}"#, r#""{}""#),
        // Numbers are no words, and a list in a string is not one word.
        (LIST, r#""[1, 2]""#),
        // An object, or a list of one string?
        (r#"{"type": ["object", "array"]}"#, r#""{}""#),
    ]);
}

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
    // What can be put right is, beside what cannot.
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
        // One drops a key, the other reads it.
        (
            r#"{"anyOf": [
                {"properties": {"a": {"type": "integer"}}, "additionalProperties": false},
                {"properties": {"bbb": {"type": "integer"}}, "additionalProperties": false}]}"#,
            r#"{"a": "5"}"#,
        ),
    ]);
}

#[test]
fn keys_that_go() {
    let schema = r#"{"type": "object", "properties": {
            "must": {"type": "integer"}, "may": {"type": "integer"}, "dry_run": {"type": "boolean"},
            "null": {"type": ["integer", "null"]}, "any": {}},
        "patternProperties": {"^x-": {"type": "string"}},
        "required": ["must"], "additionalProperties": false}"#;
    let cases = [
        (
            r#"{"must": 1, "may": null}"#,
            r#"{"must":1}"#,
            "null-dropped at /may",
        ),
        (
            r#"{"must": 1, "x-a": null}"#,
            r#"{"must":1}"#,
            "null-dropped at /x-a",
        ),
        (
            r#"{"must": 1, "extra": {"a": []}}"#,
            r#"{"must":1}"#,
            "unknown-key-dropped at /extra",
        ),
        (
            r#"{"must": 1, "extra": null}"#,
            r#"{"must":1}"#,
            "unknown-key-dropped at /extra",
        ),
        // There already, so it is not what was meant.
        (
            r#"{"must": 1, "dry_run": true, "dryRun": false}"#,
            r#"{"must":1,"dry_run":true}"#,
            "unknown-key-dropped at /dryRun",
        ),
    ];
    for (args, expected, done) in cases {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), expected);
        assert_eq!(repaired.repairs.len(), 1);
        assert!(repaired.repairs[0].to_string().starts_with(done), "{args}");
    }
    for args in [
        r#"{"must": null}"#,
        r#"{"must": 1, "null": null, "any": null, "x-a": "b"}"#,
        r#"{"must": 1, "dryRun": true}"#,
        r#"{"must": 1, "dry_rnu": true}"#,
        "null",
        "[]",
    ] {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), args);
        assert!(repaired.repairs.is_empty());
    }
}

#[test]
fn adm() {
    let schema = r#"{"type": "OBJECT", "properties": {
        "id": {"type": "INTEGER"}, "tags": {"type": "ARRAY", "items": {"type": "STRING"}},
        "open": {"type": "OBJECT"}, "in": {"type": "OBJECT", "properties": {"flag": {"type": "BOOLEAN"}}},
        "unit": {"type": "STRING", "enum": ["c", "f"]}}, "required": ["id"]}"#;
    let args = r#"{"id": "9223372036854775807", "tags": "a", "open": {"x": null}, "in": {"flag": "true", "y": 1},
        "unit": null, "other": 1}"#;
    let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
    assert_eq!(
        repaired.value.text(),
        r#"{"id":9223372036854775807,"tags":["a"],"open":{"x": null},"in":{"flag":true}}"#
    );
    let done = repaired
        .repairs
        .iter()
        .map(|r| format!("{} {}", r.kind, r.pointer));
    let done: Vec<String> = done.collect();
    insta::assert_snapshot!(done.join("\n"), @"
    number-from-string /id
    list-from-single /tags
    boolean-from-string /in/flag
    unknown-key-dropped /in/y
    null-dropped /unit
    unknown-key-dropped /other
    ");
    // 2^63 is no INTEGER, and a function without parameters takes none.
    for (schema, args, expected) in [
        (
            schema,
            r#"{"id": "9223372036854775808"}"#,
            r#"{"id": "9223372036854775808"}"#,
        ),
        (r#"{"type": "OBJECT"}"#, r#"{"a": 1}"#, "{}"),
        (schema, r#""{\"id\": \"5\"}""#, r#"{"id":5}"#),
        (r#"{"type": "OBJECT"}"#, r#""{}""#, "{}"),
    ] {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), expected);
    }
}

#[test]
fn every_kind_has_a_code() {
    let codes: std::collections::HashSet<_> = RepairKind::ALL.map(RepairKind::code).into();
    assert_eq!(codes.len(), RepairKind::ALL.len());
}

/// Ways that multiply, JSON in JSON in JSON, and depth: refused, and soon.
#[test]
fn what_takes_too_much_stays() {
    let alternative = r##"{"properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}, "n": {"type": "integer"}}}"##;
    let tree = format!(
        r##"{{"type": "object", "$defs": {{"t": {{"type": "object", "anyOf": [{alternative},{alternative},{alternative}]}}}}, "properties": {{"t": {{"$ref": "#/$defs/t"}}}}}}"##
    );
    let mut value = r#"{"n":"x"}"#.to_owned();
    for _ in 0..60 {
        value = format!(r#"{{"n":"5","l":{value}}}"#);
    }
    let args = Value::from_json(format!(r#"{{"t":{value}}}"#)).unwrap();
    assert_eq!(repair(&parameters(&tree), &args).value, args);

    let nested = r##"{"type": "object", "properties": {"v": {"type": "array", "items": {"$ref": "#/properties/v"}}}}"##;
    let mut text = "[]".to_owned();
    for _ in 0..12 {
        text = format!("[{}]", serde_json::to_string(&text).unwrap());
    }
    let args = format!(r#"{{"v":{text}}}"#);
    let repaired = repair(&parameters(nested), &Value::from_json(args).unwrap());
    assert_eq!(
        repaired.value.text(),
        format!(r#"{{"v":{}{}}}"#, "[".repeat(13), "]".repeat(13))
    );
    assert_eq!(repaired.repairs.len(), 12);

    let deep = format!(r#"{{"v":{}"5"{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let limits = Limits::default().depth(6_000);
    let args = Value::from_json_within(deep, &limits).unwrap();
    assert_eq!(repair(&parameters(nested), &args).value.text(), args.text());
}
