//! Hostile schemas.

use super::{contract, schema};
use crate::contract::Contract;
use crate::returns::Returns;
use crate::stubs::{python, typescript};

/// Both texts, checked to be of bounded size.
fn made(contract: &Contract, most: usize) -> (String, String) {
    let python = python::preamble([contract]).text();
    let typescript = typescript::preamble([contract]).text();
    for text in [&python, &typescript] {
        assert!(text.len() < most, "{} bytes", text.len());
    }
    (python, typescript)
}

fn returning(schema: &str) -> Contract {
    let returns = format!(r#"{{"type": "Custom", "schema": {schema}}}"#);
    contract("try", r#"{"type": "object"}"#, &returns)
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str| format!("{}{{}}{}", open.repeat(45), close.repeat(45));
    let objects = deep(r#"{"properties": {"a": "#, "}}");
    let (text, _) = made(&returning(&objects), 60_000);
    assert_eq!(text.matches("class ").count(), 45);
    let arrays = deep(r#"{"type": "array", "items": "#, "}");
    let hint = format!("{}Any{}", "list[".repeat(45), "]".repeat(45));
    assert_eq!(python::type_hint(&schema(&arrays), "X"), hint);
}

/// Far deeper than a schema may be nested, through references.
#[test]
fn long_chains() {
    for kind in [
        r#"{"type": "array", "items": NEXT}"#,
        r#"{"properties": {"a": NEXT}}"#,
    ] {
        let definitions = (0..3_000).map(|i| {
            let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, i + 1);
            format!(r#""d{i}": {}"#, kind.replace("NEXT", &next))
        });
        let definitions: Vec<String> = definitions.collect();
        let schema = format!(
            r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d3000": {{"type": "string"}}}}}}"##,
            definitions.join(", ")
        );
        made(&returning(&schema), 100_000);
    }
}

/// Each step refers to the next twice: without names, the text would double every time.
#[test]
fn doubling_references() {
    for kind in [
        r#"{"anyOf": [{"type": "array", "items": NEXT}, {"additionalProperties": NEXT}]}"#,
        r#"{"properties": {"a": NEXT, "b": NEXT}}"#,
        r#"{"type": "array", "prefixItems": [NEXT, NEXT]}"#,
    ] {
        let definitions = (0..60).map(|i| {
            let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, i + 1);
            format!(r#""d{i}": {}"#, kind.replace("NEXT", &next))
        });
        let definitions: Vec<String> = definitions.collect();
        let schema = format!(
            r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d60": {{"type": "string"}}}}}}"##,
            definitions.join(", ")
        );
        made(&returning(&schema), 500_000);
    }
}

/// Lists of alternatives that multiply, and alternatives of an object with many keys.
#[test]
fn multiplying_alternatives() {
    let list = |i: usize| {
        let branch =
            |b: usize| format!(r#"{{"properties": {{"k{i}_{b}": {{"type": "string"}}}}}}"#);
        let branches: Vec<String> = (0..8).map(branch).collect();
        format!(r#"{{"anyOf": [{}]}}"#, branches.join(","))
    };
    let lists: Vec<String> = (0..20).map(list).collect();
    let schema = format!(r#"{{"type": "object", "allOf": [{}]}}"#, lists.join(","));
    made(&returning(&schema), 500_000);
    made(&contract("try", &schema, ""), 500_000);
    let keys: Vec<String> = (0..2_000)
        .map(|i| format!(r#""key_{i}": {{"type": "string"}}"#))
        .collect();
    let branches: Vec<String> = (0..2_000)
        .map(|i| format!(r#"{{"properties": {{"b{i}": true}}}}"#))
        .collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{}}}, "anyOf": [{}]}}"#,
        keys.join(","),
        branches.join(",")
    );
    made(&returning(&schema), 20 * schema.len());
    made(&contract("try", &schema, ""), 20 * schema.len());
}

/// A long list of values that many places refer to.
#[test]
fn long_values_have_a_name() {
    let values: Vec<String> = (0..500).map(|i| format!("\"value-{i}\"")).collect();
    let keys: Vec<String> = (0..500)
        .map(|i| format!(r##""k{i}": {{"$ref": "#/$defs/e"}}"##))
        .collect();
    let schema = format!(
        r#"{{"properties": {{{}}}, "$defs": {{"e": {{"enum": [{}]}}}}}}"#,
        keys.join(","),
        values.join(",")
    );
    let (python, typescript) = made(&returning(&schema), 100_000);
    assert!(
        python.contains("TryResponseK0: TypeAlias = Literal[\"value-0\", "),
        "{python}"
    );
    assert!(python.contains("    k499: NotRequired[TryResponseK0]\n"));
    assert!(typescript.contains("export type TryResponseK0 = \"value-0\" | "));
}

#[test]
fn long_names_are_cut() {
    let key = "k".repeat(10_000);
    let schema = format!(r#"{{"properties": {{"{key}": {{"properties": {{"{key}": {{}}}}}}}}}}"#);
    let (python, _) = made(&returning(&schema), 50_000);
    let longest = python
        .lines()
        .filter_map(|line| line.strip_prefix("class "));
    assert!(longest.map(str::len).max().unwrap() < 200);
}

#[test]
fn text_of_lines_is_the_same_each_time() {
    let returns = Returns::Custom(schema(
        r#"{"anyOf": [{"properties": {"a": {}, "b": {}}}, {"type": "string"}]}"#,
    ));
    assert_eq!(
        python::response_lines("a", &returns),
        python::response_lines("a", &returns)
    );
}
