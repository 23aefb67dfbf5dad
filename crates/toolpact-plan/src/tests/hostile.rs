//! Whatever a model writes, reading, checking and running end, and nothing panics.

use proptest::prelude::*;
use toolpact_core::json::Value;

use super::Shop;
use crate::{Plan, PlanLimits};

/// Reads, checks and runs a plan, if it is one.
fn survives(text: &str) {
    let Ok(plan) = Plan::from_text(text) else {
        return;
    };
    let shop = Shop::new();
    let sound = plan.check(&shop).is_ok();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let result = runtime.block_on(plan.run(&shop, PlanLimits::default().args_bytes(10_000)));
    assert_eq!(result.problems().is_empty(), sound);
    assert_eq!(result.steps().len(), plan.steps().len());
    assert!(!result.to_text().is_empty());
    Value::from_json(result.to_json()).unwrap();
}

/// Strings that are nearly references.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{{"),
        Just("}}"),
        Just("{{{{"),
        Just("step1"),
        Just("step2"),
        Just("a"),
        Just(".data"),
        Just("[0]"),
        Just(".0"),
        Just("[\"k\"]"),
        Just("['"),
        Just("\\"),
        Just("\""),
        Just(" "),
        Just("é\u{0}"),
        Just("99999999999999999999"),
        Just("{{step1}}"),
        Just("{{step1.data[0].id}}"),
        Just("{{ a.name }}"),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let key = prop_oneof![
        Just("id"),
        Just("step"),
        Just("tool"),
        Just("name"),
        Just("args"),
        Just("after"),
        Just("steps"),
        Just("input"),
        Just("x"),
        Just("depends_on"),
        Just("description"),
    ];
    let word = prop_oneof![
        Just("search_orders"),
        Just("get_customer"),
        Just("old"),
        Just("either"),
        Just("step1"),
        Just("a"),
        Just("fail"),
        Just(""),
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-2_i64..4).prop_map(Into::into),
        word.prop_map(Into::into),
        text().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::hash_map(key.clone(), inner, 0..5).prop_map(|map| {
                map.into_iter()
                    .map(|(k, v)| (k.to_owned(), v))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

/// Plans that are mostly well-formed.
fn steps() -> impl Strategy<Value = String> {
    let tool = prop_oneof![
        Just("search_orders"),
        Just("get_customer"),
        Just("old"),
        Just("tree"),
        Just("read_page"),
        Just("zzz"),
    ];
    let step = (tool, prop::collection::vec(text(), 0..3), 0_usize..6).prop_map(|(tool, texts, after)| {
        serde_json::json!({"tool": tool, "args": {"x": texts}, "after": if after == 0 { vec![] } else { vec![format!("step{after}")] }})
    });
    prop::collection::vec(step, 1..6).prop_map(|steps| serde_json::Value::from(steps).to_string())
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        survives(&text);
        survives(&format!("```json\n{text}\n```"));
        survives(&format!("[{text}]"));
    }

    #[test]
    fn any_json(json in json()) {
        survives(&json.to_string());
    }

    #[test]
    fn any_steps(steps in steps()) {
        survives(&steps);
    }
}

#[test]
fn deep_and_long() {
    let deep = |n: usize| {
        format!(
            r#"{{"tool": "old", "args": {{"x": {}"{{{{a}}}}"{}}}}}"#,
            "[".repeat(n),
            "]".repeat(n)
        )
    };
    survives(&deep(100));
    survives(&deep(100_000));
    survives(&"[".repeat(1_000_000));
    survives(&format!(
        r#"{{"tool": "tree", "args": {{"x": "{{{{step1{}}}}}"}}}}"#,
        ".left".repeat(100_000)
    ));
    let limits = toolpact_core::json::Limits::default().depth(usize::MAX);
    let value = Value::from_json_within(deep(100_000), &limits).unwrap();
    let plan = Plan::from_value(&value).unwrap();
    assert!(plan.check(&Shop::new()).is_err());
    survives(&"```\n".repeat(100_000));
}

/// A thousand steps in a row, each of which reads the one before it, and a reference to every one.
#[test]
fn long_chains() {
    let step = |n: usize| format!(r#"{{"tool": "old", "args": {{"x": "{{{{step{n}}}}}"}}}}"#);
    let mut steps = vec![r#"{"tool": "old"}"#.to_owned()];
    steps.extend((1..1_000).map(step));
    survives(&format!("[{}]", steps.join(",")));
    steps[0] = step(1_000);
    survives(&format!("[{}]", steps.join(",")));
}

/// Slips as long as can be, so that looking for what was meant costs the most.
#[test]
fn suggestions_stay_cheap() {
    let step =
        |n: usize| format!(r#"{{"id": "{n:a>64}", "tool": "{n:b>64}", "after": ["{n:c>64}"]}}"#);
    let steps: Vec<String> = (0..1_000).map(step).collect();
    survives(&format!("[{}]", steps.join(",")));
}
