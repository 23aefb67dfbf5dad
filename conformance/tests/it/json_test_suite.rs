//! Every document of JSONTestSuite, read by our JSON reader.
//!
//! A name starting with `y_` says that a reader must accept the document, `n_` that it must
//! refuse it, and `i_` that it may do either: `json_verdicts.rs` says which, and why.

use crate::json_verdicts::{REFUSED_THOUGH_VALID, VERDICTS, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use toolpact_core::json::Value;

#[test]
fn every_document_gets_its_verdict() {
    let Some(dir) = conformance::suite("json-test-suite").or_leave_out() else {
        return;
    };
    let names = names_in(&dir);
    assert_eq!(names.len(), 318, "documents in {}", dir.display());

    let wrong: Vec<_> = names
        .iter()
        .filter_map(|name| complaint(&dir, name))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} wrong verdicts:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_verdict_has_a_document() {
    let Some(dir) = conformance::suite("json-test-suite").or_leave_out() else {
        return;
    };
    let names = names_in(&dir);
    let decided = VERDICTS
        .iter()
        .map(|(name, ..)| *name)
        .chain(REFUSED_THOUGH_VALID);
    let missing: Vec<_> = decided.filter(|name| !names.contains(*name)).collect();
    assert!(
        missing.is_empty(),
        "verdicts without a document: {missing:?}"
    );
}

#[test]
fn every_verdict_is_the_only_one_and_has_a_reason() {
    let names: BTreeSet<_> = VERDICTS.iter().map(|(name, ..)| name).collect();
    assert_eq!(names.len(), VERDICTS.len(), "a document is decided twice");
    assert!(VERDICTS.iter().all(|(.., reason)| !reason.is_empty()));
}

fn names_in(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// What is wrong about how we read this document, if anything.
fn complaint(dir: &Path, name: &str) -> Option<String> {
    let Some((expected, reason)) = expectation(name) else {
        return Some(format!("{name}: json_verdicts.rs does not decide on it"));
    };
    let document = fs::read(dir.join(name)).unwrap();
    let actual = match Value::from_json(document.as_slice()) {
        Ok(_) => Verdict::Accept,
        Err(_) => Verdict::Refuse,
    };
    (actual != expected).then(|| format!("{name}: {actual:?}, not {expected:?} ({reason})"))
}

fn expectation(name: &str) -> Option<(Verdict, &'static str)> {
    if REFUSED_THOUGH_VALID.contains(&name) {
        return Some((Verdict::Refuse, "a duplicate key"));
    }
    match name.split_once('_')?.0 {
        "y" => Some((Verdict::Accept, "valid JSON")),
        "n" => Some((Verdict::Refuse, "not JSON")),
        _ => {
            let row = VERDICTS.iter().find(|(decided, ..)| *decided == name);
            row.map(|(_, verdict, reason)| (*verdict, *reason))
        }
    }
}
