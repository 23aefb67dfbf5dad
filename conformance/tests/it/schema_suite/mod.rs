//! Every case of the JSON Schema Test Suite for 2020-12, both ways: on the explain path, which
//! reads a value into a tree, and on the fast path, which takes its text. Both must say what the
//! suite says; `skips.rs` has the exceptions.

mod cases;
mod skips;
mod tally;

use cases::{Group, groups};
use skips::{DIFFERENT, REFUSED};
use std::collections::BTreeSet;
use tally::Tally;

#[test]
fn every_case_gets_its_verdict() {
    let Some(groups) = installed_groups() else {
        return;
    };
    let mut tally = Tally::default();
    for group in &groups {
        tally.judge(group);
    }
    conformance::reports::write("json-schema-test-suite", &tally.report());
    let complaints = &tally.complaints;
    let count = complaints.len();
    assert!(count == 0, "{count} complaints:\n{}", complaints.join("\n"));
    assert_eq!((groups.len(), tally.cases), (438, 1906));
}

#[test]
fn every_skip_is_about_a_group() {
    let Some(groups) = installed_groups() else {
        return;
    };
    let groups: BTreeSet<_> = groups.iter().map(Group::key).collect();
    let missing: Vec<_> = skipped().filter(|skip| !groups.contains(skip)).collect();
    assert!(missing.is_empty(), "skips without a group: {missing:?}");
}

#[test]
fn every_skip_is_the_only_one_and_has_a_reason() {
    let unique: BTreeSet<_> = skipped().collect();
    assert_eq!(unique.len(), skipped().count(), "a group is skipped twice");
    assert!(REFUSED.iter().all(|(.., refusal)| !refusal.why.is_empty()));
    assert!(DIFFERENT.iter().all(|(.., reason)| !reason.is_empty()));
}

fn installed_groups() -> Option<Vec<Group>> {
    let dir = conformance::suite("json-schema-test-suite").or_leave_out()?;
    Some(groups(&dir))
}

fn skipped() -> impl Iterator<Item = (&'static str, &'static str)> {
    let refused = REFUSED.iter().map(|(file, name, _)| (*file, *name));
    refused.chain(DIFFERENT.iter().map(|(file, name, ..)| (*file, *name)))
}
