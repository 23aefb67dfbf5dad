use std::error::Error as _;

use toolpact_core::json::Value;

use super::plan;
use crate::error::ErrorKind;
use crate::{Plan, PlanLimits, PlanStep};

fn ids(text: &str) -> Vec<String> {
    let plan = plan(text);
    plan.steps().iter().map(|s| s.id().to_owned()).collect()
}

fn refused(text: &str) -> String {
    Plan::from_text(text).unwrap_err().to_string()
}

#[test]
fn every_form_of_a_plan() {
    assert_eq!(
        ids(r#"[{"id": "a", "tool": "t"}, {"tool": "t"}]"#),
        ["a", "step2"]
    );
    assert_eq!(ids(r#" {"steps": [{"tool": "t"}]} "#), ["step1"]);
    assert_eq!(ids(r#"{"goal": "g", "steps": {"tool": "t"}}"#), ["step1"]);
    assert_eq!(ids(r#"{"tool": "t"}"#), ["step1"]);
    assert_eq!(
        ids("Here is the plan:\n\n```json\n[{\"id\": \"a\", \"tool\": \"t\"}]\n```\nShall I?"),
        ["a"]
    );
    let value = Value::from_json(r#"[{"id": 1, "tool": "t"}]"#).unwrap();
    assert_eq!(Plan::from_value(&value).unwrap().steps()[0].id(), "1");
}

#[test]
fn other_words_for_the_fields() {
    let plan = plan(
        r#"[{"step": 1, "name": "t", "arguments": {"a": 1}, "thought": "first"},
            {"id": "b", "tool": "t", "input": {"x": "{{1.a}}"}, "depends_on": "1"},
            {"id": "c", "tool": "t", "parameters": null, "after": null, "dependencies": [1, "b"]}]"#,
    );
    let shown = |step: &PlanStep| {
        let needs: Vec<&str> = step.needs().collect();
        format!(
            "{} {} {} {}",
            step.id(),
            step.tool(),
            step.args(),
            needs.join(",")
        )
    };
    let shown: Vec<String> = plan.steps().iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            r#"1 t {"a": 1} "#,
            r#"b t {"x": "{{1.a}}"} 1,1"#,
            "c t {} 1,b"
        ]
    );
}

#[test]
fn all_problems_at_once() {
    insta::assert_snapshot!(refused(
        r#"{"stpes": 1, "steps": [
            7,
            {"id": "a b", "args": []},
            {"id": "x", "tool": "t", "name": "u", "args": {"q": ["{{ x | upper }}", {"deep": "{{"}]}},
            {"id": "x", "tool": 5, "dependsOn": ["x"], "if": "true"},
            {"id": "x", "tool": "t", "args": "some text", "after": ["", {}]},
            {"id": "y", "tool": "t", "args": "{{y}} "},
            {"id": "x", "tool": "t"}
        ]}"#
    ), @r#"
    error[plan-shape] at /stpes: expected `steps`, found `stpes`; did you mean `steps`?
    error[plan-shape] in step `step1`: expected a step, found a number
    error[plan-shape] in step `step2` at /id: expected an id of letters, digits, `_` and `-`, of at most 64 bytes, found `a b`
    error[plan-shape] in step `step2`: expected the key `tool`, found none
    error[plan-shape] in step `step2` at /args: expected an object of arguments, found an array
    error[plan-shape] in step `x`: expected one of `tool` and `name`, found both; write `tool` alone
    error[plan-reference] in step `x` at /args/q/0: expected `.key`, `[0]`, `["key"]` or `}}` in a reference, found `| upper }}`; to mean the braces themselves, write `{{{{`
    error[plan-reference] in step `x` at /args/q/1/deep: expected the id of a step in a reference, found the end of the text; to mean the braces themselves, write `{{{{`
    error[plan-shape] in step `x` at /dependsOn: expected one of the keys `id`, `tool`, `args` and `after`, found `dependsOn`; did you mean `depends_on`?
    error[plan-shape] in step `x` at /if: expected one of the keys `id`, `tool`, `args` and `after`, found `if`; did you mean `id`?
    error[plan-shape] in step `x` at /tool: expected the name of a tool, found a number
    error[plan-shape] in step `x` at /args: expected an object of arguments, found a string
    error[plan-shape] in step `x` at /after/0: expected an id of letters, digits, `_` and `-`, of at most 64 bytes, found ``
    error[plan-shape] in step `x` at /after/1: expected the id of a step, found an object
    error[plan-shape] in step `y` at /args: expected an object of arguments, found a string
    error[plan-id] in step `x` at /id: expected an id of its own, found `x`, which a step before it has
    "#);
}

#[test]
fn not_json() {
    insta::assert_snapshot!(refused(""), @"error[plan-json]: expected one plan in JSON, found nothing; write the steps as one JSON array, alone or in one ```json block");
    insta::assert_snapshot!(refused("I cannot do\nthat."), @"error[plan-json]: expected one plan in JSON, found `I cannot do that.`; write the steps as one JSON array, alone or in one ```json block");
    insta::assert_snapshot!(refused("5"), @"error[plan-json]: expected one plan in JSON, found `5`; write the steps as one JSON array, alone or in one ```json block");
    insta::assert_snapshot!(refused("[]"), @"error[plan-shape]: expected at least one step, found none");
    insta::assert_snapshot!(refused(r#"{"steps": "none"}"#), @"error[plan-shape]: expected a list of steps, found a string");
    insta::assert_snapshot!(refused("Plan:\n```\n[{\"tool\": \"t\",}]\n```"), @"error[plan-json] at /0: line 3, column 14: expected another element after the comma, found the end of the list; remove the comma");
    insta::assert_snapshot!(refused("```\n[1]\n```\n```\n[2]\n```"), @"error[plan-json]: expected one plan in JSON, found 2 blocks of it; write the steps as one JSON array, alone or in one ```json block");
    insta::assert_snapshot!(refused(r#"[{"tool": "a", "tool": "b"}]"#), @"error[plan-json] at /0/tool: line 1, column 16: expected each key once, found `tool` again in the same object; remove one of them, or rename it");
}

#[test]
fn limits() {
    let within = |text: &str, limits: PlanLimits| {
        let read = Plan::from_text_within(text, &limits);
        read.map_or_else(|error| error.to_string(), |_| "fine".to_owned())
    };
    let limits = PlanLimits::default();
    let text = r#"[{"tool": "t", "args": {"a": "{{b}}{{c}}"}}]"#;
    assert_eq!(within(text, limits), "fine");
    insta::assert_snapshot!(within(text, limits.references(1)), @"error[plan-limit]: expected at most 1 reference, found 2");
    insta::assert_snapshot!(within(text, limits.steps(0)), @"error[plan-limit]: expected at most 0 steps, found 1");
    insta::assert_snapshot!(within(text, limits.plan_bytes(20)), @"error[plan-json]: line 1, column 1: the text has 44 bytes; expected at most 20; split it, or raise the limit");
    let steps = |number| format!("[{}]", vec![r#"{"tool": "t"}"#; number].join(","));
    assert_eq!(within(&steps(1_000), limits), "fine");
    insta::assert_snapshot!(within(&steps(1_001), limits), @"error[plan-limit]: expected at most 1000 steps, found 1001");
}

#[test]
fn no_more_problems_than_anyone_reads() {
    let steps = format!("[{}]", vec!["{}"; 1_000].join(","));
    assert_eq!(Plan::from_text(&steps).unwrap_err().problems().len(), 100);
}

#[test]
fn errors_have_a_kind_a_place_and_a_source() {
    let error = Plan::from_text(r#"[{"id": "a", "tool": "t", "arsg": {}}]"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidPlan);
    assert_eq!(error.place(), "step `a` at /arsg");
    assert!(error.source().is_none());

    let error = Plan::from_text(r#"[{"id": "a", "id": "b"}]"#).unwrap_err();
    assert_eq!(error.place(), "at /0/id");
    let source = error.source().unwrap();
    assert!(source.is::<toolpact_core::Violations>());
}

#[test]
fn limits_are_written_and_read() {
    let limits = PlanLimits::default().steps(20);
    let json = r#"{"steps":20,"references":10000,"plan_bytes":16777216,"args_bytes":16777216,"at_once":16}"#;
    assert_eq!(serde_json::to_string(&limits).unwrap(), json);
    assert_eq!(serde_json::from_str::<PlanLimits>(json).unwrap(), limits);
    let partly: PlanLimits = serde_json::from_str(r#"{"steps": 20}"#).unwrap();
    assert_eq!(partly, limits);
    assert!(serde_json::from_str::<PlanLimits>(r#"{"step": 20}"#).is_err());
}
