//! Arguments in Cedar, and those that cannot be.

use crate::support::{Desk, ada};

fn desk(condition: &str) -> Desk {
    Desk::new(&format!(
        "permit(principal, action, resource);\nforbid(principal, action == Action::\"refund\", resource) when {{ {condition} }};"
    ))
}

#[test]
fn each_type_can_be_compared() {
    for (condition, args, expected) in [
        (
            "context.input.amount > 100",
            r#"{"amount": 101, "order": ""}"#,
            "deny",
        ),
        (
            "context.input.amount > 100",
            r#"{"amount": 1.01e2, "order": ""}"#,
            "deny",
        ),
        (
            "context.input.amount > 100",
            r#"{"amount": 100, "order": ""}"#,
            "allow",
        ),
        (
            r#"context.input.order like "A*""#,
            r#"{"amount": 1, "order": "A1"}"#,
            "deny",
        ),
        (
            r#"context.input.order like "A*""#,
            r#"{"amount": 1, "order": "B1"}"#,
            "allow",
        ),
        (
            r#"context.input has share && context.input.share.greaterThan(decimal("0.5"))"#,
            r#"{"amount": 1, "order": "", "share": 0.5001}"#,
            "deny",
        ),
        (
            r#"context.input has share && context.input.share.greaterThan(decimal("0.5"))"#,
            r#"{"amount": 1, "order": "", "share": 0.5}"#,
            "allow",
        ),
        (
            r#"context.input has labels && context.input.labels.contains("vip")"#,
            r#"{"amount": 1, "order": "", "labels": ["new", "vip", "vip"]}"#,
            "deny",
        ),
        (
            r#"context.input has customer && context.input.customer.country == "NO""#,
            r#"{"amount": 1, "order": "", "customer": {"country": "NO", "more": [1, null]}}"#,
            "deny",
        ),
        (
            "!(context.input has reason)",
            r#"{"amount": 1, "order": "", "reason": null}"#,
            "deny",
        ),
        (
            "!(context.input has reason)",
            r#"{"amount": 1, "order": "", "reason": ""}"#,
            "allow",
        ),
    ] {
        let outcome = desk(condition).outcome(&ada(), "refund", args);
        assert_eq!(outcome, expected, "{condition} with {args}");
    }
}

/// A forbid must not be passed by with a value that Cedar cannot hold.
#[test]
fn a_value_that_cedar_cannot_hold_is_denied_where_a_policy_uses_it() {
    let big = r#"{"amount": 9223372036854775808, "order": ""}"#;
    let fine = r#"{"amount": 1, "order": "", "share": 0.50001}"#;
    let nested = r#"{"amount": 1, "order": "", "customer": {"country": "NO", "age": 1e30}}"#;
    for (condition, args) in [
        ("context.input.amount > 100", big),
        ("context.input == {amount: 1, order: \"\"}", big),
        (
            "context.input has share && context.input.share.greaterThan(decimal(\"0.9\"))",
            fine,
        ),
        ("context.input has share", fine),
        (
            "context.input has customer && context.input.customer has age",
            nested,
        ),
        (
            "context.input has customer && context.input.customer == {country: \"DE\"}",
            nested,
        ),
    ] {
        let verdict = desk(condition).verdict(&ada(), "refund", args);
        assert_eq!(verdict.outcome.as_str(), "deny", "{condition} with {args}");
        assert_eq!(verdict.errors.len(), 1, "{verdict:?}");
    }
}

#[test]
fn a_value_that_no_policy_uses_may_be_anything() {
    let args = r#"{"amount": 1, "order": "", "share": 0.123456789, "customer": {"country": "NO", "age": 1e30}}"#;
    for condition in [
        "context.input.amount > 100",
        r#"context.input has customer && context.input.customer.country == "DE""#,
    ] {
        assert_eq!(
            desk(condition).outcome(&ada(), "refund", args),
            "allow",
            "{condition}"
        );
    }
}

/// Cedar leaves a policy out that fails. A forbid that is left out would be an open door.
#[test]
fn a_forbid_that_fails_denies() {
    let args = r#"{"amount": 9223372036854775807, "order": ""}"#;
    let verdict = desk("context.input.amount + 1 > 100").verdict(&ada(), "refund", args);
    assert_eq!(verdict.outcome.as_str(), "deny");
    assert_eq!(verdict.policies.len(), 1);
    let permit = Desk::new(
        r#"@id("plus") permit(principal, action, resource) when { context.input.amount + 1 > 100 };
           @id("other") permit(principal, action, resource);"#,
    );
    let verdict = permit.verdict(&ada(), "refund", args);
    assert_eq!(verdict.outcome.as_str(), "allow");
    assert_eq!(verdict.policies, ["other"]);
}
