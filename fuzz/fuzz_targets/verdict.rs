//! The fast path against the one that explains. The first byte says what is compared: schemas and
//! values made from the other bytes, or as they stand with a NUL byte between them.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use toolpact_core::check::Checker;
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::ToolDocument;
use toolpact_core::returns::{Enforcer, Level, Returns, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::toolset::{Function, Toolset};

#[path = "../../crates/toolpact-core/tests/it/differential/make.rs"]
mod make;

use make::Choices;

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else {
        return;
    };
    match mode % 6 {
        0 => made_schema(rest),
        1 => made_result(rest),
        2 => made_call(rest),
        3 => split(rest, |schema, value| {
            if let Some(schema) = schema_of(schema) {
                compare(&schema, value);
            }
        }),
        4 => split(rest, |number, value| result(number, value)),
        _ => split(rest, |tool, call| {
            if let Ok(tool) = ToolDocument::from_json(tool) {
                compare_call(&tool, call);
            }
        }),
    }
});

fn split(data: &[u8], then: impl FnOnce(&[u8], &[u8])) {
    if let Some(at) = data.iter().position(|byte| *byte == 0) {
        then(&data[..at], &data[at + 1..]);
    }
}

fn schema_of(text: &[u8]) -> Option<JsonSchema> {
    JsonSchema::from_value(&Value::from_json(text).ok()?).ok()
}

fn compare(schema: &JsonSchema, value: &[u8]) {
    for checker in [schema.checker(), schema.shape_checker()] {
        let shown = || {
            let value = String::from_utf8_lossy(value);
            format!("{}\n{value}", schema.to_value().text())
        };
        assert_eq!(
            checker.is_valid(value),
            explained(&checker, value),
            "{}",
            shown()
        );
    }
}

fn explained(checker: &Checker, text: &[u8]) -> bool {
    Value::from_json(text).is_ok_and(|value| checker.check(&value).is_ok())
}

fn made_schema(data: &[u8]) {
    let choices = &mut Choices(data);
    let text = make::schema(choices);
    let Some(schema) = schema_of(text.as_bytes()) else {
        return;
    };
    let Ok(parsed) = serde_json::from_str(&text) else {
        return;
    };
    for _ in 0..2 {
        let value = make::value_for(&parsed, &parsed, choices, 5);
        compare(&schema, &make::spoil(value, choices));
    }
}

static ENFORCERS: LazyLock<Vec<(StandardType, [Enforcer; 2])>> = LazyLock::new(|| {
    let enforcers = |standard| {
        let returns = Returns::Standard {
            standard,
            refinement: None,
        };
        let levels = [Level::Shape, Level::Meaning];
        (standard, levels.map(|level| returns.enforcer(level)))
    };
    StandardType::all().map(enforcers).collect()
});

fn made_result(data: &[u8]) {
    let Some((number, rest)) = data.split_first() else {
        return;
    };
    let choices = &mut Choices(rest);
    let (standard, _) = &ENFORCERS[usize::from(*number) % ENFORCERS.len()];
    for example in standard.examples() {
        let text = make::spoil(make::changed(example.text(), choices), choices);
        result(&[*number], &text);
    }
}

fn result(number: &[u8], text: &[u8]) {
    let number = usize::from(number.first().copied().unwrap_or(0));
    let (standard, enforcers) = &ENFORCERS[number % ENFORCERS.len()];
    for enforcer in enforcers {
        let document = Document::json(text, &Limits::default());
        let expected = enforcer.check_document(&document).value.is_some();
        let shown = String::from_utf8_lossy(text);
        assert_eq!(enforcer.is_valid(text), expected, "{standard} {shown}");
    }
}

fn made_call(data: &[u8]) {
    let choices = &mut Choices(data);
    let tool = format!(
        r#"{{"function_declarations":[
            {{"name":"first","description":"d","parameters":{}}},
            {{"name":"second","description":"d","parameters":{}}}]}}"#,
        make::adm_object(choices, 3),
        make::adm_object(choices, 2),
    );
    let Ok(tool) = ToolDocument::from_json(&tool) else {
        return;
    };
    for declaration in tool.declarations() {
        let schema = declaration.parameters().to_arguments_json_schema();
        let Ok(schema) = serde_json::from_str(schema.text()) else {
            return;
        };
        let args = make::value_for(&schema, &schema, choices, 5);
        let call = make::spoil(make::call(&args, choices), choices);
        compare_call(&tool, &call);
    }
}

fn compare_call(tool: &ToolDocument, call: &[u8]) {
    let document = Document::json(call, &Limits::default());
    let expected = tool.check_call_document(&document).value.is_some();
    let shown = String::from_utf8_lossy(call);
    let tools = Toolset::new(tool.declarations().map(Function::from)).expect("each name once");
    assert_eq!(
        tools.is_valid_call(call),
        expected,
        "{}\n{shown}",
        tool.to_json()
    );
}
