use toolpact_core::json::Value;
use toolpact_core::schema::JsonSchema;

use super::{Bundle, Verdict, look};
use crate::scan::{Piece, scan};

/// What schemas that all apply say about a reference such as `s.a[0]`, in short.
fn verdict_within(schemas: &[&str], reference: &str, mut budget: usize) -> String {
    let bundle = |schema: &&str| {
        let schema = Value::from_json(schema).unwrap();
        JsonSchema::from_value(&schema).unwrap().to_bundle()
    };
    let bundles: Vec<Value> = schemas.iter().map(bundle).collect();
    let pieces = scan(&format!("{{{{{reference}}}}}")).unwrap();
    let [Piece::Reference(reference)] = &*pieces else {
        panic!("{pieces:?}");
    };
    let bundles: Vec<Bundle<'_>> = bundles.iter().map(Bundle::new).collect();
    match look(&bundles, &reference.path, &mut budget) {
        Verdict::Fine => "fine".to_owned(),
        Verdict::Silent(from) => format!("silent from {from}"),
        Verdict::Unpromised(end) => format!("unpromised at {}: {}", end.at, end.names.join(" ")),
        Verdict::Forbidden(end) => {
            let found = [end.kinds.join(" or "), end.names.join(" ")].join(" ");
            format!("forbidden at {}: {}", end.at, found.trim())
        }
    }
}

fn verdict(schema: &str, reference: &str) -> String {
    verdict_within(&[schema], reference, 1_000)
}

