//! Calls, straight from their text.

use crate::Violations;
use crate::json::{Document, Limits};
use crate::model::Tool;

/// The functions of a tool made ready to check calls: the name and the arguments in one pass.
#[derive(Debug)]
pub struct CallChecker {
    tool: Tool,
}

impl Tool {
    /// Makes a checker for calls of these functions.
    #[must_use]
    pub fn call_checker(&self) -> CallChecker {
        CallChecker { tool: self.clone() }
    }
}

impl CallChecker {
    /// Whether a JSON text is a valid call, in one pass without a tree.
    #[must_use]
    pub fn is_valid(&self, json: &[u8]) -> bool {
        self.check_json(json).is_ok()
    }

    /// Checks a call, and returns every violation.
    pub fn check_json(&self, json: &[u8]) -> Result<(), Violations> {
        let document = Document::json(json, &Limits::default());
        self.tool
            .check_call_document(&document)
            .into_result()
            .map(drop)
    }
}
