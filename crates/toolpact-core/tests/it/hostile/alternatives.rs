//! Many alternatives: at one place, one inside of the other, each with much to read.

use super::{agrees, broken, joined, left_out, read, soon};

fn nots(count: usize) -> String {
    joined(count, |i| format!(r#"{{"not":{{"const":{i}}}}}"#))
}

/// Arrays in arrays, with much space that buys time for alternatives.
fn nested(levels: usize) -> String {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    format!("{open}{}{close}", " ".repeat(1_000_000))
}

/// Each is decided on top of the others, on the stack, and so at each level.
#[test]
fn many_at_each_level() {
    for count in [60, 500] {
        let schema = format!(r##"{{"allOf":[{}],"items":{{"$ref":"#"}}}}"##, nots(count));
        for levels in [10, 127] {
            let checker = read(&schema).unwrap().checker();
            let valid = soon(|| checker.check(&super::value(&nested(levels))).is_ok());
            soon(|| agrees(&checker, &nested(levels), valid));
        }
    }
}

/// One at each place, but it opens another place, and the elements are behind the last.
#[test]
fn one_inside_of_the_other() {
    let inner = r##"{"items":{"$ref":"#"}}"##.to_owned();
    let deep = (0..90).fold(inner, |inner, _| format!(r#"{{"not":{inner}}}"#));
    let checker = read(&deep).unwrap().checker();
    assert_eq!(checker.uncovered(), None);
    for levels in [5, 120] {
        let valid = soon(|| checker.check(&super::value(&nested(levels))).is_ok());
        soon(|| agrees(&checker, &nested(levels), valid));
    }
}

/// To gather all of them for each of them would be 10^10 steps.
#[test]
fn many_at_one_place() {
    let schema = format!(r#"{{"allOf":[{}]}}"#, nots(4_000));
    assert!(soon(|| left_out(&schema)).is_some());
    assert_eq!(soon(|| broken(&schema, "-1")), [""; 0]);
    assert_eq!(soon(|| broken(&schema, "3999")), ["value-schema"]);
}

/// What does not match was read before that was seen: 10^11 bytes.
#[test]
fn each_reads_all_of_it() {
    let numbers = joined(4_000, |i| {
        format!(r#"{{"type":"number","minimum":{}}}"#, i + 1)
    });
    let objects = joined(2_000, |i| {
        format!(r#"{{"properties":{{"k{i}":true}},"additionalProperties":false}}"#)
    });
    let arrays = joined(4_000, |i| {
        format!(r#"{{"items":{{"type":"number","minimum":{}}}}}"#, i + 1)
    });
    let space = " ".repeat(20_000_000);
    for (alternatives, instance) in [
        (&numbers, format!("0.{}1", "0".repeat(2_000_000))),
        (&objects, format!("{{\"{}\":1}}", "x".repeat(40_000_000))),
        (&objects, format!("{{{space}\"x\":1}}")),
        (&arrays, format!("[{space}0]")),
    ] {
        let checker = read(&format!(r#"{{"anyOf":[{alternatives}]}}"#)).unwrap();
        let checker = checker.checker();
        assert_eq!(checker.uncovered(), None);
        assert!(!soon(|| checker.is_valid(instance.as_bytes())));
    }
}
