//! Schemas in words.

use toolpact_docs::{Need, Row};

use super::{contract, page};

/// `path: type; limits (need)`.
fn shown(row: &Row) -> String {
    let mut text = format!("{}: {}", row.path, row.kind);
    for limit in &row.limits {
        text.push_str(&format!("; {limit}"));
    }
    if let Some(same) = &row.same_as {
        text.push_str(&format!("; same as {same:?}"));
    }
    match &row.need {
        Need::Required => text.push_str(" (required)"),
        Need::Optional => {}
        Need::Default(value) => text.push_str(&format!(" (default {value})")),
        Need::No => text.push_str(" (-)"),
    }
    text
}

fn rows(parameters: &str) -> Vec<String> {
    let page = page(&contract(parameters));
    page.parameters.rows.iter().map(shown).collect()
}

#[test]
fn types_and_limits() {
    for (property, expected) in [
        ("{}", "any value"),
        ("true", "any value"),
        ("false", "nothing: no value is allowed"),
        (r#"{"type": "string"}"#, "string"),
        (r#"{"type": ["null", "string"]}"#, "string or null"),
        (r#"{"type": ["integer", "number"]}"#, "number"),
        (r#"{"enum": ["a", 1, null]}"#, r#"one of "a", 1, null"#),
        (r#"{"type": "string", "enum": ["a"]}"#, r#"always "a""#),
        (r#"{"const": {"a": 1}}"#, r#"always {"a": 1}"#),
        (r#"{"type": "array"}"#, "array"),
        (
            r#"{"type": "array", "items": {"type": "string"}}"#,
            "array of string",
        ),
        (
            r#"{"type": "array", "items": {"type": ["string", "null"]}}"#,
            "array of (string or null)",
        ),
        (
            r#"{"type": "array", "items": {"enum": ["a", "b"]}}"#,
            r#"array, each one of "a", "b""#,
        ),
        (
            r#"{"additionalProperties": {"type": "integer"}}"#,
            "map of integer",
        ),
        (
            r#"{"anyOf": [{"type": "null"}, {"type": "string", "format": "uri"}]}"#,
            "string or null; format uri",
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]}"#,
            "string or integer; integer: at least 0",
        ),
        (
            r#"{"allOf": [{"type": "integer"}, {"minimum": 1}]}"#,
            "integer; at least 1",
        ),
        (r#"{"minLength": 1}"#, "string; at least 1 character"),
        (
            r#"{"type": "string", "minLength": 0, "maxLength": 64}"#,
            "string; at most 64 characters",
        ),
        (
            r#"{"type": "string", "minLength": 3, "maxLength": 3}"#,
            "string; exactly 3 characters",
        ),
        (
            r#"{"type": "string", "pattern": "^a|b$"}"#,
            "string; matches ^a|b$",
        ),
        (
            r#"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.50}"#,
            "number; more than 0; less than 1.50",
        ),
        (
            r#"{"type": "number", "multipleOf": 0.01}"#,
            "number; a multiple of 0.01",
        ),
        (
            r#"{"type": "array", "minItems": 1, "maxItems": 9, "uniqueItems": true}"#,
            "array; 1 to 9 items; no item twice",
        ),
        (
            r#"{"type": "object", "minProperties": 1}"#,
            "object; at least 1 key",
        ),
        (
            r#"{"type": "string", "deprecated": true}"#,
            "string; deprecated",
        ),
        (
            r#"{"type": "string", "not": {"const": "x"}}"#,
            "string; further conditions, by not",
        ),
    ] {
        let parameters = format!(r#"{{"type": "object", "properties": {{"p": {property}}}}}"#);
        assert_eq!(rows(&parameters)[0], format!("p: {expected}"), "{property}");
    }
}

#[test]
fn fields_of_fields() {
    let rows = rows(
        r#"{"type": "object", "required": ["address", "other"], "properties": {
            "address": {"type": "object", "required": ["city"], "properties": {
                "city": {"type": "string"}, "zip code": {"type": "string", "default": "0000"}}},
            "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
            "prices": {"type": "object", "additionalProperties": {"type": "object", "properties": {"net": {"type": "number"}}}},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "ext": {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}
        }}"#,
    );
    insta::assert_snapshot!(rows.join("\n"), @r#"
    address: object (required)
    address.city: string (required)
    address["zip code"]: string (default "0000")
    items: array of object
    items[].sku: string
    prices: map of object
    prices.*.net: number
    tags: array of string
    tags[]: string; at most 5 characters (-)
    pair: array
    pair[0]: string (-)
    pair[1]: integer (-)
    ext: object
    ext[/^x-/]: string (-)
    other: any value (required)
    "#);
}

#[test]
fn references_are_followed_once() {
    let rows = rows(
        r##"{"type": "object", "properties": {
            "tree": {"$ref": "#/$defs/node"}, "again": {"$ref": "#/$defs/node"}, "self": {"$ref": "#"}},
            "$defs": {"node": {"type": "object", "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}}"##,
    );
    insta::assert_snapshot!(rows.join("\n"), @r#"
    tree: object
    tree.children: array of object
    tree.children[]: object; same as "tree" (-)
    again: object; same as "tree"
    self: object; same as ""
    "#);
}

#[test]
fn alternatives_have_their_own_fields() {
    let rows = rows(
        r#"{"type": "object", "properties": {"pay": {"type": "object", "properties": {"id": {"type": "string"}}, "oneOf": [
            {"title": "Card", "properties": {"kind": {"const": "card"}}, "required": ["kind", "id"]},
            {"properties": {"kind": {"const": "cash"}}}]},
            "one": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}}]}}}"#,
    );
    insta::assert_snapshot!(rows.join("\n"), @r#"
    pay: object
    pay.id: string
    pay: option 1 of 2: Card (-)
    pay.kind: always "card" (required)
    pay.id: as above (required)
    pay: option 2 of 2 (-)
    pay.kind: always "cash"
    one: string or object
    one.a: string
    "#);
}

#[test]
fn what_holds_for_the_whole() {
    let page = page(&contract(
        r#"{"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": false,
            "anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}], "dependentRequired": {"a": ["b", "c"]}}"#,
    ));
    let limits: Vec<String> = page
        .parameters
        .limits
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(limits, ["a needs b and c", "needs a, or b and c"]);
    assert!(page.parameters.is_closed);
    assert_eq!(page.parameters.rows.len(), 3);
}

/// Integers of ADM have 64 bits, which is no limit that anyone needs to read.
#[test]
fn the_words_of_adm() {
    let rows = rows(
        r#"{"type": "OBJECT", "properties": {"n": {"type": "INTEGER"},
            "l": {"type": "ARRAY", "items": {"type": "OBJECT", "properties": {"s": {"type": "STRING"}}}}}}"#,
    );
    insta::assert_snapshot!(rows.join("\n"), @r#"
    n: integer
    l: array of object
    l[].s: string
    "#);
}

