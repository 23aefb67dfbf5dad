//! Plans on a session with typed tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{ListResult, NumberValue, StringValue};
use toolpact::{Registry, Session, ToolError, tool, tools};
use toolpact_plan::{Plan, PlanLimits};

use crate::world::Place as _;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Order {
    id: String,
    total: u32,
}

/// Finds the orders of a customer.
#[tool(read_only)]
async fn find_orders(customer: String) -> ListResult<Order> {
    let order = |n: u32| Order {
        id: format!("{customer}-{n}"),
        total: n * 10,
    };
    ListResult::success((1..=3).map(order).collect())
}

/// Gets what an order costs to ship.
#[tool(read_only)]
async fn shipping(order: String, total: u32) -> Result<NumberValue, ToolError> {
    match &*order {
        "none-2" => Err(ToolError::not_found("There is no such order.")),
        _ => Ok(NumberValue::success(total / 10)),
    }
}

/// Says something.
#[tool]
async fn say(text: String) -> StringValue {
    StringValue::success(text)
}

fn session() -> Session {
    let registry = Registry::new();
    registry
        .place_all(tools![find_orders, shipping, say])
        .unwrap();
    registry.session().open().unwrap()
}

const STEPS: &str = r#"[
    {"id": "orders", "tool": "find_orders", "args": {"customer": "CUSTOMER"}},
    {"id": "cost", "tool": "shipping", "args": {"order": "{{orders.data[1].id}}", "total": "{{orders.data[1].total}}"}},
    {"id": "told", "tool": "say", "args": {"text": "It costs {{cost.value}}."}}
]"#;

#[tokio::test]
async fn values_go_from_step_to_step() {
    let session = session();
    let plan = Plan::from_text(&STEPS.replace("CUSTOMER", "ada")).unwrap();
    plan.check(&session).unwrap();
    let result = plan.run(&session, PlanLimits::default()).await;
    assert!(result.is_done(), "{}", result.to_text());
    let told = result.step("told").unwrap().value().unwrap().clone();
    assert_eq!(told.text(), r#"{"success":true,"value":"It costs 2."}"#);
}

#[tokio::test]
async fn what_waits_for_a_failed_step_does_not_run() {
    let plan = Plan::from_text(&STEPS.replace("CUSTOMER", "none")).unwrap();
    let session = session();
    let result = plan.run(&session, PlanLimits::default()).await;
    insta::assert_snapshot!(result.to_text(), @r#"
    Steps done: 1 of 3. Failed: 1. Not run: 1.
    - orders (find_orders): done: {"success":true,"data":[{"id":"none-1","total":10},{"id":"none-2","total":20},{"id":"none-3","total":30}]}
    - cost (shipping): failed: NOT_FOUND_RESOURCE: There is no such order. (so `told` did not run)
    - told (say): not run, because `cost` failed
    "#);
    assert_eq!(session.get("say").unwrap().metrics().calls(), 0);
}

#[tokio::test]
async fn a_field_that_is_not_promised_is_found_before_anything_runs() {
    let session = session();
    let plan = STEPS
        .replace("data[1].total", "data[1].totl")
        .replace("cost.value", "cost.valeu");
    let plan = Plan::from_text(&plan).unwrap();
    let error = plan.check(&session).unwrap_err();
    let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(problems.join("\n"), @r"
    error[plan-unknown-field] in step `cost` at /args/total: expected something that `find_orders` can return, found the field `totl`: `orders.data[1]` is an object with `id` and `total`; did you mean `total`?
    warning[plan-unpromised-field] in step `told` at /args/text: expected something that `shipping` promises to return, found the field `valeu`: `cost` is an object with `success`, `value`, `unit` and `error`; did you mean `value`?
    ");
    let result = plan.run(&session, PlanLimits::default()).await;
    assert!(!result.is_done());
    assert!(
        session
            .names()
            .all(|name| session.get(name).unwrap().metrics().calls() == 0)
    );
}

#[tokio::test]
async fn contracts_hold_for_plans_too() {
    let plan = r#"[
        {"id": "orders", "tool": "find_orders", "args": {"customer": "ada"}},
        {"id": "cost", "tool": "shipping", "args": {"order": "{{orders.data[0].id}}", "total": "{{orders.data[0].id}}"}}
    ]"#;
    let session = session();
    let result = Plan::from_text(plan)
        .unwrap()
        .run(&session, PlanLimits::default())
        .await;
    let text = result.to_text();
    assert!(
        text.contains("VALIDATION_FORMAT") && text.contains("/total"),
        "{text}"
    );
}
