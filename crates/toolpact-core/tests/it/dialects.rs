//! `$schema`: what is read as 2020-12 must mean the same there.

use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::schema::JsonSchema;

/// The codes and pointers of everything that is said about a schema.
fn said(schema: &str) -> Vec<String> {
    let document = Document::json(schema.as_bytes(), &Limits::default());
    let checked = JsonSchema::check_document(&document);
    let said = checked.violations.iter();
    said.map(|v| format!("{} {}", v.code(), v.pointer()))
        .collect()
}

fn draft_07(rest: &str) -> String {
    format!(r#"{{"$schema": "http://json-schema.org/draft-07/schema#", {rest}}}"#)
}

#[test]
fn ours_is_read_without_a_word() {
    for uri in [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2020-12/schema#",
        "http://json-schema.org/draft/2020-12/schema",
    ] {
        assert!(said(&format!(r#"{{"$schema": "{uri}", "type": "string"}}"#)).is_empty());
    }
}

#[test]
fn older_ones_warn_where_nothing_changed() {
    for uri in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "https://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/schema#",
        "https://spec.openapis.org/oas/3.1/dialect/base",
    ] {
        let schema = format!(
            r##"{{"$schema": "{uri}", "$ref": "#/definitions/a", "title": "A",
                 "definitions": {{"a": {{"type": "string", "minLength": 1}}}}}}"##
        );
        assert_eq!(said(&schema), ["json-schema-dialect-old /$schema"], "{uri}");
    }
}

#[test]
fn unknown_ones_are_refused() {
    for uri in [
        "https://example.com/meta",
        "http://json-schema.org/draft-03/schema#",
        "https://json-schema.org/draft/next/schema",
        "meta.json",
        "",
    ] {
        let schema = format!(r#"{{"$schema": "{uri}"}}"#);
        assert_eq!(said(&schema), ["json-schema-dialect /$schema"], "{uri}");
    }
    let inside = r#"{"properties": {"a": {"$schema": "https://example.com/meta"}}}"#;
    assert_eq!(said(inside), ["json-schema-dialect /properties/a/$schema"]);
}

#[test]
fn keywords_that_changed_are_refused() {
    for (rest, place) in [
        (r#""items": [{}], "additionalItems": false"#, "/items"),
        (r#""dependencies": {"a": ["b"]}"#, "/dependencies"),
        (
            r##""$ref": "#/definitions/a", "minLength": 1, "definitions": {"a": {}}"##,
            "/minLength",
        ),
        (
            r##""definitions": {"a": {"$id": "#a"}}"##,
            "/definitions/a/$id",
        ),
    ] {
        let expected = [format!("json-schema-dialect-keyword {place}")];
        assert_eq!(said(&draft_07(rest)), expected, "{rest}");
    }
    let draft_04 = r#"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/a",
        "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}, "b": {"id": "b"}}}"#;
    assert_eq!(
        said(draft_04),
        [
            "json-schema-dialect-keyword /properties/a/exclusiveMinimum",
            "json-schema-dialect-keyword /properties/b/id"
        ]
    );
    let recursive = r##"{"$schema": "https://json-schema.org/draft/2019-09/schema",
        "$recursiveAnchor": true, "items": {"$recursiveRef": "#"}}"##;
    assert_eq!(
        said(recursive),
        [
            "json-schema-dialect-keyword /$recursiveAnchor",
            "json-schema-dialect-keyword /items/$recursiveRef"
        ]
    );
}

#[test]
fn names_of_members_are_no_keywords() {
    let rest = r#""properties": {"dependencies": {}, "id": {"type": "string"}, "items": {}}"#;
    assert_eq!(said(&draft_07(rest)), ["json-schema-dialect-old /$schema"]);
}

/// The validator would change its dialect where a reference leads to a `$schema`.
#[test]
fn it_is_read_as_2020_12_everywhere() {
    let schema = draft_07(
        r##""type": "object", "properties": {"a": {"$ref": "#"}}, "dependentRequired": {"b": ["c"]}"##,
    );
    let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
    assert!(schema.to_bundle().text().contains("2020-12"));
    assert!(schema.to_value().text().contains("draft-07"));
    let checker = schema.checker();
    for value in [
        r#"{"b": 1}"#,
        r#"{"a": {"b": 1}}"#,
        r#"{"a": {"a": {"b": 1}}}"#,
    ] {
        assert!(
            checker.check(&Value::from_json(value).unwrap()).is_err(),
            "{value}"
        );
    }
}
