use crate::contract::Contract;
use crate::dialect::Import;
use crate::document::{AnyDocument, DocumentKind};
use crate::json::{Document, Limits};
use crate::lock::{DifferenceKind, Lock};

fn contract(name: &str, description: &str, more: &str) -> Contract {
    Contract::from_json(format!(
        r#"{{"name": "{name}", "description": "{description}", "returns": "NumberValue",
            "parameters": {{"type": "object", "properties": {{"a": {{"type": "integer"}}{more}}}}}}}"#
    ))
    .unwrap()
}

fn add() -> Contract {
    contract("add", "Adds.", "")
}

fn lock() -> Lock {
    let mut lock = Lock::default();
    lock.set_source("mcp:maths", [contract("sub", "Subtracts.", ""), add()]);
    lock.set_source("files", [add()]);
    lock
}

#[test]
fn the_text_is_the_same_however_the_tools_come() {
    let mut other = Lock::default();
    other.set_source("files", [add()]);
    other.set_source("mcp:maths", [add(), contract("sub", "Subtracts.", "")]);
    assert_eq!(lock().to_text(), other.to_text());
    let again = Lock::from_json(lock().to_text()).unwrap();
    assert_eq!(again.to_text(), lock().to_text());
    assert_eq!(again, lock());
}

#[test]
fn the_order_of_keys_and_what_nobody_sees_make_no_difference() {
    let other = r#"{"returns": "NumberValue", "run": {"command": ["x"]},
        "parameters": {"properties": {"a": {"type": "integer"}}, "type": "object"},
        "description": "Adds.", "name": "add"}"#;
    let other = Contract::from_json(other).unwrap();
    let locked = lock();
    assert!(
        locked
            .source("files")
            .unwrap()
            .differences([&other])
            .is_empty()
    );
    let mut written = lock();
    written.set_source("files", [other]);
    assert_eq!(written.to_text(), locked.to_text());
}

#[test]
fn one_change_is_few_lines() {
    let mut other = lock();
    let changed = contract("add", "Adds.", r#", "b": {"type": "integer"}"#);
    other.source_mut("files").set(changed);
    let (one, other) = (lock().to_text(), other.to_text());
    let lines: Vec<&str> = one.lines().collect();
    let new = other.lines().filter(|line| !lines.contains(line)).count();
    assert!(new <= 5, "{other}");
}

/// Nobody who reviews the text would see them.
#[test]
fn hidden_characters_are_shown() {
    let hidden = contract("add", "Adds.\u{200b}\u{202e}\u{e0041}", "");
    let mut lock = Lock::default();
    lock.set_source("files", [hidden.clone()]);
    let text = lock.to_text();
    assert!(text.contains(r"Adds.\u200b\u202e\udb40\udc41"), "{text}");
    let again = Lock::from_json(text).unwrap();
    assert!(
        again
            .source("files")
            .unwrap()
            .differences([&hidden])
            .is_empty()
    );
    assert_eq!(
        again.source("files").unwrap().differences([&add()]).len(),
        1
    );
}

#[test]
fn differences_are_named() {
    let locked = lock();
    let maths = locked.source("mcp:maths").unwrap();
    let said = |found: &[Contract]| -> Vec<String> {
        let differences = maths.differences(found);
        differences.iter().map(ToString::to_string).collect()
    };
    let sub = contract("sub", "Subtracts.", "");
    assert!(said(&[add(), sub.clone()]).is_empty());
    let widened = contract("add", "Sums.", r#", "b/c": {"type": "integer"}"#);
    assert_eq!(
        said(&[widened, sub.clone()]),
        ["`add` is another: /description, /parameters/properties/b~1c"]
    );
    assert_eq!(said(&[add()]), ["`sub` is gone"]);
    let new = contract("neg", "Negates.", "");
    assert_eq!(said(&[add(), sub.clone(), new]), ["`neg` is new"]);
    let renamed = contract("minus", "Subtracts.", "");
    assert_eq!(
        said(&[add(), renamed]),
        ["`minus` was `sub`", "`sub` is `minus` now"]
    );
    let swapped = [
        contract("add", "Subtracts.", ""),
        contract("sub", "Adds.", ""),
    ];
    assert_eq!(
        said(&swapped),
        [
            "`add` is another: /description",
            "`sub` is another: /description"
        ]
    );
}

/// Of two copies one is the tool under another name, and the other is new.
#[test]
fn a_tool_is_renamed_once() {
    let locked = lock();
    let copies = [contract("one", "Adds.", ""), contract("two", "Adds.", "")];
    let differences = locked.source("files").unwrap().differences(&copies);
    let kinds: Vec<&str> = differences.iter().map(|one| one.kind.as_str()).collect();
    assert_eq!(kinds, ["renamed", "added", "renamed"]);
    assert!(
        matches!(&differences[2].kind, DifferenceKind::RenamedTo(now) if now.as_str() == "one")
    );
}

/// Every reader is strict, and says where.
#[test]
fn a_lock_that_was_edited_is_refused() {
    let text = lock().to_text();
    let digest = add().digest().to_string();
    let refused = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        let document = Document::json(text.as_bytes(), &Limits::default());
        let violations = Lock::check(&document).into_result().unwrap_err();
        let first = violations.iter().next().unwrap().clone();
        (first.code(), first.pointer().to_string())
    };
    let add = "/sources/files/add";
    assert_eq!(
        refused("Adds.", "Adds!"),
        ("lock-digest", format!("{add}/digest"))
    );
    assert_eq!(
        refused(&digest, "sha256:00"),
        ("lock-digest", format!("{add}/digest"))
    );
    assert_eq!(
        refused(r#""add": {"#, r#""sum": {"#),
        ("lock-name", "/sources/files/sum".to_owned())
    );
    let unknown = (r#""digest":"#, r#""since": 1, "digest":"#);
    assert_eq!(
        refused(unknown.0, unknown.1),
        ("unknown-field", format!("{add}/since"))
    );
    assert_eq!(
        refused(r#""contract""#, r#""contracts""#).0,
        "missing-field"
    );
    assert_eq!(
        refused("\"toolpact_lock\": 1", "\"toolpact_lock\": 2").0,
        "lock-version"
    );
    assert_eq!(
        refused("\"mcp:maths\"", "\"files\"").0,
        "json-duplicate-key"
    );
    // A digest may be written as others write it.
    let prefixed = text.replace(&digest, &format!("sha256:{}", digest.to_uppercase()));
    assert_eq!(Lock::from_json(prefixed).unwrap(), lock());
}

/// Commands that take tools take a lock.
#[test]
fn a_lock_has_tools() {
    let document = Document::json(lock().to_text().as_bytes(), &Limits::default());
    let read = AnyDocument::check(&document, None).into_result().unwrap();
    assert_eq!(read.kind(), DocumentKind::Lock);
    let import = Import::read(&document, None).unwrap();
    let names: Vec<&str> = import.contracts().map(|one| one.name().as_str()).collect();
    assert_eq!(names, ["add", "maths__add", "maths__sub"]);
    assert_eq!(read.functions(crate::returns::Level::Shape).len(), 3);
}