/// Neither depth, nor number, nor the many ways through a schema make a table that never ends.
#[test]
fn large_schemas_are_cut() {
    let mut deep = r#"{"type": "string"}"#.to_owned();
    for _ in 0..40 {
        deep = format!(r#"{{"type": "object", "properties": {{"a": {deep}}}}}"#);
    }
    let page_of_deep = page(&contract(&deep));
    assert!(page_of_deep.parameters.cut);

    let wide: Vec<String> = (0..20_000).map(|i| format!(r#""k{i}": {{}}"#)).collect();
    let names: Vec<String> = (0..20_000).map(|i| format!(r#""n{i}""#)).collect();
    let wide = format!(
        r#"{{"type": "object", "properties": {{{}}}, "required": [{}]}}"#,
        wide.join(", "),
        names.join(", ")
    );
    let page_of_wide = page(&contract(&wide));
    assert!(page_of_wide.parameters.cut);
    assert_eq!(page_of_wide.parameters.rows.len(), 1_000);

    // Each of these can be reached by many ways.
    let definitions: Vec<String> = (0..60)
        .map(|i| {
            let next = |step: usize| format!(r##"{{"$ref": "#/$defs/d{}"}}"##, (i + step) % 60);
            let inside: Vec<String> = (1..12)
                .map(|step| format!(r#""p{step}": {{"oneOf": [{}, {}]}}"#, next(step), next(step * 2)))
                .collect();
            format!(r#""d{i}": {{"type": "object", "properties": {{{}}}, "required": ["p1", "p2", "p3"]}}"#, inside.join(", "))
        })
        .collect();
    let knot = format!(
        r##"{{"type": "object", "properties": {{"x": {{"$ref": "#/$defs/d0"}}}}, "required": ["x"], "$defs": {{{}}}}}"##,
        definitions.join(", ")
    );
    let before = std::time::Instant::now();
    let page_of_knot = page(&contract(&knot));
    assert!(page_of_knot.parameters.rows.len() <= 1_000);
    assert!(before.elapsed().as_secs() < 20, "{:?}", before.elapsed());
}
