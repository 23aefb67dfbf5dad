use super::{Case, hold, together, tools};
use conformance::judge;
use serde_json::{Value, json};

const VERSIONS: [&str; 3] = ["mcp-2025-06-18", "mcp-2025-11-25", "mcp"];

/// A tool, and what is wrong with it by the three versions, for the SDK in Python and the clients
/// in TypeScript.
type Row = (Value, [&'static str; 3], [&'static str; 3]);

fn rows() -> Vec<Row> {
    let with = |member: &str, value: Value| {
        let mut tool = json!({"name": "t", "inputSchema": {"type": "object"}});
        tool[member] = value;
        tool
    };
    let input = |properties: Value| {
        with(
            "inputSchema",
            json!({"type": "object", "properties": properties}),
        )
    };
    let full = json!({
        "name": "t",
        "title": "Tool",
        "description": "Does it.",
        "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {}}},
        "outputSchema": {"type": "object", "required": ["x"]},
        "annotations": {"readOnlyHint": true},
        "_meta": {"x.y/z": 1},
    });
    let of_object = ["should be 'object'", "should be 'object'", ""];
    let expected = ["expected \\\"object\\\"", "expected \\\"object\\\"", ""];
    let is_dropped = "the SDK drops it";
    let not_kept = "the SDK does not keep it";
    vec![
        (full, [""; 3], [""; 3]),
        // The last version takes any output.
        (
            with("outputSchema", json!({"type": "array"})),
            of_object,
            expected,
        ),
        (
            with("inputSchema", json!({"type": "array"})),
            ["should be 'object'"; 3],
            ["expected \\\"object\\\""; 3],
        ),
        // Only the middle one has it.
        (
            with("execution", json!({"taskSupport": "optional"})),
            ["/execution: not in 2025-06-18", "", is_dropped],
            ["", "", not_kept],
        ),
        (
            with("output_schema", json!({})),
            [is_dropped; 3],
            [not_kept; 3],
        ),
        (
            with("annotations", json!({"readonly": true})),
            [is_dropped; 3],
            [not_kept; 3],
        ),
        (
            input(json!({"a": {"$ref": "#/$defs/None"}})),
            ["leads nowhere"; 3],
            ["can't resolve reference"; 3],
        ),
        (
            input(json!({"a": {"pattern": "("}})),
            ["is not a 'regex'"; 3],
            ["Invalid regular expression"; 3],
        ),
        (
            input(json!({"a": {"type": "text"}})),
            ["'text' is not valid"; 3],
            ["must be JSONType"; 3],
        ),
    ]
}

#[test]
fn in_python() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let rows = rows();
    for (version, dialect) in VERSIONS.into_iter().enumerate() {
        let row = |(tool, python, _): &Row| (tool.clone(), python[version]);
        let cases: Vec<Case> = rows.iter().map(row).collect();
        let exported = json!({"tools": tools(&cases), "count": 1});
        let verdicts = judge::dialect(&package, dialect, &exported.to_string());
        hold(dialect, &verdicts, &cases);
        let said = together(&verdicts);
        assert!(said.contains(&"/count: not expected here"), "{said:?}");
        assert!(
            said.contains(&"t: the name of more than one tool"),
            "{said:?}"
        );
    }
}

/// Names have rules since 2025-11-25.
#[test]
fn names() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let tool = json!({"name": "a b", "inputSchema": {"type": "object"}});
    let spaces = "Tool name contains spaces";
    for (dialect, expected) in VERSIONS.into_iter().zip(["", spaces, spaces]) {
        let exported = json!({"tools": [tool]}).to_string();
        let verdicts = judge::dialect(&package, dialect, &exported);
        hold(dialect, &verdicts, &[(tool.clone(), expected)]);
    }
}

#[test]
fn in_typescript() {
    let Some(package) = conformance::suite("mcp-sdk").or_leave_out() else {
        return;
    };
    let rows = rows();
    for (version, dialect) in VERSIONS.into_iter().enumerate() {
        let row = |(tool, _, clients): &Row| (tool.clone(), clients[version]);
        let cases: Vec<Case> = rows.iter().map(row).collect();
        let exported = json!({"tools": tools(&cases)}).to_string();
        hold(
            dialect,
            &judge::mcp_clients(&package, dialect, &exported),
            &cases,
        );
    }
}

/// Clients hold results to what tools promise.
#[test]
fn results() {
    let Some(package) = conformance::suite("mcp-sdk").or_leave_out() else {
        return;
    };
    let promise = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}, "outputSchema": promise});
    let result = |content: Value| json!({"resultType": "complete", "content": [], "structuredContent": content});
    let cases = [
        (tool("kept"), ""),
        (tool("broken"), "does not match the tool's output schema"),
        (tool("missing"), "did not return structured content"),
        (tool("failed"), ""),
    ];
    let results = json!({
        "kept": result(json!({"x": "1"})),
        "broken": result(json!({"x": 1})),
        "missing": {"resultType": "complete", "content": [{"type": "text", "text": "1"}]},
        "failed": {"resultType": "complete", "content": [{"type": "text", "text": "no"}], "isError": true},
    });
    for dialect in VERSIONS {
        let exported = json!({"tools": tools(&cases), "results": results}).to_string();
        hold(
            dialect,
            &judge::mcp_clients(&package, dialect, &exported),
            &cases,
        );
    }
}
