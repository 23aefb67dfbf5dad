use std::sync::Arc;

use toolpact_core::json::Value;

use super::{Shop, plan};
use crate::{PlanLimits, PlanResult, StepOutcome};

async fn run(text: &str) -> (Shop, PlanResult) {
    let shop = Shop::new();
    let result = plan(text).run(&shop, PlanLimits::default()).await;
    (shop, result)
}

/// The arguments that `send_mail` gets when its step has these, after a search and a customer.
async fn sent(args: &str) -> Result<String, String> {
    let (shop, result) = run(&format!(
        r#"[{{"id": "c", "tool": "get_customer"}}, {{"id": "o", "tool": "search_orders"}},
            {{"id": "m", "tool": "send_mail", "args": {args}}}]"#
    ))
    .await;
    match result.step("m").unwrap().outcome() {
        StepOutcome::Failed(error) => Err(error.to_string()),
        _ => Ok(shop.args_of("send_mail")),
    }
}

#[tokio::test]
async fn a_whole_string_keeps_the_type() {
    let args = r#"{"a": "{{o.data[0].total}}", "b": ["{{o.data.1}}", {"c": "{{c[\"odd key\"]}}"}], "d": "{{o.success}}"}"#;
    assert_eq!(
        sent(args).await.unwrap(),
        r#"{"a": 1.50, "b": [{"id": 9007199254740993}, {"c": null}], "d": true}"#
    );
}

#[tokio::test]
async fn text_is_inserted_as_text() {
    let args =
        r#"{"a": "Hi {{c.name}}: {{o.data[1].id}} {{o.data[1]}} \"{{c.tags}}\"\n", "{{c}}": 1}"#;
    assert_eq!(
        sent(args).await.unwrap(),
        r#"{"a": "Hi Ada \"the\" Countess\n: 9007199254740993 {\"id\": 9007199254740993} \"[\"vip\"]\"\n", "{{c}}": 1}"#
    );
}

