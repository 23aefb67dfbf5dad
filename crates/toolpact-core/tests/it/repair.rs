//! What repair does to any value under any schema.

mod muddle;
mod replay;

use std::cell::Cell;

use toolpact_core::contract::{Contract, Parameters};
use toolpact_core::json::Value;
use toolpact_core::repair::{RepairKind, Repaired, repair};
use toolpact_core::schema::JsonSchema;

use crate::differential::{Choices, make, with_bytes};
use muddle::muddle;
use replay::replay;

#[test]
fn holds_for_any_schema_and_value() {
    let seen = Cell::new([0; RepairKind::ALL.len()]);
    let (before, after) = (Cell::new(0), Cell::new(0));
    with_bytes(1_000, |bytes| {
        let choices = &mut Choices(bytes);
        let Some((parameters, schema)) = parameters(choices) else {
            return;
        };
        for _ in 0..3 {
            let value = make::value_for(&schema, &schema, choices, 5);
            let Ok(value) = Value::from_json(value) else {
                continue;
            };
            let args = Value::from_json(muddle(value.root(), choices)).unwrap();
            let repaired = repair(&parameters, &args);
            check(&parameters, &args, &repaired);
            let mut counts = seen.get();
            for repair in &repaired.repairs {
                let kind = RepairKind::ALL.iter().position(|k| *k == repair.kind);
                counts[kind.unwrap()] += 1;
            }
            seen.set(counts);
            before.set(before.get() + u32::from(is_valid(&parameters, &args)));
            after.set(after.get() + u32::from(is_valid(&parameters, &repaired.value)));
        }
    });
    // The test would say nothing if nothing were fixed.
    assert!(seen.get().iter().all(|count| *count > 5), "{seen:?}");
    assert!(after.get() > before.get() + 50, "{before:?} {after:?}");
}

/// Parameters in one of the two languages, and their JSON Schema.
fn parameters(choices: &mut Choices<'_>) -> Option<(Parameters, serde_json::Value)> {
    let is_adm = choices.0.first().is_some_and(|byte| byte % 2 == 0);
    choices.0 = choices.0.get(1..)?;
    let text = match is_adm {
        true => make::adm_object(choices, 3),
        false => make::schema(choices),
    };
    let contract = format!(r#"{{"name": "f", "description": "d", "parameters": {text}}}"#);
    let contract = Contract::from_json(contract).ok()?;
    let schema = contract.parameters().to_json_schema();
    let schema = serde_json::from_str(schema.text()).ok()?;
    Some((contract.parameters().clone(), schema))
}

fn check(parameters: &Parameters, args: &Value, repaired: &Repaired) {
    let shown = || format!("{}\n{args}\n{repaired:?}", parameters.to_json_schema());
    if is_valid(parameters, args) {
        assert_eq!(repaired.value.text(), args.text(), "{}", shown());
    }
    if repaired.value.text() == args.text() {
        assert!(repaired.repairs.is_empty(), "{}", shown());
    }
    let again = repair(parameters, &repaired.value);
    assert_eq!(again.value.text(), repaired.value.text(), "{}", shown());
    assert!(again.repairs.is_empty(), "{}", shown());
    // What is said to have been done leads from the one to the other: no more, and no less.
    assert_eq!(
        replay(args, &repaired.repairs),
        repaired.value,
        "{}",
        shown()
    );
}

fn is_valid(parameters: &Parameters, args: &Value) -> bool {
    let schema = JsonSchema::from_value(&parameters.to_json_schema()).unwrap();
    schema.checker().check(args).is_ok()
}
