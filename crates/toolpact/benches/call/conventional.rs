//! The way it is usually done: trees, and a validator for trees.

use std::error::Error;

use jsonschema::Validator;
use serde_json::{Value, json};
use toolpact::Session;
use toolpact::core::returns::Returns;

use crate::meeting::Meeting;

pub(crate) struct Conventional {
    parameters: Validator,
    returns: Validator,
}

impl Conventional {
    pub(crate) fn new(session: &Session) -> Result<Self, Box<dyn Error>> {
        let (_, contract) = session.contracts().next().ok_or("a tool")?;
        let parameters: Value = contract.parameters().to_json_schema().deserialize()?;
        let Returns::Standard {
            refinement: Some(returns),
            ..
        } = contract.returns()
        else {
            return Err("expected a refined standard type".into());
        };
        let returns: Value = returns.to_bundle().deserialize()?;
        Ok(Self {
            parameters: jsonschema::draft202012::new(&parameters)?,
            returns: jsonschema::draft202012::new(&returns)?,
        })
    }

    pub(crate) fn call(&self, json: &[u8]) -> Vec<u8> {
        self.checked(json).unwrap_or_default()
    }

    fn checked(&self, json: &[u8]) -> Option<Vec<u8>> {
        let mut call: Value = serde_json::from_slice(json).ok()?;
        let args = call["args"].take();
        self.parameters.is_valid(&args).then_some(())?;
        let meeting: Meeting = serde_json::from_value(args).ok()?;
        let content = serde_json::to_value(json!({"success": true, "data": meeting})).ok()?;
        self.returns.is_valid(&content).then_some(())?;
        let result = json!({"name": call["name"], "status": "SUCCESS", "content": content});
        serde_json::to_vec(&result).ok()
    }
}
