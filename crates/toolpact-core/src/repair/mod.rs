//! Fixes arguments that are nearly right. A separate step before checking: its output is checked
//! like all arguments, so that no repair lets anything pass that the contract refuses.
//!
//! A value is changed only if it is invalid and there is exactly one way to fix it. What is
//! ambiguous is left unchanged, and fails the check:
//!
//! - text where text is allowed too, and text that is not a plain JSON number: `" 5"`, `"5e3"`,
//!   `"1,000"`, `"0x10"`, `"yes"`;
//! - a value that could become valid for several alternatives, in different ways;
//! - an unknown key that looks like a misspelling of an absent one: dropping `dry_rnu` would do
//!   what the caller did not ask for.

mod argument_path;
mod budget;
mod choose;
mod fix;
mod judge;
mod kind;
mod reread;
mod schemas;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::Pointer;
use crate::check::check_arguments;
use crate::contract::Parameters;
use crate::json::report::Report;
use crate::json::{Kind, Value};

use fix::Fixer;
pub use kind::RepairKind;

/// Fixed arguments, and what was changed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Repaired {
    /// The arguments, still to be checked.
    pub value: Value,
    /// Every change, in the order in which they were made. Empty if there is nothing to fix, or no
    /// way to fix it.
    pub repairs: Vec<Repair>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Where, in the fixed arguments. What was dropped is no longer there.
    pub pointer: Pointer,
    /// The kind of change.
    pub kind: RepairKind,
    /// What was found, and what was done.
    pub message: String,
}

/// A repair may make another one possible; this is the limit of passes.
const PASSES: usize = 4;

/// Fixes arguments where there is exactly one way to. What it cannot fix is left unchanged, and
/// fails the check.
///
/// ```
/// use toolpact_core::contract::Contract;
/// use toolpact_core::json::Value;
/// use toolpact_core::repair::repair;
///
/// let contract = Contract::from_json(r#"{
///     "name": "search",
///     "description": "Finds pages.",
///     "parameters": {
///         "type": "object",
///         "properties": {
///             "words": {"type": "array", "items": {"type": "string"}},
///             "limit": {"type": "integer"},
///             "after": {"type": "string"}
///         },
///         "additionalProperties": false
///     }
/// }"#)?;
/// let args = Value::from_json(r#"{"words": "tide", "limit": "5", "after": null, "lang": "en"}"#)?;
/// let repaired = repair(contract.parameters(), &args);
/// assert_eq!(repaired.value.text(), r#"{"words":["tide"],"limit":5}"#);
/// let said: Vec<String> = repaired.repairs.iter().map(ToString::to_string).collect();
/// assert_eq!(said, [
///     r#"list-from-single at /words: found the string "tide", made it a list of one"#,
///     r#"number-from-string at /limit: found the string "5", took it for the number 5"#,
///     "null-dropped at /after: found null, left the key out",
///     "unknown-key-dropped at /lang: found the unknown key `lang`, left it out",
/// ]);
///
/// // Ten or more? Whoever called has to say so.
/// let args = Value::from_json(r#"{"limit": "10+"}"#)?;
/// assert_eq!(repair(contract.parameters(), &args).value, args);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn repair(parameters: &Parameters, args: &Value) -> Repaired {
    let unchanged = || Repaired {
        value: args.clone(),
        repairs: Vec::new(),
    };
    if is_valid(parameters, args) {
        return unchanged();
    }
    let schema = parameters.to_json_schema();
    let mut fixer = Fixer::new(schema.root(), args.root());
    let (mut value, mut repairs) = (args.clone(), Vec::new());
    for _ in 0..PASSES {
        let change = fixer.fix(value.root());
        if fixer.gave_up() {
            break;
        }
        let Some(change) = change else {
            return Repaired { value, repairs };
        };
        repairs.extend(change.repairs);
        value = Value::embedded(&change.text);
        if is_valid(parameters, &value) {
            return Repaired { value, repairs };
        }
    }
    // What exceeds the budget, or does not settle, counts as ambiguous.
    unchanged()
}

/// A valid value must not be changed, so the checker of the contract decides.
fn is_valid(parameters: &Parameters, args: &Value) -> bool {
    match parameters {
        Parameters::Adm(schema) => {
            let mut report = Report::new(1);
            check_arguments(args.root(), schema, &mut report);
            args.kind() == Kind::Object && report.errors() == 0
        }
        Parameters::JsonSchema(schema) => schema.checker().is_valid(args.text().as_bytes()),
    }
}

/// `number-from-string at /limit: found the string "5", took it for the number 5`
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.code())?;
        if !self.pointer.is_root() {
            write!(f, " at {}", self.pointer.brief())?;
        }
        write!(f, ": {}", self.message)
    }
}