#[test]
fn objects() {
    let open = r#"{"properties": {"a": {"type": "string"}, "b": {}}}"#;
    assert_eq!(verdict(open, "s"), "fine");
    assert_eq!(verdict(open, "s.a"), "fine");
    assert_eq!(verdict(open, "s.b.c.d"), "silent from 1");
    assert_eq!(verdict(open, "s.c"), "unpromised at 0: a b");
    assert_eq!(verdict(open, "s.a.b"), "forbidden at 1: a string");
    assert_eq!(verdict(open, "s[0]"), "silent from 0");
    assert_eq!(verdict(open, "s.0"), "silent from 0");
    assert_eq!(verdict(r#"{"type": "object"}"#, "s.a"), "silent from 0");

    let closed = r#"{"type": "object", "properties": {"a": {}, "0": {}, "no": false}, "additionalProperties": false}"#;
    assert_eq!(verdict(closed, "s.b"), "forbidden at 0: an object a 0 no");
    assert_eq!(verdict(closed, "s.0"), "fine");
    assert_eq!(verdict(closed, "s[0]"), "forbidden at 0: an object a 0 no");
    assert_eq!(verdict(closed, "s.no"), "forbidden at 0: ");

    let map = r#"{"properties": {"a": true}, "additionalProperties": {"type": "integer"}}"#;
    assert_eq!(verdict(map, "s.any"), "fine");
    assert_eq!(verdict(map, "s.any.x"), "forbidden at 1: an integer");
    let explicit = r#"{"properties": {"a": true}, "additionalProperties": true}"#;
    assert_eq!(verdict(explicit, "s.b"), "unpromised at 0: a");
    let patterns = r#"{"properties": {"a": {}}, "patternProperties": {"^x": {}}, "additionalProperties": false}"#;
    assert_eq!(verdict(patterns, "s.b"), "fine");
}

#[test]
fn arrays() {
    let list =
        r#"{"type": "array", "items": {"type": "object", "properties": {"a": {}}}, "maxItems": 3}"#;
    assert_eq!(verdict(list, "s[2].a"), "fine");
    assert_eq!(verdict(list, "s.2.a"), "fine");
    assert_eq!(
        verdict(list, "s[3]"),
        "forbidden at 0: an array of at most 3 elements"
    );
    assert_eq!(verdict(list, "s.a"), "forbidden at 0: an array");
    assert_eq!(verdict(list, "s[0].b"), "unpromised at 1: a");
    let pair = r#"{"prefixItems": [{"type": "null"}, {"const": [1]}], "items": false}"#;
    assert_eq!(verdict(pair, "s[0].a"), "forbidden at 1: null");
    assert_eq!(verdict(pair, "s[1].a"), "forbidden at 1: an array");
    assert_eq!(
        verdict(pair, "s[2]"),
        "forbidden at 0: an array of at most 2 elements"
    );
    assert_eq!(verdict(r#"{"type": "array"}"#, "s[9].a"), "silent from 0");
}

#[test]
fn scalars() {
    assert_eq!(
        verdict(r#"{"type": ["integer", "null"]}"#, "s.a"),
        "forbidden at 0: an integer or null"
    );
    assert_eq!(
        verdict(r#"{"enum": ["a", 1, "b"]}"#, "s[0]"),
        "forbidden at 0: a number or a string"
    );
    assert_eq!(verdict(r#"{"enum": ["a", {}]}"#, "s.a"), "silent from 0");
    assert_eq!(verdict("true", "s.a"), "silent from 0");
}

#[test]
fn all_of_them() {
    let two =
        r#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {"type": "string"}}}]}"#;
    assert_eq!(verdict(two, "s.a"), "fine");
    assert_eq!(verdict(two, "s.c"), "unpromised at 0: a b");
    // The first says nothing about what is in `a`, but it names `a`.
    assert_eq!(verdict(two, "s.a.x"), "silent from 1");
    assert_eq!(verdict(two, "s.b.x"), "forbidden at 1: a string");
    let closed = r#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}, "additionalProperties": false}]}"#;
    assert_eq!(verdict(closed, "s.a"), "forbidden at 0: an object b");

    let schemas = [
        r#"{"properties": {"d": {"items": {"type": "object"}}}}"#,
        r#"{"properties": {"d": {"items": {"properties": {"a": {}}}}}}"#,
    ];
    assert_eq!(verdict_within(&schemas, "s.d[0].a", 100), "fine");
    assert_eq!(
        verdict_within(&schemas, "s.d[0].b", 100),
        "unpromised at 2: a"
    );
}

#[test]
fn one_of_them() {
    for keyword in ["anyOf", "oneOf"] {
        let either = format!(
            r#"{{"{keyword}": [{{"type": "string"}}, {{"type": "object", "properties": {{"a": {{}}}}}}]}}"#
        );
        assert_eq!(verdict(&either, "s.a"), "fine");
        assert_eq!(verdict(&either, "s.b"), "unpromised at 0: a");
        assert_eq!(
            verdict(&either, "s[0]"),
            "forbidden at 0: a string or an object a"
        );
        let open = format!(r#"{{"{keyword}": [{{"type": "string"}}, true]}}"#);
        assert_eq!(verdict(&open, "s.b"), "silent from 0");
    }
}

#[test]
fn what_depends_forbids_nothing() {
    let conditional = r#"{"properties": {"a": {}},
        "if": {"required": ["a"]}, "then": {"properties": {"b": {}}}, "else": {"additionalProperties": false},
        "dependentSchemas": {"a": {"properties": {"c": {}}}}}"#;
    for (reference, expected) in [
        ("s.a", "fine"),
        ("s.b", "fine"),
        ("s.c", "fine"),
        ("s.d", "unpromised at 0: a"),
    ] {
        assert_eq!(verdict(conditional, reference), expected);
    }
    let unevaluated = r#"{"properties": {"a": {}}, "unevaluatedProperties": false}"#;
    assert_eq!(verdict(unevaluated, "s.b"), "unpromised at 0: a");
}

#[test]
fn references() {
    let tree = r##"{"type": "object", "properties": {
        "left": {"$ref": "#"}, "leaf": {"$ref": "#/$defs/a~1b%20c"}, "item": {"$ref": "#/properties/leaf"},
        "name": {"$ref": "#here", "properties": {"x": {}}}
    }, "additionalProperties": false,
    "$defs": {"a/b c": {"type": "string"}, "n": {"$anchor": "here"}}}"##;
    assert_eq!(verdict(tree, "s.left.left.leaf"), "fine");
    assert_eq!(
        verdict(tree, "s.left.left.leaf.x"),
        "forbidden at 3: a string"
    );
    assert_eq!(verdict(tree, "s.item.x"), "forbidden at 1: a string");
    assert_eq!(
        verdict(tree, "s.left.right"),
        "forbidden at 1: an object left leaf item name"
    );
    assert_eq!(verdict(tree, "s.name.y"), "unpromised at 1: x");
    // Where a dynamic anchor leads depends on the way there, so it may name anything.
    let dynamic = r##"{"properties": {"name": {"$dynamicRef": "#here", "properties": {"x": {}}}},
        "$defs": {"n": {"$dynamicAnchor": "here"}}}"##;
    assert_eq!(verdict(dynamic, "s.name.y"), "fine");

    let standard = r#"{"properties": {"list": {"$ref": "ListResult"}}}"#;
    assert_eq!(verdict(standard, "s.list.data[0]"), "fine");
    assert_eq!(
        verdict(standard, "s.list.data.id"),
        "forbidden at 2: an array"
    );
    assert_eq!(
        verdict(standard, "s.list.dta"),
        "unpromised at 1: success data pagination error"
    );
    let own_id = r##"{"$defs": {"in": {"$id": "https://x.example/in", "type": "object",
        "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "null"}}}, "b": {}},
        "properties": {"in": {"$ref": "#/$defs/in"}}}"##;
    assert_eq!(verdict(own_id, "s.in.a.b"), "forbidden at 2: null");
}

#[test]
fn work_is_bounded() {
    // Each level doubles the ways to get to the next.
    let name = |n: usize| {
        format!(
            r##""l{n}": {{"allOf": [{{"$ref": "#/$defs/l{0}"}}, {{"$ref": "#/$defs/l{0}"}}]}}"##,
            n + 1
        )
    };
    let levels: Vec<String> = (0..8).map(name).collect();
    let schema = format!(
        r##"{{"$ref": "#/$defs/l0", "$defs": {{{}, "l8": {{"type": "string"}}}}}}"##,
        levels.join(",")
    );
    assert_eq!(
        verdict_within(&[&schema], "s.a", 1_000_000),
        "forbidden at 0: a string"
    );
    assert_eq!(verdict_within(&[&schema], "s.a", 5), "fine");
    let tree = r##"{"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}"##;
    let long = format!("s{}", ".a".repeat(128));
    assert_eq!(verdict_within(&[tree], &long, 1_000), "fine");
}
