//! The same in YAML, and what only YAML can do.

use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};

use super::{MANY, assert_capped, codes, unlimited};

fn read(text: &str, limits: &Limits) -> Vec<&'static str> {
    codes(&Document::yaml(text.as_bytes(), limits).violations())
}

#[test]
fn depth() {
    let flow = "[".repeat(MANY) + &"]".repeat(MANY);
    assert_eq!(read(&flow, &Limits::default()), ["json-too-deep"]);
    // The parser below has a limit of its own for brackets, but not for blocks.
    assert_eq!(read(&flow, &unlimited()), ["json-too-deep"]);
    let most = "[".repeat(255) + &"]".repeat(255);
    assert!(read(&most, &unlimited()).is_empty());
    let block = "- ".repeat(MANY) + "x";
    assert_eq!(read(&block, &Limits::default()), ["json-too-deep"]);
    let value = Document::yaml(block.as_bytes(), &unlimited())
        .into_value()
        .unwrap();
    assert_eq!(value.text().len(), 2 * MANY + 3);
    assert!(value == value.clone());
    let maps = "{a: ".repeat(MANY);
    assert_eq!(read(&maps, &Limits::default()), ["json-too-deep"]);
    assert_eq!(
        read(&"? ".repeat(MANY), &Limits::default()),
        ["yaml-unsupported"]
    );
}

/// Each of many blocks ends at the same place, after the same space.
#[test]
fn depth_with_much_space_at_the_end() {
    let text = "- ".repeat(MANY) + "x" + &"\n".repeat(MANY);
    assert!(read(&text, &unlimited()).is_empty());
}

#[test]
fn aliases_do_not_multiply() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..20 {
        let before = format!("*a{}, ", i - 1).repeat(10);
        text += &format!("a{i}: &a{i} [{before}]\n");
    }
    assert_eq!(read(&text, &Limits::default()), ["yaml-unsupported"]);
    // Of one large thing, few copies are enough.
    let large = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(1_000_000),
        "*a, ".repeat(MANY)
    );
    assert_eq!(read(&large, &Limits::default()), ["yaml-unsupported"]);
    let deep = format!(
        "a: &a {}x\nb:\n{}",
        "- ".repeat(100),
        "  - *a\n".repeat(1_000)
    );
    assert_eq!(read(&deep, &Limits::default()), ["yaml-syntax"]);
}

#[test]
fn many_aliases_of_a_small_thing() {
    let text = "a: &a x\nb:\n".to_owned() + &"  - *a\n".repeat(MANY);
    assert!(read(&text, &Limits::default()).is_empty());
    let anchors: Vec<String> = (0..MANY).map(|i| format!("- &a{i} x\n")).collect();
    assert!(read(&anchors.concat(), &Limits::default()).is_empty());
}

/// An alias at a depth where what it names would be too deep.
#[test]
fn aliases_count_their_depth() {
    let a = "[".repeat(100) + &"]".repeat(100);
    let b = format!("{}*a{}", "[".repeat(27), "]".repeat(27));
    assert!(read(&format!("a: &a {a}\nb: {b}\n"), &Limits::default()).is_empty());
    let text = format!("a: &a {a}\nb: [{b}]\n");
    assert_eq!(read(&text, &Limits::default()), ["json-too-deep"]);
}

#[test]
fn a_hundred_thousand_keys() {
    let keys: Vec<String> = (0..MANY).map(|i| format!("key_{i}: é\n")).collect();
    let document = Document::yaml(keys.concat().as_bytes(), &Limits::default());
    assert!(document.violations().is_empty());
    let checked = AnyDocument::check(&document, Some(DocumentKind::Schema));
    assert_capped(&checked.violations, MANY + 1);
    let same = "key: é\n".repeat(MANY);
    let document = Document::yaml(same.as_bytes(), &Limits::default());
    assert_capped(&document.violations(), MANY - 1);
}

#[test]
fn a_scalar_of_ten_megabytes() {
    let long = "bcd é ".repeat(1_500_000);
    assert!(read(&format!("a: \"{long}\""), &Limits::default()).is_empty());
    assert_eq!(
        read(&"1".repeat(1_000_000), &Limits::default()),
        ["json-number-overflow"]
    );
    let hex = "0x".to_owned() + &"F".repeat(1_000_000);
    assert_eq!(read(&hex, &Limits::default()), ["yaml-unsupported"]);
}
