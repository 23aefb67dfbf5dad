//! Does serde take exactly what the schema of an input takes?
//!
//! A contract is stricter than serde in two ways: it has no null for what is optional, and no keys
//! that nobody asked for. Both are lost when serde reads a value and writes it again, so this is what
//! is meant to be accepted: what serde can read, without losing anything.

mod enums;
mod mutate;
mod structs;

use serde::Serialize;
use serde_json::Value as Json;
use toolpact::core::returns::Level;
use toolpact::core::toolset::Function;
use toolpact::returns::VoidResult;
use toolpact::{
    Context, ToolError,
    define::IntoDefinition as _,
    tool_fn,
    typed::{Input, ToolSpec},
};

/// Holds the two against each other, for values that are valid and for all that are near to them.
#[track_caller]
fn agree<T: Input + Serialize>(valid: &[&str]) {
    let (function, schema) = function::<T>();
    let valid: Vec<Json> = (valid.iter())
        .map(|json| serde_json::from_str(json).unwrap())
        .collect();
    for value in &valid {
        let accepted = function.accepts(value.to_string().as_bytes());
        assert!(accepted, "refused: {value}\n{schema}");
    }
    let mut judged = [0, 0];
    for value in mutate::near(&valid) {
        let meant = is_kept::<T>(&value);
        let accepted = function.accepts(value.to_string().as_bytes());
        assert_eq!(accepted, meant, "accepted, meant: {value}\n{schema}");
        judged[usize::from(accepted)] += 1;
    }
    let [refused, accepted] = judged;
    assert!(refused > 10 && accepted > 0, "{judged:?}");
}

/// A type wherever a value can be: alone, left out, in a list, in a map, in a tuple.
#[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Everywhere<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<Option<T>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<std::collections::BTreeMap<String, T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tuple: Option<(u8, T)>,
}

/// The same for a type that need not be an object.
#[track_caller]
fn agree_everywhere<T: Input + Serialize>(valid: &[&str]) {
    let everywhere = valid.iter().flat_map(|json| {
        [
            format!(r#"{{"optional":{json}}}"#),
            format!(r#"{{"list":[{json},null]}}"#),
            format!(r#"{{"map":{{"k":{json}}}}}"#),
            format!(r#"{{"tuple":[5,{json}]}}"#),
        ]
    });
    let everywhere: Vec<String> = everywhere.collect();
    let everywhere: Vec<&str> = everywhere.iter().map(String::as_str).collect();
    agree::<Everywhere<T>>(&everywhere);
}

fn function<T: Input>() -> (Function, String) {
    let about = ToolSpec::new("oracle", "Takes what it is asked about.").recursive();
    let tool = tool_fn(about, async |_: T, _: Context| {
        Ok::<_, ToolError>(VoidResult::success())
    });
    let definition = tool.into_definition().unwrap();
    let contract = definition.contract();
    let schema = contract.parameters().to_json_schema().to_string();
    (Function::of_contract(contract, Level::Meaning), schema)
}

/// Whether serde can read it, and writes all of it again. Defaults may be added.
fn is_kept<T: Input + Serialize>(value: &Json) -> bool {
    let read = serde_json::from_str::<T>(&value.to_string());
    let written = read.ok().and_then(|read| serde_json::to_value(read).ok());
    value.is_object() && written.is_some_and(|written| is_in(value, &written))
}

fn is_in(value: &Json, written: &Json) -> bool {
    match (value, written) {
        (Json::Object(value), Json::Object(written)) => value.iter().all(|(key, value)| {
            let written = written.get(key);
            written.is_some_and(|written| is_in(value, written))
        }),
        (Json::Array(value), Json::Array(written)) => {
            let mut pairs = value.iter().zip(written);
            value.len() == written.len() && pairs.all(|(value, written)| is_in(value, written))
        }
        (Json::Number(value), Json::Number(written)) => value.as_f64() == written.as_f64(),
        (value, written) => value == written,
    }
}
