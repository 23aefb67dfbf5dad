//! Every case of `vectors/adm_verdicts.json`, through the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::{Folder, repository};

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    group: String,
    id: String,
    #[serde(default)]
    schema: Value,
    /// Raw text: the spelling of numbers and repeated keys are what some cases are about.
    #[serde(default)]
    json: String,
    valid: bool,
}

/// The cases of a group, and how many there are of each verdict, so that none is lost.
fn cases(group: &str, valid: usize, invalid: usize) -> Vec<Case> {
    let path = repository().join("vectors/adm_verdicts.json");
    let vectors: Vectors = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(vectors.cases.len(), 81);
    let mut cases = vectors.cases;
    cases.retain(|case| case.group == group);
    let count = |verdict| cases.iter().filter(|case| case.valid == verdict).count();
    assert_eq!((count(true), count(false)), (valid, invalid));
    cases
}

/// One tool with a function for each case, one stream with a call for each.
#[test]
fn schema_value() {
    let cases = cases("schema_value", 16, 28);
    let functions: Vec<Value> = cases
        .iter()
        .map(|case| {
            let parameters = json!({"type": "OBJECT", "properties": {"v": case.schema}});
            json!({"name": case.id, "description": "A case.", "parameters": parameters})
        })
        .collect();
    let call = |case: &Case| {
        format!(
            "{{\"name\": \"{}\", \"args\": {{\"v\": {}}}}}\n",
            case.id, case.json
        )
    };
    let folder = Folder::new()
        .file(
            "tool.json",
            json!({"function_declarations": functions}).to_string(),
        )
        .file("calls.jsonl", cases.iter().map(call).collect::<String>());
    let arguments = ["validate", "--tools", "tool.json", "--calls", "calls.jsonl"];
    let ran = folder.run([&arguments[..], &["--report", "report.jsonl"]].concat());
    ran.assert(1, "calls.jsonl: 44 calls, 28 invalid\n", "");
    assert_verdicts(&cases, &invalid_lines(&folder));
}

#[test]
fn tool_result() {
    let cases = cases("tool_result", 3, 10);
    let lines: Vec<&str> = cases.iter().map(|case| case.json.as_str()).collect();
    let folder = Folder::new().file("results.jsonl", lines.join("\n"));
    let ran = folder.run([
        "validate",
        "--results",
        "results.jsonl",
        "--report",
        "report.jsonl",
    ]);
    ran.assert(1, "results.jsonl: 13 results, 10 invalid\n", "");
    assert_verdicts(&cases, &invalid_lines(&folder));
    // The other way to ask gives the same answers.
    assert_each(&cases, "result", |case| case.json.clone());
}

#[test]
fn schema_wellformed() {
    let cases = cases("schema_wellformed", 1, 11);
    assert_each(&cases, "schema", |case| case.schema.to_string());
}

#[test]
fn name() {
    let cases = cases("name", 4, 8);
    assert_each(&cases, "declaration", |case| {
        let parameters = r#"{"type": "OBJECT"}"#;
        format!(
            r#"{{"name": {}, "description": "A case.", "parameters": {parameters}}}"#,
            case.json
        )
    });
}

/// Each case as a file of its own, checked in one run.
fn assert_each(cases: &[Case], kind: &str, text: impl Fn(&Case) -> String) {
    let mut folder = Folder::new();
    let mut arguments: Vec<String> = ["check", "--format", "json", "--as", kind]
        .map(str::to_owned)
        .into();
    for (i, case) in cases.iter().enumerate() {
        folder = folder.file(&format!("{i}.json"), text(case));
        arguments.push(format!("{i}.json"));
    }
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 1);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let files = report["files"].as_array().unwrap();
    let is_error = |violation: &Value| violation["severity"] == "error";
    let invalid = files.iter().zip(1..).filter_map(|(file, number)| {
        let violations = file["violations"].as_array().unwrap();
        violations.iter().any(is_error).then_some(number)
    });
    assert_eq!(files.len(), cases.len());
    assert_verdicts(cases, &invalid.collect());
}

/// The lines that have an error, by the report.
fn invalid_lines(folder: &Folder) -> BTreeSet<u64> {
    let report = folder.read("report.jsonl");
    let violations = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    violations
        .filter(|violation| violation["severity"] == "error")
        .map(|violation| violation["line"].as_u64().unwrap())
        .collect()
}

fn assert_verdicts(cases: &[Case], invalid: &BTreeSet<u64>) {
    let expected: BTreeMap<_, _> = cases.iter().map(|case| (&case.id, case.valid)).collect();
    let actual = cases
        .iter()
        .zip(1..)
        .map(|(case, line)| (&case.id, !invalid.contains(&line)));
    assert_eq!(actual.collect::<BTreeMap<_, _>>(), expected);
}
