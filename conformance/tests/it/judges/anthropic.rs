use super::{Case, hold, together, tools};
use conformance::judge::{self, Verdict};
use serde_json::{Value, json};

#[test]
fn loose() {
    let with = |schema: Value| json!({"name": "t", "input_schema": schema});
    let cases = [
        (
            json!({"name": "t", "description": "Does it.", "input_schema": {"type": "object", "oneOf": [{}]}}),
            "",
        ),
        (
            json!({"name": "a.b", "input_schema": {"type": "object"}}),
            "/name: not a name",
        ),
        (json!({"name": "t"}), "/input_schema: Field required"),
        (
            json!({"name": "t", "input_schema": {"type": "object"}, "output_schema": {}}),
            "/output_schema: the SDK drops it",
        ),
        (
            json!({"name": "t", "input_schema": {"type": "object"}, "strict": true}),
            "/strict: must be left out",
        ),
        (with(json!({"type": "array"})), "must be \"object\""),
        (
            with(json!({"type": "object", "properties": {"a[b]": {}}})),
            "/a[b]: not a name",
        ),
        (
            with(json!({"type": "object", "properties": {"a": {"maximum": "1"}}})),
            "/maximum: '1' is not of type",
        ),
    ];
    let Some(verdicts) = check("anthropic", &cases) else {
        return;
    };
    assert_eq!(together(&verdicts), ["t: the name of more than one tool"]);
}

#[test]
fn strict() {
    let with = |schema: Value| json!({"name": "t", "strict": true, "input_schema": schema});
    let closed = |properties: Value| {
        with(json!({"type": "object", "properties": properties, "additionalProperties": false}))
    };
    let property = |schema: Value| closed(json!({"a": schema}));
    let many = |count: usize, schema: Value| {
        closed(
            (0..count)
                .map(|n| (format!("p{n}"), schema.clone()))
                .collect(),
        )
    };
    let cases = [
        (
            closed(json!({
                "a": {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]},
                "b": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
                // Which the SDK would move, and the API takes.
                "c": {"type": "string", "enum": ["x"], "default": "x"},
                "d": {"type": "string", "pattern": "^x+$"},
            })),
            "",
        ),
        (
            json!({"name": "t", "input_schema": {"type": "object", "properties": {}, "additionalProperties": false}}),
            "/strict: must be true",
        ),
        // What the SDK would have to change.
        (
            with(json!({"type": "object", "properties": {}})),
            "additionalProperties: the SDK adds it",
        ),
        (
            property(json!({"type": "integer", "minimum": 1})),
            "minimum: the SDK drops it",
        ),
        (
            property(json!({"type": "array", "items": {"type": "null"}, "minItems": 2})),
            "minItems: the SDK drops it",
        ),
        (
            property(json!({"type": "string", "format": "regex"})),
            "format: the SDK drops it",
        ),
        (
            property(json!({"oneOf": [{"type": "null"}]})),
            "anyOf: the SDK adds it",
        ),
        (
            property(json!({"type": ["string", "null"]})),
            "AssertionError",
        ),
        (property(json!({})), "Schema must have a 'type'"),
        // What only the documentation says.
        (property(json!({"$ref": "#"})), "recursive schemas"),
        (
            property(json!({"type": "string", "pattern": "(?=x)"})),
            "not a simple regular expression",
        ),
        (
            many(25, json!({"type": "string"})),
            "25 optional parameters, and 24",
        ),
        (
            many(17, json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
            "17 parameters with union types, and 16",
        ),
    ];
    let Some(verdicts) = check("anthropic-strict", &cases) else {
        return;
    };
    assert_eq!(together(&verdicts), ["t: the name of more than one tool"]);
}

/// The limits are on all strict tools of a request.
#[test]
fn strict_tools_together() {
    let optional = |n: usize| {
        json!({"name": format!("t{n}"), "strict": true, "input_schema": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "additionalProperties": false,
        }})
    };
    let cases: Vec<Case> = (0..21).map(|n| (optional(n), "")).collect();
    let Some(verdicts) = check("anthropic-strict", &cases) else {
        return;
    };
    assert_eq!(
        together(&verdicts),
        [
            "42 optional parameters, and 24 is the limit",
            "21 strict tools, and 20 is the limit"
        ]
    );
}

fn check(dialect: &str, cases: &[Case]) -> Option<Vec<Verdict>> {
    let package = conformance::suite("provider-sdks").or_leave_out()?;
    let verdicts = judge::dialect(&package, dialect, &tools(cases).to_string());
    hold(dialect, &verdicts, cases);
    Some(verdicts)
}
