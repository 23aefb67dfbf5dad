//! What the type checker says, and of which contract.

use toolpact::code::ScriptError;

use crate::bench::{Bench, tool};

fn shop() -> Bench {
    let contract = r#"{"name": "get-order", "description": "Gets an order.", "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}, "returns": {"type": "object", "properties": {"total": {"type": "number"}, "lines": {"type": "array", "items": {"type": "string"}}}, "required": ["total", "lines"]}}"#;
    Bench::with([tool(contract, |_| panic!("checking runs nothing"))])
}

#[test]
fn an_argument_that_breaks_the_contract() {
    let error = shop().check("x = 1\nget_order(x)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 11: Argument to function `get_order` is incorrect: Expected `str`, found `Literal[1]` [invalid-argument-type]\n    \
             get_order(x)\n    \
             by the contract of `get-order`"
    );
}

#[test]
fn a_result_that_is_used_wrongly() {
    let bench = shop();
    let error = bench
        .check("get_order('a')['sum']\nget_order('b')['total'] + 'x'")
        .unwrap_err();
    let Some(ScriptError::Types(findings)) = error.script() else {
        panic!("not types");
    };
    let places: Vec<_> = findings.iter().map(|one| one.place.line).collect();
    assert_eq!(places, [1, 2], "{findings:?}");
    assert_eq!(findings[0].tools, ["get-order"], "{findings:?}");
    assert_eq!(findings[0].source, "get_order('a')['sum']");
}

#[test]
fn types_can_be_named() {
    let script = "def total(order: GetOrderResponse) -> float:\n    return order['total'] + len(order['lines'])\n";
    shop().check(script).unwrap();
    let wrong = format!("{script}\ntotal(5)");
    assert_eq!(shop().check(&wrong).unwrap_err().code(), "types");
}

#[test]
fn usual_mistakes_get_a_hint() {
    let bench = shop();
    for (script, hint) in [
        ("get_ordr('a')", "did you mean `get_order`?"),
        (
            "await get_order('a')",
            "tools are called without `await`; `await tool_task(get_order, …)` lets others run meanwhile",
        ),
        (
            "get_order('a').total",
            r#"it is a dict: write `["total"]`, not `.total`"#,
        ),
        (
            "try:\n    get_order('a')\nexcept ToolError as e:\n    tool_error(e).code",
            r#"it is a dict: write `["code"]`, not `.code`"#,
        ),
        (
            "open('/etc/passwd')",
            "scripts reach nothing but their tools, and have only parts of the standard library",
        ),
        (
            "import requests",
            "scripts reach nothing but their tools, and have only parts of the standard library",
        ),
    ] {
        let error = bench.check(script).unwrap_err().to_string();
        let last = error.lines().last().unwrap().trim();
        assert_eq!(last, hint, "{error}");
    }
}

/// What the interpreter lacks is said without its name, with a place and with what to write.
#[test]
fn syntax_that_scripts_lack_is_said_in_our_words() {
    let bench = shop();
    for (script, message) in [
        (
            "x = 1\nmatch x:\n    case 1: pass",
            "line 2, column 1: scripts do not support pattern matching (match statements); use `if` and `elif`",
        ),
        (
            "class A(B):\n    pass",
            "line 1, column 1: scripts do not support class inheritance and metaclasses; use classes without bases, or functions",
        ),
        (
            "x = {}\ndel x['a']",
            "line 2, column 1: scripts do not support the 'del' statement; use `.pop()` for parts, and leave names alone",
        ),
        (
            "def f():\n    yield 1",
            "line 2, column 5: scripts do not support yield expressions; return a list",
        ),
        (
            "async def f(x):\n    async for a in x: pass",
            "line 2, column 5: scripts do not support async for loops; use a plain `for` over `await asyncio.gather(…)`",
        ),
        (
            "type A = int",
            "line 1, column 1: scripts do not support type aliases; write the type where it is used",
        ),
        (
            "x = 1j",
            "line 1, column 5: scripts do not support complex constants; write it without",
        ),
    ] {
        let error = bench.check(script).unwrap_err();
        assert_eq!(error.code(), "syntax", "{error}");
        assert_eq!(error.to_string().lines().next(), Some(message));
    }
}

#[test]
fn names_that_are_not_there() {
    let bench = shop();
    let error = bench.check("get_orders('a')").unwrap_err();
    assert!(error.to_string().contains("`get_orders`"), "{error}");
}

#[test]
fn comments_that_silence_the_checker_are_told() {
    let bench = shop();
    assert!(!bench.check("x = '# type: ignore'").unwrap());
    assert!(bench.check("get_order(5)  # type: ignore").unwrap());
    assert!(
        bench
            .check("get_order(5)  # ty:ignore[invalid-argument-type]")
            .unwrap()
    );
    assert!(bench.check("get_order(5)  # x").is_err());
}

/// Nothing of one script is there for the next.
#[test]
fn scripts_do_not_see_each_other() {
    let bench = Bench::new();
    assert_eq!(bench.value("shared = 5\nshared"), "5");
    assert_eq!(bench.error("shared").code(), "types");
    assert_eq!(
        bench.error("print(shared)  # type: ignore").code(),
        "raised"
    );
    assert_eq!(bench.error("from script import shared").code(), "types");
}

#[test]
fn what_the_interpreter_does_not_have_is_said() {
    let bench = Bench::new();
    for script in [
        "import subprocess",
        "import socket",
        "import ctypes",
        "open_file('a')",
    ] {
        assert_eq!(bench.error(script).code(), "types", "{script}");
    }
}
