//! A case as a line of `toolpact validate`: a call or a result, held to a contract.

use std::error::Error;

use serde_json::{Value, json};
use toolpact_core::contract::ContractDocument;
use toolpact_core::json::Limits;
use toolpact_core::returns::{Level, StandardType};
use toolpact_core::toolset::{Function, Toolset};

use super::{Case, Subject};

pub(crate) struct Lines<'a> {
    case: &'a Case,
    tools: Toolset,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(case: &'a Case) -> Result<Self, Box<dyn Error>> {
        let contract = match &case.subject {
            Subject::Call { function, .. } => contract(function, &case.schema, None),
            Subject::Result(standard) => contract("f", &json!({"type": "object"}), Some(*standard)),
        };
        let document = ContractDocument::from_json(contract.to_string())?;
        let functions = document.tools();
        let functions = functions.map(|contract| Function::of_contract(contract, Level::Meaning));
        let tools = Toolset::new(functions)?;
        Ok(Self { case, tools })
    }

    /// The line, as compact JSON.
    pub(crate) fn compact(&self) -> Vec<u8> {
        self.line(&self.case.valid)
    }

    /// The line of the twin that is invalid.
    pub(crate) fn compact_invalid(&self) -> Vec<u8> {
        self.line(&self.case.invalid)
    }

    fn line(&self, text: &[u8]) -> Vec<u8> {
        match self.case.subject {
            Subject::Call { .. } => text.to_vec(),
            Subject::Result(_) => {
                let before: &[u8] = br#"{"name":"f","status":"SUCCESS","content":"#;
                [before, text, b"}"].concat()
            }
        }
    }

    /// What `validate` asks of each line.
    pub(crate) fn is_valid(&self, line: &[u8]) -> bool {
        let limits = Limits::default();
        let checked = match self.case.subject {
            Subject::Call { .. } => self.tools.check_call_within(line, &limits),
            Subject::Result(_) => self.tools.check_result_within(line, None, &limits),
        };
        checked.into_result().is_ok()
    }
}

fn contract(name: &str, parameters: &Value, returns: Option<StandardType>) -> Value {
    let mut tool = json!({
        "name": name,
        "description": "Does what it is told to.",
        "parameters": parameters,
    });
    if let Some(standard) = returns {
        tool["returns"] = standard.name().into();
    }
    json!({"toolpact": 1, "tools": [tool]})
}
