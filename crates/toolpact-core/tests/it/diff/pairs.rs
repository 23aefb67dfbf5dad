//! Which tool of one side is which of the other, and many of them.

use toolpact_core::contract::Contract;
use toolpact_core::diff::{Diff, Verdict};

use super::{contract, lines, tool};

/// Decision 414.
#[test]
fn renamed_tools() {
    let parameters =
        r#"{"type":"object","properties":{"id":{"type":"string"},"limit":{"type":"integer"}}}"#;
    let one = |name: &str, description: &str| {
        let tool = tool(name, parameters, "\"opaque\"").to_json();
        contract(&tool.replace("Finds orders of one customer.", description))
    };
    let (orders, text) = (
        "orders",
        "Finds the orders of one customer, the newest ones first.",
    );
    let names = |new: &Contract| {
        let diff = Diff::between([&one(orders, text)], [new]);
        let tools = diff.tools().iter();
        let names = tools.map(|tool| {
            (
                tool.old_name().map(str::to_owned),
                tool.new_name().map(str::to_owned),
            )
        });
        (names.collect::<Vec<_>>(), diff.verdict())
    };
    let pair = |name: &str| vec![(Some(orders.to_owned()), Some(name.to_owned()))];
    assert_eq!(
        names(&one("find_orders", text)),
        (pair("find_orders"), Verdict::Breaking)
    );
    let alike = one(
        "find_orders",
        "Finds the orders of one customer, newest ones first, quickly.",
    );
    assert_eq!(names(&alike).0, pair("find_orders"));
    let (other, verdict) = names(&one(
        "invoices",
        "Deletes an invoice and everything that belongs to it.",
    ));
    assert_eq!((other.len(), verdict), (2, Verdict::Breaking));
}

/// Names that differ in case and separators only, whatever else has changed.
#[test]
fn names_that_are_spelled_in_another_way() {
    let one = |name: &str, description: &str, key: &str| {
        let parameters =
            format!(r#"{{"type":"object","properties":{{"{key}":{{"type":"string"}}}}}}"#);
        let tool = tool(name, &parameters, "\"opaque\"").to_json();
        contract(&tool.replace("Finds orders of one customer.", description))
    };
    let old = |name: &str| one(name, "Draws.", "width");
    let new = |name: &str| one(name, "A picture of the logo, 16 by 16.", "format");
    let side = |names: &[&str], make: &dyn Fn(&str) -> Contract| -> Vec<Contract> {
        names.iter().map(|name| make(name)).collect()
    };
    let renamed = |before: &[Contract], after: &[Contract]| -> Vec<String> {
        let diff = Diff::between(before, after);
        let renamed = diff.tools().iter().filter(|tool| tool.is_renamed());
        renamed
            .map(|tool| format!("{} {}", tool.old_name().unwrap(), tool.name()))
            .collect()
    };
    for (before, after, expected) in [
        (
            &["getTinyImage"][..],
            &["get-tiny-image"][..],
            &["getTinyImage get-tiny-image"][..],
        ),
        (
            &["get_tiny_image"],
            &["GetTinyImage"],
            &["get_tiny_image GetTinyImage"],
        ),
        // Other words, and other versions.
        (&["getTinyImage"], &["get-small-image"], &[]),
        (&["read_v1_2"], &["read_v12"], &[]),
        (&["read_v1_2"], &["readV1-2"], &["read_v1_2 readV1-2"]),
        // Nobody knows which of the two it is.
        (
            &["getTinyImage"],
            &["get_tiny_image", "get-tiny-image"],
            &[],
        ),
        (
            &["getTinyImage", "get_tiny_image"],
            &["get-tiny-image"],
            &[],
        ),
        (
            &["getTinyImage", "get_tiny_image"],
            &["get-tiny-image", "get_tiny_image"],
            &[],
        ),
    ] {
        let found = renamed(&side(before, &old), &side(after, &new));
        assert_eq!(found, expected, "{before:?} {after:?}");
    }
    // What is the same under another name is the better match.
    let after = [new("get-tiny-image"), old("draw")];
    assert_eq!(
        renamed(&[old("getTinyImage")], &after),
        ["getTinyImage draw"]
    );
    // All are the same but for their names, and come in another order.
    let found = renamed(
        &side(&["getA", "getB"], &old),
        &side(&["get_b", "get_a"], &old),
    );
    assert_eq!(found, ["getB get_b", "getA get_a"]);
}

/// Tool `n` of a thousand, each of another size and shape. `limit` and `more` are the same two places of all, at
/// another depth.
fn one_of_many(n: usize, limit: u32, more: &str) -> Contract {
    const KINDS: [&str; 7] = [
        r#"{"type":"string","description":"Some words."}"#,
        r#"{"type":"integer","minimum":1}"#,
        r#"{"type":["boolean","null"]}"#,
        r#"{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"maxItems":9}"#,
        r#"{"anyOf":[{"type":"string","format":"date-time"},{"type":"integer"}]}"#,
        r#"{"type":"object","additionalProperties":{"type":"number"}}"#,
        r#"{"type":"string","pattern":"^[a-z]+-[0-9]{2,4}$"}"#,
    ];
    let kind = |at: usize| KINDS[at % KINDS.len()];
    let keys: Vec<String> = (0..n % 23)
        .map(|at| format!(r#""key_{at}":{}"#, kind(n + at)))
        .collect();
    let changed = format!(
        r#"{{"type":"object","properties":{{"limit":{{"type":"integer","maximum":{limit}}},
        "status":{{"enum":["open","paid"{more}]}}}}}}"#
    );
    let nested = (0..n % 5).fold(changed, |inner, level| {
        format!(
            r#"{{"type":"object","properties":{{"level_{level}":{inner},"other":{}}}}}"#,
            kind(n + level)
        )
    });
    let comma = if keys.is_empty() { "" } else { "," };
    let parameters = format!(
        r#"{{"type":"object","properties":{{"filter":{nested}{comma}{}}},"required":["filter"]}}"#,
        keys.join(",")
    );
    let results: Vec<String> = (0..=n % 17)
        .map(|at| format!(r#""field_{at}":{}"#, kind(n / 7 + at)))
        .collect();
    let result = format!(
        r#"{{"type":"object","properties":{{{}}},"required":["field_0"]}}"#,
        results.join(",")
    );
    let returns = match n % 3 {
        0 => result,
        1 => format!(r#"{{"type":"array","items":{result}}}"#),
        _ => format!(
            r##"{{"type":"object","properties":{{"found":{{"$ref":"#/$defs/one"}}}},"$defs":{{"one":{result}}}}}"##
        ),
    };
    tool(&format!("tool_{n}"), &parameters, &returns)
}

/// For the figure: every tool of a thousand differs in two places.
#[test]
fn a_thousand_tools() {
    let side = |limit: u32, more: &str| -> Vec<Contract> {
        (0..1_000).map(|n| one_of_many(n, limit, more)).collect()
    };
    let (old, new) = (side(100, ""), side(50, r#","void""#));
    let bytes: usize = old.iter().map(|contract| contract.to_json().len()).sum();
    let start = std::time::Instant::now();
    let diff = Diff::between(&old, &new);
    let took = start.elapsed();
    eprintln!("1,000 tools, {bytes} bytes on each side, in {took:?}");
    assert_eq!(diff.changed().count(), 1_000);
    for tool in diff.tools() {
        assert_eq!(
            (tool.verdict(), tool.changes().len()),
            (Verdict::Breaking, 2),
            "{:?}",
            lines(tool)
        );
    }
}
