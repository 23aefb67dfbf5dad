use super::{hold, tools};
use conformance::judge;
use serde_json::{Value, json};

#[test]
fn tool_config() {
    let with = |spec: Value| json!({"toolSpec": spec});
    let schema = json!({"json": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let cases = [
        (
            with(json!({"name": "t", "description": "Does it.", "inputSchema": schema})),
            "",
        ),
        (
            with(json!({"name": "a.b", "inputSchema": schema})),
            "/toolSpec/name: not a name",
        ),
        (with(json!({"name": "t1"})), "\"inputSchema\""),
        (
            with(json!({"name": "t2", "inputSchema": {"type": "object"}})),
            "must be one of: json",
        ),
        (
            with(json!({"name": "t3", "description": "", "inputSchema": schema})),
            "valid min length: 1",
        ),
        (
            with(json!({"name": "t4", "inputSchema": {"json": {"type": "array"}}})),
            "must be \"object\"",
        ),
    ];
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let document = json!({"tools": tools(&cases)}).to_string();
    let verdicts = judge::dialect(&package, "bedrock", &document);
    hold("bedrock", &verdicts, &cases);
}
