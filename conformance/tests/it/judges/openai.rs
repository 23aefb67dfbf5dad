use super::{Case, hold, together, tools};
use conformance::judge;
use serde_json::{Value, json};

/// What is asked of tools in both forms, strict or not.
fn cases(strict: bool) -> Vec<Case> {
    let with = |parameters: Value| json!({"name": "t", "parameters": parameters, "strict": strict});
    let empty = || json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    vec![
        (with(empty()), ""),
        (
            json!({"name": "a.b", "parameters": empty(), "strict": strict}),
            "/name: not a name",
        ),
        (
            json!({"name": "t", "parameters": empty(), "strict": !strict}),
            "/strict: must be",
        ),
        (
            json!({"name": "t", "parameters": empty(), "strict": "yes"}),
            "should be a valid boolean",
        ),
        (
            json!({"name": "t", "parameters": empty(), "strict": strict, "outputSchema": {}}),
            "outputSchema: the SDK drops it",
        ),
        (with(json!({"type": "string"})), "must be \"object\""),
        (
            with(json!({"type": "object", "properties": {"a": {"type": "text"}}})),
            "'text' is not valid",
        ),
    ]
}

/// What is asked of strict ones only.
fn strict_cases() -> Vec<Case> {
    let with = |parameters: Value| json!({"name": "t", "parameters": parameters, "strict": true});
    let closed = |properties: Value| {
        let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
        with(json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }))
    };
    let property = |schema: Value| closed(json!({"a": schema}));
    let numbers: Vec<_> = (0..1001).collect();
    let deep = (0..11).fold(json!({"type": "string"}), |inner, _| {
        json!({
            "type": "object",
            "properties": {"a": inner},
            "required": ["a"],
            "additionalProperties": false,
        })
    });
    vec![
        (
            closed(json!({"a": {"type": ["string", "null"]}, "b": {"$ref": "#"}})),
            "",
        ),
        // What the SDK would have to change.
        (
            with(json!({"type": "object", "properties": {}, "required": []})),
            "additionalProperties: the SDK adds it",
        ),
        (
            with(
                json!({"type": "object", "properties": {}, "required": [], "additionalProperties": true}),
            ),
            "additionalProperties should not be set",
        ),
        (
            with(json!({
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": [],
                "additionalProperties": false,
            })),
            "/required: the SDK makes ['a'] of []",
        ),
        (
            property(json!({"oneOf": [{"type": "string"}]})),
            "oneOf: the SDK drops it",
        ),
        (
            property(json!({"type": "string", "default": null})),
            "default: the SDK drops it",
        ),
        (
            closed(json!({"a": {"$ref": "#/properties/b", "title": "A"}, "b": {"type": "null"}})),
            "$ref: the SDK drops it",
        ),
        // What only the documentation says.
        (
            property(json!({"type": "string", "minLength": 1})),
            "minLength: not supported",
        ),
        (
            property(json!({"allOf": [{"type": "string"}, {"pattern": "a"}]})),
            "allOf: not supported",
        ),
        (
            property(json!({"type": "string", "format": "uri"})),
            "'uri' is not a valid format",
        ),
        (
            property(json!({"enum": numbers})),
            "1001 values of enums, and 1000",
        ),
        (with(deep), "11 levels of nesting, and 10"),
    ]
}

#[test]
fn responses() {
    let tool = |function: &Value| {
        let mut tool = function.clone();
        tool["type"] = json!("function");
        tool
    };
    let with_output = |schema: Value| json!({"name": "t", "parameters": {"type": "object"}, "strict": false, "output_schema": schema});
    let mut loose = cases(false);
    loose.extend([
        (with_output(json!({"type": "array"})), ""),
        (
            with_output(json!({"type": "list"})),
            "/output_schema/type: 'list'",
        ),
        (
            json!({"name": "t", "parameters": {"type": "object"}}),
            "/strict: Field required",
        ),
    ]);
    check("openai", &loose, tool);
    check(
        "openai-strict",
        &[cases(true), strict_cases()].concat(),
        tool,
    );
}

#[test]
fn chat() {
    let tool = |function: &Value| json!({"type": "function", "function": function});
    let mut loose = cases(false);
    loose.extend([
        (json!({"name": "t", "parameters": {"type": "object"}}), ""),
        // Only responses have it.
        (
            json!({"name": "t", "parameters": {"type": "object"}, "output_schema": {}}),
            "output_schema: the SDK drops it",
        ),
    ]);
    check("openai-chat", &loose, tool);
    check(
        "openai-chat-strict",
        &[cases(true), strict_cases()].concat(),
        tool,
    );
}

fn check(dialect: &str, cases: &[Case], tool: impl Fn(&Value) -> Value) {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let cases: Vec<Case> = cases.iter().map(|(f, part)| (tool(f), *part)).collect();
    let verdicts = judge::dialect(&package, dialect, &tools(&cases).to_string());
    hold(dialect, &verdicts, &cases);
    assert_eq!(together(&verdicts), ["t: the name of more than one tool"]);
}
