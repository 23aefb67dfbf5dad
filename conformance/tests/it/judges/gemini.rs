use super::{Case, hold, together, tools};
use conformance::judge;
use serde_json::{Value, json};

#[test]
fn schema_objects() {
    let with = |parameters: Value| json!({"name": "t", "parameters": parameters});
    let property = |schema: Value| with(json!({"type": "OBJECT", "properties": {"a": schema}}));
    let text = || json!({"type": "STRING"});
    check(
        "gemini",
        &[
            (full(), ""),
            (json!({"name": "no_parameters"}), ""),
            // What the SDK does not know, or knows by another name or type.
            (
                property(json!({"type": "STRING", "const": "x"})),
                "/a/const: Extra inputs",
            ),
            (
                property(json!({"oneOf": [text()]})),
                "/a/oneOf: Extra inputs",
            ),
            (
                property(json!({"type": "STRING", "min_length": 1})),
                "min_length: Extra inputs",
            ),
            (
                property(json!({"type": "STRING", "minLength": "1"})),
                "makes 1 of '1'",
            ),
            (
                property(json!({"type": "TEXT"})),
                "TEXT is not a valid Type",
            ),
            (property(json!({"type": ["STRING", "NULL"]})), "upper"),
            (
                property(json!({"type": "INTEGER", "enum": [1]})),
                "should be a valid string",
            ),
            (
                property(json!({"type": "INTEGER", "minimum": 9_007_199_254_740_993_u64})),
                "minimum: the SDK makes",
            ),
            // What the SDK lets pass, and the API does not.
            (
                property(json!({"type": "OBJECT", "additionalProperties": true})),
                "only supported in Gemini Enterprise",
            ),
            (
                property(json!({"type": "OBJECT", "additionalProperties": false})),
                "cannot find field",
            ),
            (
                property(json!({"type": "INTEGER", "enum": ["1"]})),
                "only allowed for STRING",
            ),
            (
                property(json!({"type": "ARRAY"})),
                "/a/items: missing field",
            ),
            (
                with(json!({"type": "OBJECT", "properties": {"a": text()}, "required": ["b"]})),
                "/required/b: property is not defined",
            ),
            (
                with(json!({"type": "OBJECT", "properties": {}})),
                "should be non-empty",
            ),
            (with(text()), "parameters must be an object"),
            (
                with(json!({"type": "OBJECT", "properties": {"a-b": text()}})),
                "/a-b: not a name",
            ),
            (
                property(json!({"ref": "#/defs/None"})),
                "/a/ref: leads nowhere",
            ),
            (json!({"name": "1st"}), "/name: not a name"),
            (json!({"name": "n".repeat(65)}), "/name: not a name"),
            (
                json!({"name": "t", "parametersJsonSchema": {"type": "object"}}),
                "of another dialect",
            ),
        ],
    );
}

fn full() -> Value {
    json!({
        "name": "find.all:of-them",
        "description": "Finds them.",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "first_name": {"type": "STRING", "nullable": true, "enum": ["a", "b"]},
                "limits": {"type": "ARRAY", "items": {"type": "NUMBER", "minimum": 0.5}},
                "either": {"anyOf": [{"type": "INTEGER"}, {"ref": "#/defs/Inner"}]},
            },
            "propertyOrdering": ["first_name", "limits", "either"],
            "required": ["first_name"],
            "defs": {"Inner": {"type": "OBJECT", "properties": {"x": {"type": "BOOLEAN"}}}},
        },
        "response": {"type": "ARRAY", "items": {"type": "STRING"}, "maxItems": 3},
    })
}

#[test]
fn json_schemas() {
    let with = |parameters: Value| json!({"name": "t", "parametersJsonSchema": parameters});
    let inner = json!({"Inner": {"type": "object"}});
    check(
        "gemini-json",
        &[
            (
                json!({
                    "name": "t",
                    "parametersJsonSchema": {
                        "type": "object",
                        "properties": {"a": {"$ref": "#/$defs/Inner"}, "b": {"const": 1}},
                        "$defs": inner,
                    },
                    "responseJsonSchema": {"type": ["array", "null"]},
                }),
                "",
            ),
            (with(json!({"type": "array"})), "must be an object"),
            (
                with(json!({"type": "object", "minProperties": -1})),
                "/minProperties: -1 is less",
            ),
            (
                with(json!({
                    "type": "object",
                    "properties": {"a": {"$ref": "#/$defs/Inner", "type": "object"}},
                    "$defs": inner,
                })),
                "/a/type: not allowed beside `$ref`",
            ),
            (
                with(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/None"}}})),
                "leads nowhere",
            ),
            (
                json!({"name": "t", "parameters": {"type": "OBJECT"}}),
                "of another dialect",
            ),
        ],
    );
}

fn check(dialect: &str, cases: &[Case]) {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let exported = json!({"functionDeclarations": tools(cases), "tools": []});
    let verdicts = judge::dialect(&package, dialect, &exported.to_string());
    hold(dialect, &verdicts, cases);
    assert_eq!(
        together(&verdicts),
        [
            "/tools: not expected here",
            "t: the name of more than one tool"
        ]
    );
}
