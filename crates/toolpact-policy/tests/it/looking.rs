//! Which calls Cedar itself has to be asked about.

use toolpact_policy::LookedAt;

use crate::support::{Desk, ada};

const ARGS: &str = r#"{"amount": 7, "order": "A1", "share": 0.25, "labels": ["x", "vip"], "customer": {"country": "NO"}}"#;

fn looked_at(policies: &str, args: &str) -> (&'static str, LookedAt) {
    let desk = Desk::new(policies);
    let outcome = desk.outcome(&ada(), "refund", args);
    (outcome, desk.guard.policies().unwrap().looked_at())
}

/// What most policies are made of.
#[test]
fn usual_conditions_need_no_cedar() {
    for condition in [
        "context.input.amount <= 100",
        "context.input.amount * 2 - 1 > -3 && context.input.amount != 8",
        "principal.anonymous || context.input.amount >= 7",
        "if principal in Group::\"support\" then context.input.amount < 8 else false",
        "context.input.order == \"A1\" && context.input.order like \"A*\"",
        "[\"A1\", \"B2\"].contains(context.input.order) && principal.name == \"ada\"",
        "context.input has share && context.input.share.lessThan(decimal(\"0.3\"))",
        "context.input.labels.containsAll([\"vip\"]) && !context.input.labels.isEmpty()",
        "context.input.labels.containsAny([\"vip\", \"new\"])",
        "context.input has customer.country && context.input.customer.country == \"NO\"",
        "!(context.input has reason) && !(context has client)",
        "context.time > datetime(\"2026-01-01\") && context.session == 7",
    ] {
        let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
        let (outcome, looked_at) = looked_at(&policy, ARGS);
        assert_eq!(outcome, "allow", "{condition}");
        let found = (looked_at.evaluated, looked_at.asked_cedar);
        assert_eq!(found, (1, 0), "{condition}");
    }
}

/// What fails, and what is rare.
#[test]
fn cedar_is_asked_about_the_rest() {
    for (condition, outcome) in [
        ("context.input.amount + 9223372036854775807 > 1", "deny"),
        ("context.input.reason == \"late\"", "deny"),
        ("context.input.customer == {country: \"NO\"}", "allow"),
        ("context.time.toDate() > datetime(\"2026-01-01\")", "allow"),
    ] {
        let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
        let (found, looked_at) = looked_at(&policy, ARGS);
        assert_eq!(found, outcome, "{condition}");
        let found = (looked_at.evaluated, looked_at.asked_cedar);
        assert_eq!(found, (0, 1), "{condition}");
    }
    // What is rare and not reached costs nothing.
    let policy = "permit(principal, action, resource)
        when { context.input.amount < 8 || context.input.customer == {country: \"NO\"} };";
    assert_eq!(looked_at(policy, ARGS).1.asked_cedar, 0);
}

/// What is left is the same for all calls.
#[test]
fn what_depends_on_the_caller_alone_is_not_looked_at() {
    let policy = "permit(principal in Group::\"support\", action, resource);
        forbid(principal, action, resource) when { principal.name == \"bob\" && context.input.amount > 3 };";
    assert_eq!(looked_at(policy, ARGS), ("allow", LookedAt::default()));
}

/// A set that somebody makes very large is not compared element by element.
#[test]
fn large_sets_are_compared_by_cedar() {
    let labels: Vec<String> = (0..5000).map(|label| format!("\"{label}\"")).collect();
    let args = format!(
        r#"{{"amount": 1, "order": "", "labels": [{}]}}"#,
        labels.join(",")
    );
    let policy = "permit(principal, action, resource) when { context.input.labels.containsAll([\"1\", \"4999\"]) };";
    let (outcome, looked_at) = looked_at(policy, &args);
    assert_eq!((outcome, looked_at.asked_cedar), ("allow", 1));
}

/// Deep expressions are left to Cedar. It needs more stack for them in a debug build than a test has.
#[test]
fn deep_conditions_are_left_to_cedar() {
    let look = || {
        let condition = vec!["context.input.amount == 7"; 150].join(" && ");
        let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
        looked_at(&policy, ARGS)
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let (outcome, looked_at) = thread.spawn(look).unwrap().join().unwrap();
    assert_eq!((outcome, looked_at.asked_cedar), ("allow", 1));
}

/// As deep as conditions may be that are evaluated here, on a thread like those of servers.
#[test]
fn conditions_of_some_depth_are_evaluated() {
    let condition = vec!["context.input.amount == 7"; 20].join(" && ");
    let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
    assert_eq!(looked_at(&policy, ARGS).1.evaluated, 1);
}
