//! Losses that every tool has do not hide those that matter.

use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Loss, LossKind};

fn losses(more: &str) -> Vec<(LossKind, bool, bool)> {
    let contract = Contract::from_json(format!(
        r#"{{"name": "f", "description": "F.", "parameters": {{"type": "object", "properties": {{"a": {{"type": "string"}}}}, "required": ["a"] {more}}}}}"#
    ))
    .unwrap();
    let export = Dialect::OpenAiStrict.export([&contract]);
    let losses = export.tools()[0].losses().iter();
    losses
        .map(|loss| (loss.kind(), loss.changes_calls(), loss.matters()))
        .collect()
}

#[test]
fn an_object_that_says_nothing_of_other_keys_is_closed_without_harm() {
    assert_eq!(losses(""), [(LossKind::OpenByDefault, true, false)]);
    let open = r#", "additionalProperties": true"#;
    assert_eq!(losses(open), [(LossKind::ClosedObject, true, true)]);
    assert_eq!(losses(r#", "additionalProperties": false"#), []);
}

#[test]
fn a_free_form_object_that_is_closed_matters() {
    let contract = Contract::from_json(
        r#"{"name": "f", "description": "F.", "parameters": {"type": "object", "additionalProperties": false, "properties": {"labels": {"type": "object"}}, "required": ["labels"]}}"#,
    )
    .unwrap();
    let export = Dialect::OpenAiStrict.export([&contract]);
    let matters: Vec<LossKind> = export.tools()[0]
        .losses()
        .iter()
        .filter(|loss| loss.matters())
        .map(Loss::kind)
        .collect();
    assert_eq!(matters, [LossKind::ClosedObject]);
}
