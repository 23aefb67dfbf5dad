//! The seven inputs: calls and results, each with a twin that is invalid near its end.

mod calls;
mod lines;
mod models;
pub(crate) mod ours;
mod payload;
mod results;
mod spelling;

use std::error::Error;

use serde_json::Value;
use toolpact_core::model::ToolDocument;
use toolpact_core::returns::StandardType;

pub(crate) use lines::Lines;
pub(crate) use ours::Ours;
pub(crate) use payload::{Payload, Writer};
pub(crate) use spelling::Spelling;

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) subject: Subject,
    pub(crate) valid: Vec<u8>,
    pub(crate) invalid: Vec<u8>,
    /// For other validators: of the arguments of a call, of the whole of a result.
    pub(crate) schema: Value,
    /// Reads the matching Rust struct, and says whether it could.
    pub(crate) decode: fn(&[u8]) -> bool,
    /// What is written: the arguments of a call, the whole of a result.
    pub(crate) payload: Box<dyn Payload>,
}

pub(crate) enum Subject {
    Call {
        tool: ToolDocument,
        function: &'static str,
    },
    Result(StandardType),
}

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    Ok(vec![
        calls::finance("process_financial_data_2", 2)?,
        calls::finance("process_financial_data_1000", 1_000)?,
        calls::ticket()?,
        calls::meeting()?,
        results::object()?,
        results::batch(1_000)?,
        results::list(10_000)?,
    ])
}

/// The last `from` becomes `to`.
fn spoil(json: &[u8], from: &str, to: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let text = std::str::from_utf8(json)?;
    let (before, after) = text
        .rsplit_once(from)
        .ok_or_else(|| format!("expected {from} in the input, found none"))?;
    Ok([before, to, after].concat().into_bytes())
}
