//! The official validator of SARIF.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the validator says about every log of ours: it asks for the address of a home page, and the
/// project has none to give. It must say so: from a level that SARIF does not know, for one, it
/// turns away without a word, and then finds nothing.
const HOME_PAGE: &str = "SARIF2005";

/// What the validator finds in some logs, one line each, without what it always says. One run for
/// all of them, because it takes its time to start.
pub(crate) fn findings(validator: &Path, logs: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = |number: usize| folder.path().join(format!("{number}.sarif"));
    for (number, log) in logs.iter().enumerate() {
        fs::write(file(number), log).unwrap();
    }
    let results = validate(validator, folder.path(), (0..logs.len()).map(file));
    let mut findings = Vec::new();
    for number in 0..logs.len() {
        let uri = format!("/{number}.sarif");
        let about: Vec<_> = results
            .iter()
            .filter(|result| place(result).ends_with(&uri))
            .collect();
        if !about.iter().any(|result| result["ruleId"] == HOME_PAGE) {
            findings.push(format!("log {number}: no {HOME_PAGE}"));
        }
        let unexpected = about.iter().filter(|result| result["ruleId"] != HOME_PAGE);
        findings.extend(unexpected.map(|result| format!("log {number}: {result}")));
    }
    findings
}

fn validate(validator: &Path, folder: &Path, logs: impl Iterator<Item = PathBuf>) -> Vec<Value> {
    let output = folder.join("findings");
    let ran = Command::new(validator.join("Sarif.Multitool"))
        .args(["validate", "--log", "ForceOverwrite", "--output"])
        .arg(&output)
        .args(logs)
        // It needs no locale data, which not every machine has.
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    let findings: Value = serde_json::from_slice(&fs::read(output).expect(&said)).unwrap();
    let run = &findings["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], true, "{said}");
    run["results"].as_array().unwrap().clone()
}

fn place(result: &Value) -> &str {
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    place.as_str().unwrap()
}
