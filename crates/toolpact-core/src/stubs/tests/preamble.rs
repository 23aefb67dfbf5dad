use super::contract;
use crate::contract::Contract;
use crate::stubs::{Stubs, python, typescript};

const OBJECT: &str = r#"{"type": "object"}"#;

fn tools() -> Vec<Contract> {
    let parameters = r#"{"type": "object", "properties": {"path": {"type": "string"}, "options": {"type": "object", "properties": {"from": {"type": "integer"}}}}, "required": ["path"]}"#;
    vec![
        contract(
            "read_file",
            parameters,
            r#"{"properties": {"text": {"type": "string"}}, "required": ["text"]}"#,
        ),
        contract("get-time", OBJECT, r#""StringValue""#),
    ]
}

#[test]
fn whole_in_python() {
    let expected = r#"# Tools, declared by their contracts. Made by toolpact.
from typing import NotRequired, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

ReadFileOptions = TypedDict("ReadFileOptions", {
    "from": NotRequired[int],
})

class ReadFileResponse(TypedDict):
    text: str

def read_file(path: str, options: ReadFileOptions | None = None) -> ReadFileResponse:
    """Tries it."""
    ...

def get_time() -> str:
    """Tries it."""
    ...
"#;
    assert_eq!(python::preamble(&tools()).text(), expected);
}

#[test]
fn whole_in_typescript() {
    let expected = "// Tools, declared by their contracts. Made by toolpact.
// Integers are numbers here: exact up to 2^53.

/** What a promise is rejected with if the tool fails. */
export declare class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export interface ReadFileOptions {
  from?: number;
}

export interface ReadFileResponse {
  text: string;
}

/** Tries it. */
export declare function read_file(args: {
  path: string;
  options?: ReadFileOptions;
}): Promise<ReadFileResponse>;

/** Tries it. */
export declare function get_time(): Promise<string>;
";
    assert_eq!(typescript::preamble(&tools()).text(), expected);
}

#[test]
fn some_of_the_tools_are_called_the_same() {
    let tools = [
        contract("a_b", OBJECT, r#""opaque""#),
        contract("a-b", OBJECT, r#"{"properties": {"x": {}}}"#),
    ];
    let stubs = python::preamble(&tools);
    let some = stubs.text_of(|tool| tool.name().as_str() == "a-b");
    let expected = r#"# Tools, declared by their contracts. Made by toolpact.
from typing import Any, NotRequired, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

class ABResponse(TypedDict):
    x: NotRequired[Any]

def a_b_2() -> ABResponse:
    """Tries it."""
    ...
"#;
    assert_eq!(some, expected);
    assert_eq!(
        python::preamble([]).text(),
        expected[..expected.find("class").unwrap() - 1]
            .replace("from typing import Any, NotRequired, TypedDict\n", "")
    );
}

/// The name of a tool, of its function in Python, and of that in TypeScript.
#[test]
fn functions_have_safe_names() {
    let names = [
        ("list", "list_", "list"),
        ("type", "type_", "type"),
        ("print", "print_", "print"),
        ("from", "from_", "from"),
        ("match", "match", "match"),
        ("Any", "Any_", "Any"),
        ("ToolError", "ToolError_", "ToolError_"),
        ("ValueError", "ValueError_", "ValueError"),
        ("_hidden", "hidden", "hidden"),
        ("get-it", "get_it", "get_it"),
        ("delete", "delete", "delete_"),
        ("await", "await_", "await_"),
        ("Promise", "Promise", "Promise_"),
        ("undefined", "undefined", "undefined_"),
        ("__", "tool", "tool"),
        ("_1", "tool_1", "tool_1"),
    ];
    let contracts: Vec<Contract> = names
        .iter()
        .map(|(name, ..)| contract(name, OBJECT, ""))
        .collect();
    let (python, typescript) = (
        python::preamble(&contracts),
        typescript::preamble(&contracts),
    );
    for (name, in_python, in_typescript) in names {
        assert_eq!(real(&python, in_python), Some(name));
        assert_eq!(real(&typescript, in_typescript), Some(name));
        assert!(python.text().contains(&format!("\ndef {in_python}(")));
        assert!(
            typescript
                .text()
                .contains(&format!("declare function {in_typescript}("))
        );
    }
    assert_eq!(real(&python, "list"), None);
    assert_eq!(python.nearest("matc"), Some("match"));
}

fn real<'s>(stubs: &'s Stubs, alias: &str) -> Option<&'s str> {
    stubs.tool(alias).map(|tool| tool.name().as_str())
}

/// A function keeps its name, and the type gets a number.
#[test]
fn functions_and_types_share_no_name() {
    let tools = [
        contract("read", OBJECT, r#"{"properties": {"x": {}}}"#),
        contract("ReadResponse", OBJECT, ""),
        contract("read", OBJECT, r#"{"properties": {"y": {}}}"#),
    ];
    let text = python::preamble(&tools).text();
    assert!(
        text.contains("class ReadResponse2(TypedDict):\n    x:"),
        "{text}"
    );
    assert!(text.contains("def ReadResponse() -> Any:"), "{text}");
    assert!(
        text.contains("class ReadResponse3(TypedDict):\n    y:"),
        "{text}"
    );
    assert!(text.contains("def read_2() -> ReadResponse3:"), "{text}");
}

#[test]
fn parameters_lead_back() {
    let parameters = r#"{"type": "object", "properties": {"a-b": {"type": ["string", "null"]}, "from": {"type": "string"}, "x": {"type": "string"}}, "required": ["x"], "additionalProperties": true}"#;
    let stubs = python::preamble([&contract("try-it", parameters, "")]);
    let tool = stubs.tool("try_it").unwrap();
    let told: Vec<_> = tool
        .signature()
        .parameters()
        .iter()
        .map(|one| (one.alias(), one.name(), one.is_required(), one.takes_null()))
        .collect();
    assert_eq!(
        told,
        [
            ("x", "x", true, false),
            ("a_b", "a-b", false, true),
            ("from_", "from", false, false)
        ]
    );
    assert_eq!(tool.parameter("a_b").unwrap().name(), "a-b");
    assert_eq!(tool.parameter("a-b"), None);
    assert_eq!(tool.signature().others(), Some("kwargs"));
}
