//! The bundle of return types under a validator that others wrote.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use toolpact_core::returns::{StandardType, bundle};

const VALUES: &str = include_str!("../../../vectors/adl_values.json");
const EXAMPLES: &str = include_str!("../../../vectors/adl_examples.json");

/// The spellings of a reference. `StandardReturnTypes/X` is left out: it leads to a place that is no
/// keyword, where 2020-12 leaves open whether there is a schema, and this validator says no. The
/// `jsonschema` crate says yes, which a test of the core holds.
const SPELLINGS: [&str; 2] = ["StandardReturnTypes/properties/X", "XSchema"];

/// Every example by every spelling of its reference, and the verdicts of all values.
#[test]
fn a_second_validator_agrees() {
    let Some(jschon) = conformance::suite("jschon").or_leave_out() else {
        return;
    };
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
    for standard in StandardType::all() {
        for example in examples[standard.name()].as_array().unwrap() {
            for spelling in SPELLINGS {
                let reference = format!("#/$defs/{}", spelling.replace('X', standard.name()));
                cases.push(json!({"ref": reference, "value": example}));
                expected.push(true);
            }
            let uri = standard.uri();
            cases.push(json!({"ref": uri, "value": example}));
            expected.push(true);
        }
    }
    let values: Vec<Value> = serde_json::from_str(VALUES).unwrap();
    for case in &values {
        let reference = format!("#/$defs/{}Schema", case["type"].as_str().unwrap());
        cases.push(json!({"ref": reference, "value": case["value"]}));
        expected.push(case["valid"].as_bool().unwrap());
    }
    let schema: Value = serde_json::from_str(&bundle()).unwrap();
    let verdicts = judge(&jschon, &json!({"schema": schema, "cases": cases}));
    for ((case, expected), verdict) in cases.iter().zip(expected).zip(&verdicts) {
        assert_eq!(verdict, &json!(expected), "{case}");
    }
    assert_eq!(verdicts.len(), cases.len());
}

fn judge(jschon: &std::path::Path, work: &Value) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/validate_bundle.py");
    let mut python = Command::new("python3")
        .arg(script)
        .env("PYTHONPATH", jschon)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(work.to_string().as_bytes()).unwrap();
    drop(input);
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}
