use conformance::judge;
use serde_json::{Value, json};

#[test]
fn documents() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let input = "/paths/~1tools~1find/post/requestBody/content/application~1json/schema";
    let operation = "/paths/~1tools~1find/post";
    for (place, value, expected) in [
        ("", json!(null), ""),
        ("/openapi", json!("3.0.4"), "'3.0.4' does not match"),
        ("/info", json!({}), "'title' is a required property"),
        ("/components/schemas", json!({}), "leads nowhere"),
        (
            "/components/schemas/Found",
            json!({"type": "text"}),
            "'text' is not valid",
        ),
        (
            input,
            json!({"type": "text"}),
            "schema/type: 'text' is not valid",
        ),
        (
            operation,
            json!({"operationId": "f", "tool": 1}),
            "'tool' was unexpected",
        ),
        ("/paths/~1other", again(), "Operation ID 'find' for 'post'"),
    ] {
        let mut document = document();
        if let Some(spot) = document.pointer_mut(place).filter(|_| !place.is_empty()) {
            *spot = value;
        }
        let verdicts = judge::dialect(&package, "openapi", &document.to_string());
        let [verdict] = verdicts.as_slice() else {
            panic!("one verdict on the document: {verdicts:?}");
        };
        let as_expected = verdict.problems.iter().any(|p| p.contains(expected));
        assert!(as_expected != expected.is_empty(), "{place}: {verdict:?}");
        assert_eq!(verdict.ok, expected.is_empty());
    }
}

fn document() -> Value {
    let found = json!({"$ref": "#/components/schemas/Found"});
    json!({
        "openapi": "3.1.1",
        "info": {"title": "Tools", "version": "1"},
        "paths": {"/tools/find": {"post": {
            "operationId": "find",
            "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
            "responses": {"200": {
                "description": "Found.",
                "content": {"application/json": {"schema": found}},
            }},
        }}, "/other": {}},
        "components": {"schemas": {"Found": {"type": ["array", "null"], "items": found}}},
    })
}

/// A second operation of the same name.
fn again() -> Value {
    json!({"post": {"operationId": "find", "responses": {"200": {"description": "Again."}}}})
}
