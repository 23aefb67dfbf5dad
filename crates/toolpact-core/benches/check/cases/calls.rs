//! Calls of the tools of the ADM specification.

use std::error::Error;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolpact_core::model::ToolDocument;

use super::models::finance::{ProcessData, Transaction};
use super::models::meeting::Meeting;
use super::models::ticket::Ticket;
use super::models::{Call, Category, Currency};
use super::payload::decode;
use super::{Case, Subject, spoil};

const EXAMPLES: &str = include_str!("../../../../../vectors/adm_examples.json");

pub(super) fn finance(name: &'static str, count: usize) -> Result<Case, Box<dyn Error>> {
    let function = "process_financial_data";
    let text = example("call", function)?;
    if count == 2 {
        let missing = (r#","account_type":"checking""#, "");
        return case::<ProcessData>(name, function, &text, missing);
    }
    let mut call: Call<ProcessData> = serde_json::from_str(&text)?;
    let originals = std::mem::take(&mut call.args.transactions);
    let copies = originals.iter().cycle().take(count).enumerate();
    call.args.transactions = copies.map(|(i, original)| vary(original, i)).collect();
    let wrong = (r#""output_format":"detailed""#, r#""output_format":5"#);
    case::<ProcessData>(name, function, &serde_json::to_string(&call)?, wrong)
}

pub(super) fn ticket() -> Result<Case, Box<dyn Error>> {
    let function = "create_support_ticket";
    let wrong = (r#""size":245760"#, r#""size":"245760""#);
    case::<Ticket>(function, function, &example("call", function)?, wrong)
}

pub(super) fn meeting() -> Result<Case, Box<dyn Error>> {
    let function = "schedule_meeting";
    let missing = (r#","role":"optional""#, "");
    case::<Meeting>(function, function, &example("call", function)?, missing)
}

fn case<T: Serialize + DeserializeOwned + 'static>(
    name: &'static str,
    function: &'static str,
    text: &str,
    (from, to): (&str, &str),
) -> Result<Case, Box<dyn Error>> {
    let tool = tool(function)?;
    let declaration = tool.get(function).ok_or("a function of this name")?;
    let schema = declaration.parameters().to_arguments_json_schema();
    let call: Call<T> = serde_json::from_str(text)?;
    Ok(Case {
        name,
        valid: text.as_bytes().to_vec(),
        invalid: spoil(text.as_bytes(), from, to)?,
        schema: schema.deserialize()?,
        decode: decode::<Call<T>>,
        payload: Box::new(call.args),
        subject: Subject::Call { tool, function },
    })
}

/// A tool of this one function.
fn tool(function: &str) -> Result<ToolDocument, Box<dyn Error>> {
    let text = match example("declaration", function) {
        Ok(declaration) => format!(r#"{{"function_declarations":[{declaration}]}}"#),
        Err(_) => example("tool", function)?,
    };
    Ok(ToolDocument::from_json(text)?)
}

/// The example of a kind that names this function, as compact JSON.
fn example(kind: &str, function: &str) -> Result<String, Box<dyn Error>> {
    let examples: Value = serde_json::from_str(EXAMPLES)?;
    let examples = examples["examples"].as_array().ok_or("examples")?;
    let name = format!(r#""name":"{function}""#);
    let of_kind = examples.iter().filter(|example| example["kind"] == kind);
    let mut texts = of_kind.filter_map(|example| Some(compact(example["text"].as_str()?)));
    let found = texts.find(|text| text.contains(&name));
    found.ok_or_else(|| format!("expected a {kind} of {function}, found none").into())
}

/// As it is spelled, numbers and the order of keys included, without white space.
fn compact(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let keep = |c: &char| {
        let keep = quoted || !c.is_ascii_whitespace();
        quoted ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        keep
    };
    json.chars().filter(keep).collect()
}

/// The same shape with other values, so that nothing is learned by heart.
fn vary(original: &Transaction, i: usize) -> Transaction {
    let mut copy = original.clone();
    let cents = i32::try_from(i * 7_919 % 1_000_003).unwrap_or_default() - 250_000;
    copy.transaction_id = format!("txn_{i:06}");
    copy.amount = f64::from(cents) / 100.0;
    copy.currency = Currency::ALL[i % Currency::ALL.len()];
    copy.category = Category::ALL[i / 3 % Category::ALL.len()];
    copy.timestamp = format!(
        "2025-02-08T{:02}:{:02}:{:02}Z",
        i / 60 % 24,
        i % 60,
        i * 7 % 60
    );
    copy.account.account_id = format!("acc_checking_{:03}", i * 31 % 997);
    copy
}
