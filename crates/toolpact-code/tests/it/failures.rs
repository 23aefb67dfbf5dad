//! Tools that fail, and scripts that do.

use toolpact::code::ScriptError;

use crate::bench::Bench;

#[test]
fn a_tool_that_fails_raises() {
    let bench = Bench::new();
    let script = "try:\n    fail()\nexcept ToolError as error:\n    result = str(error)\nresult";
    let expected = r#""NOT_FOUND_RESOURCE: It is not there.\nLook elsewhere.\ndetails: {\"order\":\"B-1\"}\nretry: no""#;
    assert_eq!(bench.value(script), expected);
}

#[test]
fn an_error_can_be_taken_apart() {
    let bench = Bench::new();
    let script = |code| {
        format!(
            "try:\n    fail('{code}')\nexcept ToolError as error:\n    result = tool_error(error)\nresult"
        )
    };
    assert_eq!(
        bench.value(&script("NOT_FOUND_RESOURCE")),
        r#"{"code":"NOT_FOUND_RESOURCE","message":"It is not there.\nLook elsewhere.","details":{"order":"B-1"},"retryable":false}"#
    );
    assert!(
        bench
            .value(&script("RATE_LIMIT_EXCEEDED"))
            .ends_with(r#""retryable":true}"#)
    );
}

#[test]
fn tool_error_is_for_errors_of_tools() {
    let bench = Bench::new();
    let script =
        "try:\n    raise RuntimeError('mine')\nexcept ToolError as error:\n    tool_error(error)";
    let text = bench.error(script).to_string();
    assert!(
        text.ends_with("ValueError: tool_error(): this is not of a tool: RuntimeError: mine"),
        "{text}"
    );
    assert_eq!(bench.error("tool_error('a')").code(), "types");
}

#[test]
fn an_error_that_nobody_catches() {
    let bench = Bench::new();
    let error = bench.error("def find():\n    return fail()\n\nfind()");
    assert_eq!(
        error.to_string(),
        "Traceback (most recent call last):\n  \
           File \"script.py\", line 4, in <module>\n    find()\n  \
           File \"script.py\", line 2, in find\n    return fail()\n\
         ToolError: NOT_FOUND_RESOURCE: It is not there.\nLook elsewhere.\n\
         details: {\"order\":\"B-1\"}\nretry: no"
    );
    let Some(ScriptError::Raised(raised)) = error.script() else {
        panic!("{error:?}")
    };
    assert_eq!(raised.failure.as_ref().unwrap().code, "NOT_FOUND_RESOURCE");
    assert_eq!(raised.traceback.len(), 2);
}

/// Lines are those of the script, whatever is added to keep limits.
#[test]
fn tracebacks_have_the_lines_of_the_script() {
    let script = "def f():\n    try:\n        1\n    except ValueError:\n        pass\n    try:\n        2\n    finally:\n        pass\n    return 1 / 0\n\nf()";
    let text = Bench::new().error(script).to_string();
    assert!(text.contains("line 12, in <module>\n    f()"), "{text}");
    assert!(text.contains("line 10, in f\n    return 1 / 0"), "{text}");
    assert!(
        text.ends_with("ZeroDivisionError: division by zero"),
        "{text}"
    );
}

#[test]
fn syntax_errors_have_a_place() {
    let error = Bench::new().error("x = 1\ny = (2 +\nz");
    let Some(ScriptError::Syntax(finding)) = error.script() else {
        panic!("{error:?}")
    };
    assert!(finding.place.line >= 2, "{finding:?}");
    assert_eq!(error.code(), "syntax");
}

#[test]
fn the_failures_are_in_the_trace() {
    let ran = Bench::new().ran("try:\n    fail()\nexcept ToolError:\n    pass\nadd(1, 2)");
    let outcomes: Vec<_> = ran
        .trace
        .iter()
        .map(|call| call.outcome.clone().unwrap())
        .collect();
    assert_eq!(
        outcomes[0].as_ref().unwrap_err().code(),
        "NOT_FOUND_RESOURCE"
    );
    assert_eq!(outcomes[1].as_ref().unwrap().value().unwrap().text(), "3");
}
