//! Calls, straight from their text.

use super::fast::{CallProgram, Program, verdict, with_scratch};
use crate::Violations;
use crate::json::{Document, Limits};
use crate::model::{Schema, ToolDocument};

/// The functions of a tool made ready to check calls: the name and the arguments in one pass.
///
/// ```
/// use toolpact_core::model::ToolDocument;
///
/// let tool = ToolDocument::from_json(r#"{"function_declarations": [{
///     "name": "get_weather",
///     "description": "Returns the forecast for a city.",
///     "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
/// }]}"#)?;
/// let checker = tool.call_checker();
/// assert!(checker.is_valid(br#"{"name": "get_weather", "args": {"city": "Oslo"}}"#));
///
/// let violations = checker.check_json(br#"{"name": "get_weather", "args": {"city": 5}}"#).unwrap_err();
/// assert_eq!(
///     violations.to_string(),
///     "1:42: error[value-type] at /args/city: expected STRING, found the number 5"
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug)]
pub struct CallChecker {
    tool: ToolDocument,
    /// `None` if there is more of something than it can hold.
    program: Option<CallProgram>,
}

impl ToolDocument {
    /// Makes a checker for calls of these functions.
    #[must_use]
    pub fn call_checker(&self) -> CallChecker {
        let functions = self.declarations();
        CallChecker {
            tool: self.clone(),
            program: calls(functions.map(|d| (d.name().as_str(), Some(d.parameters())))),
        }
    }
}

/// The program for calls of these functions. Those without parameters in the words of ADM are known
/// by their names only, and their arguments are left to others.
pub(crate) fn calls<'a>(
    functions: impl Iterator<Item = (&'a str, Option<&'a Schema>)>,
) -> Option<CallProgram> {
    let (names, schemas): (Vec<_>, Vec<_>) = functions.unzip();
    let names = names.into_iter().map(Box::from).collect();
    CallProgram::new(names, |program| {
        let node = |schema: Option<&Schema>| program.add_arguments(schema?);
        schemas.into_iter().map(node).collect()
    })
}

/// Whether the fast path can hold arguments to a schema of ADM.
pub(crate) fn covers(schema: &Schema) -> bool {
    Program::default().add_arguments(schema).is_some()
}

impl CallChecker {
    /// Whether a JSON text is a valid call, in one pass without a tree.
    #[must_use]
    pub fn is_valid(&self, json: &[u8]) -> bool {
        self.verdict(json)
            .unwrap_or_else(|| self.check_document(json).is_ok())
    }

    /// Checks a call, and returns every violation.
    pub fn check_json(&self, json: &[u8]) -> Result<(), Violations> {
        match self.verdict(json) {
            Some(true) => Ok(()),
            Some(false) | None => self.check_document(json),
        }
    }

    /// What the fast path says; `None` if it leaves it to the other.
    fn verdict(&self, json: &[u8]) -> Option<bool> {
        let program = self.program.as_ref()?;
        verdict(&with_scratch(|scratch| program.run(json, scratch)))
    }

    fn check_document(&self, json: &[u8]) -> Result<(), Violations> {
        let document = Document::json(json, &Limits::default());
        let checked = self.tool.check_call_document(&document);
        checked.into_result().map(drop)
    }
}
