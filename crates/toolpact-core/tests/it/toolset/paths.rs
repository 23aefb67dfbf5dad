//! Which way values take, and why.

use super::{AGENT, CONTRACTS, TOOL, functions};

#[track_caller]
fn assert_paths(text: &str, expected: &[[&str; 3]]) {
    let found: Vec<[String; 3]> = functions(text)
        .iter()
        .map(|function| {
            let paths = [function.arguments_path(), function.result_path()];
            let [arguments, result] = paths.map(|path| path.to_string());
            [function.name().to_owned(), arguments, result]
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn of_contracts() {
    assert_paths(
        CONTRACTS,
        &[
            [
                "find",
                "explained: the keyword `unevaluatedItems` at /parameters/properties/tags/unevaluatedItems",
                "fast",
            ],
            ["cancel", "fast", "fast"],
            ["quote", "fast", "fast"],
            ["ask", "fast", "unchecked: nothing is promised"],
        ],
    );
    let returns = |returns: &str| {
        format!(
            r#"{{"toolpact": 1, "tools": [{{"name": "f", "description": "F.", "parameters": {{}}, "returns": {returns}}}]}}"#
        )
    };
    let schema = r#"{"type": "object", "properties": {"a": {"unevaluatedItems": false}}}"#;
    let why = |at: &str| {
        format!("explained: the keyword `unevaluatedItems` at {at}/properties/a/unevaluatedItems")
    };
    let (bare, inside) = (why("/returns"), why("/returns/schema"));
    assert_paths(&returns(schema), &[["f", "fast", &bare]]);
    let object = format!(r#"{{"type": "Custom", "schema": {schema}, "examples": [{{}}]}}"#);
    assert_paths(&returns(&object), &[["f", "fast", &inside]]);
}

/// The pointer is into what was written, which is a list.
#[test]
fn of_agents() {
    assert_paths(
        AGENT,
        &[
            ["find book", "fast", "fast"],
            [
                "lend",
                "explained: the keyword `unevaluatedItems` at /parameters/1/items/unevaluatedItems",
                "unchecked: nothing is promised",
            ],
        ],
    );
}

#[test]
fn of_adm_tools() {
    assert_paths(
        TOOL,
        &[
            ["ping", "fast", "unchecked: nothing is promised"],
            ["get_weather", "fast", "unchecked: nothing is promised"],
        ],
    );
}
