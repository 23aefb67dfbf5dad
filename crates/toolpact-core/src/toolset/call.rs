use super::function::Takes;
use super::nothing_found;
use super::{Function, Toolset, envelope, fast_within};
use crate::Violations;
use crate::check::{Stop, with_scratch};
use crate::json::{Document, Limits, Value};
use crate::model::CallParts;
use crate::violation::Checked;

/// A call that keeps to its contract.
#[derive(Debug)]
pub struct Accepted<'t> {
    function: &'t Function,
    args: Value,
}

impl<'t> Accepted<'t> {
    /// The function to run.
    #[must_use]
    pub fn function(&self) -> &'t Function {
        self.function
    }

    /// The arguments as the function gets them: every INTEGER of ADM spelled as one, so that `3.0`
    /// arrives as `3`.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }
}

impl Toolset {
    /// Whether a JSON text is a valid call of one of the functions.
    #[must_use]
    pub fn is_valid_call(&self, json: &[u8]) -> bool {
        self.check_call_json(json).is_ok()
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_call_json(&self, json: &[u8]) -> Result<(), Violations> {
        self.check_call_within(json, &Limits::default())
            .into_result()
    }

    /// Checks a JSON text within limits of your own, with every error and warning in place.
    #[must_use]
    pub fn check_call_within(&self, json: &[u8], limits: &Limits) -> Checked<()> {
        if fast_within(limits, json) && self.fast_accepts(json) {
            return nothing_found();
        }
        self.check_call(&Document::json(json, limits)).map(drop)
    }

    /// Reads a call from a document and checks it, with every violation in place.
    #[must_use]
    pub fn check_call(&self, document: &Document) -> Checked<Accepted<'_>> {
        document.check(|node, report| {
            let CallParts { name, args } = CallParts::read(node, report);
            let function = self.find(name?, report)?;
            let args = function.check_args(args?, report)?;
            Some(Accepted { function, args })
        })
    }

    /// What the fast path says. If it does not say yes, the other path has to decide.
    pub(super) fn fast_accepts(&self, json: &[u8]) -> bool {
        let verdict = (self.program.as_ref())
            .map(|program| with_scratch(|scratch| program.run(json, scratch)));
        match verdict {
            Some(Ok(_)) => return true,
            Some(Err(Stop::Mismatch | Stop::Malformed)) => return false,
            Some(Err(Stop::Unsure)) | None => {}
        }
        let Some((name, args)) = envelope::split_call(json) else {
            return false;
        };
        match self.get(name).map(|function| &function.takes) {
            Some(Takes::JsonSchema(checker)) => args.starts_with(b"{") && checker.is_valid(args),
            Some(Takes::Adm(_)) | None => false,
        }
    }
}
