use crate::contract::Contract;
use crate::stubs::{python, typescript};

/// A description, its docstring, and its comment.
const DOCS: &[(&str, &str, &str)] = &[
    ("Plain.", r#""""Plain.""""#, "/** Plain. */"),
    ("  Spaces \t", r#""""Spaces""""#, "/** Spaces */"),
    (r#"Say "hi""#, r#""""Say "hi\"""""#, r#"/** Say "hi" */"#),
    ("\"\"", r#"""""\"""""#, r#"/** "" */"#),
    ("\"\"\"", r#"""""\"\"""""#, r#"/** """ */"#),
    ("a \"\"\" b", r#""""a "\"\" b""""#, r#"/** a """ b */"#),
    ("ends \\", r#""""ends \\""""#, r"/** ends \ */"),
    (r#"ends \""#, r#""""ends \\\"""""#, r#"/** ends \" */"#),
    (
        "\u{1b}[31m\u{0}\u{200b}x\u{202e}",
        r#""""[31m  x""""#,
        "/** [31m  x */",
    ),
    ("ends \"\u{200b}", r#""""ends \"""""#, "/** ends \" */"),
    ("a */ b", r#""""a */ b""""#, r"/** a *\/ b */"),
    ("*/", r#""""*/""""#, r"/** *\/ */"),
    (
        "@ts-ignore x@y.z",
        r#""""@ts-ignore x@y.z""""#,
        r"/** \@ts-ignore x@y.z */",
    ),
    (
        "One.\r\n\r\n  Two\rThree \n",
        "\"\"\"One.\n\n      Two\n    Three\n    \"\"\"",
        "/**\n * One.\n *\n *   Two\n * Three\n */",
    ),
    (
        "x\n# mypy: ignore-errors",
        "\"\"\"x\n    # mypy: ignore-errors\n    \"\"\"",
        "/**\n * x\n * # mypy: ignore-errors\n */",
    ),
];

#[test]
fn descriptions_end_nothing() {
    for (text, docstring, comment) in DOCS {
        let contract = described(text, "");
        let python = python::preamble([&contract]);
        let expected = format!("def try_() -> Any:\n    {docstring}\n    ...\n");
        assert_eq!(python.tools()[0].text(), expected);
        let typescript = typescript::preamble([&contract]);
        let expected = format!("{comment}\nexport declare function try_(): Promise<unknown>;\n");
        assert_eq!(typescript.tools()[0].text(), expected);
    }
}

#[test]
fn parameters_and_results_are_described() {
    let contract = described(
        "Tries it.",
        r#", "returns": {"type": "Custom", "schema": {"type": "string"}, "description": "What\ncame of it."}"#,
    );
    let contract = contract_with(
        &contract,
        r#"{"class": {"type": "string", "description": "Which\nclass."}, "b": {"type": "string", "description": " "}, "c": {"type": "string"}}"#,
    );
    let expected = r#"def try_(class_: str | None = None, b: str | None = None, c: str | None = None) -> str:
    """Tries it.

    Args:
        class_: Which
            class.
            It is sent as `class`.

    Returns:
        What
            came of it.
    """
    ...
"#;
    assert_eq!(python::preamble([&contract]).tools()[0].text(), expected);
}

fn described(text: &str, more: &str) -> Contract {
    let text = serde_json::Value::from(text);
    let json = format!(
        r#"{{"name": "try", "description": {text}, "parameters": {{"type": "object"}}{more}}}"#
    );
    Contract::from_json(json).unwrap()
}

fn contract_with(contract: &Contract, properties: &str) -> Contract {
    let json = contract.to_value().text().replace(
        r#"{"type": "object"}"#,
        &format!(r#"{{"type": "object", "properties": {properties}}}"#),
    );
    Contract::from_json(json).unwrap()
}