#[tokio::test]
async fn braces_and_values_are_not_read_again() {
    let args = r#"{"a": "{{{{ c.name }}", "b": "\u007b{c.name}}", "c": "{{{{{{c.tags[0]}}"}"#;
    assert_eq!(
        sent(args).await.unwrap(),
        r#"{"a": "{{ c.name }}", "b": "Ada \"the\" Countess\n", "c": "{{vip"}"#
    );
    let shop = Shop::new();
    let text = r#"[{"id": "a", "tool": "old", "args": {"x": "{{{{b}}"}}]"#;
    plan(text).run(&shop, PlanLimits::default()).await;
    assert_eq!(shop.args_of("old"), r#"{"x": "{{b}}"}"#);
}

#[tokio::test]
async fn all_arguments_can_be_one_reference() {
    assert_eq!(
        sent(r#""{{o.data[0]}}""#).await.unwrap(),
        r#"{"id": 7, "total": 1.50}"#
    );
    assert!(
        sent(r#""{{c}}""#)
            .await
            .unwrap()
            .starts_with(r#"{"name": "#)
    );
    insta::assert_snapshot!(sent(r#""{{o.data}}""#).await.unwrap_err(), @"VALIDATION_FORMAT: at /args: expected `{{o.data}}` to be an object of arguments, found an array");
}

#[tokio::test]
async fn a_path_that_leads_nowhere_says_what_is_there() {
    let args = r#"{"a": "{{o.dta}}", "b": {"c": "x {{o.data[2].id}}"}, "d": "{{o.data[1].totl}}", "e": "{{o.data[0].x.y}}"}"#;
    insta::assert_snapshot!(sent(args).await.unwrap_err(), @r"
    VALIDATION_FORMAT: at /args/a: expected the field `dta` in `o`, found an object with `success` and `data`; did you mean `data`?
    at /args/b/c: expected the element 2 in `o.data`, found an array of 2 elements
    at /args/d: expected the field `totl` in `o.data[1]`, found an object with `id`
    at /args/e: expected the field `x` in `o.data[0]`, found an object with `id` and `total`
    ");
}

#[tokio::test]
async fn a_word_too_many_is_told_from_a_field() {
    let (_, result) = run(r#"[{"id": "a", "tool": "old"}, {"id": "b", "tool": "old", "args": {"x": "{{a.result}}"}}]"#).await;
    insta::assert_snapshot!(result.to_text(), @r#"
    Steps done: 1 of 2. Failed: 1. Not run: 0.
    - a (old): done: {"anything": true}
    - b (old): failed: VALIDATION_FORMAT: at /args/x: expected the field `result` in `a`, found an object with `anything`; `{{a}}` is the result itself
    "#);
}

#[tokio::test]
async fn a_failed_step_holds_up_those_after_it() {
    let (_, result) = run(r#"[
            {"id": "bad", "tool": "old", "args": {"fail": "There is no order 7"}},
            {"id": "next", "tool": "old", "args": {"x": "{{bad.x}}"}},
            {"id": "last", "tool": "old", "after": ["next", "free"]},
            {"id": "free", "tool": "slug_of"},
            {"id": "read", "tool": "send_mail", "args": {"x": "{{free}}"}}
        ]"#)
    .await;
    assert!(!result.is_done());
    assert_eq!(
        result.step("free").unwrap().value().unwrap().text(),
        r#""ada""#
    );
    let bad = result.step("bad").unwrap();
    assert_eq!(bad.held_up().collect::<Vec<_>>(), ["next", "last"]);
    let because = Arc::from("bad");
    assert_eq!(
        result.step("last").unwrap().outcome(),
        &StepOutcome::Skipped { because }
    );
    insta::assert_snapshot!(result.to_text(), @r#"
    Steps done: 2 of 5. Failed: 1. Not run: 2.
    - bad (old): failed: NOT_FOUND_RESOURCE: There is no order 7 (so `next` and `last` did not run)
    - next (old): not run, because `bad` failed
    - last (old): not run, because `bad` failed
    - free (slug_of): done: "ada"
    - read (send_mail): done: {"success": true}
    "#);
    insta::assert_snapshot!(result.to_json(), @r#"{"done":false,"steps":[{"id":"bad","tool":"old","status":"failed","error":{"code":"NOT_FOUND_RESOURCE","message":"There is no order 7"},"held_up":["next","last"]},{"id":"next","tool":"old","status":"skipped","because":"bad"},{"id":"last","tool":"old","status":"skipped","because":"bad"},{"id":"free","tool":"slug_of","status":"done","value":"ada"},{"id":"read","tool":"send_mail","status":"done","value":{"success": true}}]}"#);
    Value::from_json(result.to_json()).unwrap();
}

#[tokio::test]
async fn a_plan_that_is_not_sound_does_not_begin() {
    let (shop, result) = run(
        r#"[{"id": "a", "tool": "send_mail"}, {"id": "b", "tool": "get_customer"},
            {"id": "c", "tool": "old", "args": {"x": "{{b.nam}}"}}, {"id": "d", "tool": "od"}]"#,
    )
    .await;
    assert!(shop.calls.lock().unwrap().is_empty());
    assert_eq!(result.problems().len(), 2);
    insta::assert_snapshot!(result.to_text(), @r"
    Nothing ran, because something is wrong with the plan.
    - a (send_mail): not run
    - b (get_customer): not run
    - c (old): failed: VALIDATION_FORMAT: at /args/x: expected something that `get_customer` can return, found the field `nam`: `b` is an object with `name`, `odd key` and `tags`; did you mean `name`?
    - d (od): failed: NOT_FOUND_ENDPOINT: at /tool: expected one of the tools `either`, `get_customer`, `list_all`, `old`, `read_page`, `search_orders`, `send_mail`, `slug_of` and `tree`, found `od`; did you mean `old`?
    ");
    Value::from_json(result.to_json()).unwrap();
}

#[tokio::test]
async fn arguments_have_a_limit() {
    // Each step would double what the one before it got, were the answers to do that.
    let shop = Shop::new();
    let text =
        r#"[{"id": "a", "tool": "old"}, {"id": "b", "tool": "old", "args": {"x": "{{a}}{{a}}"}}]"#;
    let result = plan(text)
        .run(&shop, PlanLimits::default().args_bytes(30))
        .await;
    insta::assert_snapshot!(result.to_text(), @r#"
    Steps done: 1 of 2. Failed: 1. Not run: 0.
    - a (old): done: {"anything": true}
    - b (old): failed: VALIDATION_FORMAT: expected arguments of at most 30 bytes, found more
    "#);
}

#[tokio::test]
async fn nesting_has_a_limit() {
    let deep = format!("{}\"{{{{c}}}}\"{}", "[".repeat(120), "]".repeat(120));
    assert!(sent(&format!(r#"{{"a": {deep}}}"#)).await.is_ok());
    let deep = format!("{}\"{{{{c.tags}}}}\"{}", "[".repeat(125), "]".repeat(125));
    assert!(sent(&format!(r#"{{"a": {deep}}}"#)).await.is_ok());
    let deep = format!("{}\"{{{{o}}}}\"{}", "[".repeat(125), "]".repeat(125));
    insta::assert_snapshot!(sent(&format!(r#"{{"a": {deep}}}"#)).await.unwrap_err(), @"VALIDATION_FORMAT: at /a/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0…: nested deeper than the limit of 128 levels");
}
