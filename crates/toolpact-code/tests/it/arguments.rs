//! Arguments by place and by name, and names that are not Python's.

use crate::bench::{Bench, tool};

fn bench() -> Bench {
    let contract = r#"{"name": "read-file", "description": "Reads.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "from": {"type": "integer"}, "mode": {"enum": ["text", "bytes"], "default": "text"}, "until": {"type": ["integer", "null"]}}, "required": ["path"], "additionalProperties": false}}"#;
    let open = r#"{"name": "note", "description": "Notes.", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": {"type": "integer"}}}"#;
    Bench::with([
        tool(contract, |args| Ok(args.clone())),
        tool(open, |args| Ok(args.clone())),
    ])
}

#[test]
fn places_and_names() {
    let bench = bench();
    let cases = [
        ("read_file('a')", r#"{"path":"a"}"#),
        ("read_file('a', 3)", r#"{"path":"a","from":3}"#),
        (
            "read_file(path='a', from_=3, mode='bytes')",
            r#"{"path":"a","from":3,"mode":"bytes"}"#,
        ),
        (
            "read_file('a', mode='text', from_=1)",
            r#"{"path":"a","from":1,"mode":"text"}"#,
        ),
        ("read_file(*('a',), from_=2)", r#"{"path":"a","from":2}"#),
    ];
    for (script, expected) in cases {
        assert_eq!(bench.value(script), expected, "{script}");
    }
}

/// `None` is nothing given, unless null is a value.
#[test]
fn none_is_nothing() {
    let bench = bench();
    assert_eq!(
        bench.value("read_file('a', None, until=None)"),
        r#"{"path":"a","until":null}"#
    );
    assert_eq!(bench.value("read_file('a', None)"), r#"{"path":"a"}"#);
}

#[test]
fn other_arguments_where_the_contract_takes_them() {
    assert_eq!(bench().value("note('a', b=5)"), r#"{"text":"a","b":5}"#);
}

/// The checker sees these; without it, the runtime does.
#[test]
fn arguments_that_do_not_fit() {
    let bench = bench();
    let cases = [
        (
            "read_file()",
            "TypeError: read_file() missing required argument: 'path'",
        ),
        (
            "read_file('a', 1, 'text', 2, 3)",
            "TypeError: read_file() takes 4 positional arguments but 5 were given",
        ),
        (
            "read_file('a', path='b')",
            "TypeError: read_file() got multiple values for argument 'path'",
        ),
        (
            "read_file('a', to=1)",
            "TypeError: read_file() got an unexpected keyword argument 'to'; it takes path, from_, mode, until",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(bench.error(script).code(), "types", "{script}");
        let ran = bench.ran(&format!("{script}  # type: ignore"));
        assert!(ran.ignores, "{script}");
        let text = ran.end.unwrap_err().to_string();
        assert_eq!(text.lines().last().unwrap(), expected);
    }
    let text = bench.error("read_file(5)  # type: ignore").to_string();
    assert!(text.contains("ToolError: VALIDATION_FORMAT: "), "{text}");
}

#[test]
fn the_trace_has_the_arguments_of_the_contract() {
    let ran = bench().ran("read_file('a', from_=3)\nread_file('b')");
    let calls: Vec<_> = ran
        .trace
        .iter()
        .map(|call| (&*call.tool, call.args.value().unwrap().text()))
        .collect();
    assert_eq!(
        calls,
        [
            ("read-file", r#"{"path":"a","from":3}"#),
            ("read-file", r#"{"path":"b"}"#)
        ]
    );
    assert!(
        ran.trace
            .iter()
            .all(|call| call.outcome.as_ref().unwrap().is_ok())
    );
}
