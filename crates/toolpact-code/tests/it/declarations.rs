//! Names that tools could have to make the checker blind.

use std::collections::HashSet;

use toolpact::code::ScriptError;
use toolpact::core::contract::Contract;
use toolpact::core::stubs::python;

use crate::bench::{Bench, tool};

/// Names of tools and parameters, and words of descriptions, that break declarations which are made
/// without care.
const HOSTILE: [&str; 34] = [
    "list",
    "dict",
    "str",
    "int",
    "print",
    "from",
    "class",
    "def",
    "None",
    "True",
    "import",
    "async",
    "await",
    "lambda",
    "match",
    "type",
    "ToolError",
    "ToolFailure",
    "tool_error",
    "tool_task",
    "Any",
    "TypedDict",
    "Literal",
    "NotRequired",
    "RuntimeError",
    "_private",
    "__init__",
    "__all__",
    "self",
    "x-y",
    "1st",
    "typing",
    "object",
    "Exception",
];

#[test]
fn every_name_is_declared_and_can_be_called() {
    let contracts: Vec<String> = HOSTILE
        .iter()
        .filter(|name| Contract::from_json(contract(name)).is_ok())
        .map(|name| contract(name))
        .collect();
    assert!(contracts.len() > 25, "{}", contracts.len());
    let bench = Bench::with(
        contracts
            .iter()
            .map(|json| tool(json, |args| Ok(args.clone()))),
    );
    let parsed: Vec<Contract> = contracts
        .iter()
        .map(|c| Contract::from_json(c).unwrap())
        .collect();
    for (stub, contract) in python::preamble(&parsed).tools().iter().zip(&parsed) {
        let parameter = stub
            .signature()
            .parameters()
            .iter()
            .find(|p| p.is_required())
            .unwrap();
        let (function, alias) = (stub.alias(), parameter.alias());
        let script = format!("r = {function}({alias}='a')\nr");
        let expected = format!(r#"{{"{}":"a"}}"#, parameter.name());
        assert_eq!(bench.value(&script), expected, "{}", contract.name());
        // And it is still checked.
        let wrong = format!("{function}({alias}=5)");
        assert_eq!(
            bench.check(&wrong).unwrap_err().code(),
            "types",
            "{}",
            contract.name()
        );
    }
}

fn contract(name: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Ends with a backslash \\ and \"\"\" and '''\\", "parameters": {{"type": "object", "properties": {{"{name}": {{"type": "string", "description": "\\"}}}}, "required": ["{name}"]}}, "returns": {{"type": "object", "properties": {{"{name}": {{"type": "string"}}}}}}}}"#
    )
}

/// A script that names them all is checked against them all.
#[test]
fn all_at_once() {
    let contracts = HOSTILE.iter().map(|name| contract(name));
    let contracts = contracts.filter(|json| Contract::from_json(json).is_ok());
    let bench = Bench::with(contracts.map(|json| tool(&json, |args| Ok(args.clone()))));
    let script = "x = [list_, print_, from_, class_, ToolError_, tool_error_, tool_task_, Any_, x_y]\nlen(x)";
    assert_eq!(bench.value(script), "9");
    let error = bench.check("list_(list_=5)\nprint_(6)").unwrap_err();
    let Some(ScriptError::Types(findings)) = error.script() else {
        panic!("not types");
    };
    let lines: HashSet<u32> = findings.iter().map(|one| one.place.line).collect();
    assert_eq!(lines, HashSet::from([1, 2]), "{findings:?}");
    assert!(
        findings.iter().any(|one| one.tools == ["list"]),
        "{findings:?}"
    );
}
