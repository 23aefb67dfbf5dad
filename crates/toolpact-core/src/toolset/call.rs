use std::borrow::Cow;

use super::flawless::flawless;
use super::function::Takes;
use super::{Function, Toolset, envelope, fast_within};
use crate::Violations;
use crate::check::{Stop, with_scratch};
use crate::json::{Document, Limits, Value};
use crate::model::{CallParts, ToolName, report_unknown};
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
        if fast_within(limits, json) && self.is_surely_valid(json) {
            return flawless();
        }
        let checked = self.check_call(&Document::json(json, limits));
        Checked {
            value: checked.value.map(drop),
            violations: checked.violations,
        }
    }

    /// Reads a call from a document and checks it, with every violation in place.
    #[must_use]
    pub fn check_call(&self, document: &Document) -> Checked<Accepted<'_>> {
        document.check(|node, report| {
            let CallParts { name, args } = CallParts::read(node, report);
            let node = name?;
            let name = self.read_name(node, report)?;
            let Some(function) = self.get(&name) else {
                report_unknown(node, &name, self.names(), report);
                return None;
            };
            let args = function.check_args(args?, report)?;
            Some(Accepted { function, args })
        })
    }

    /// The name that a call bears, if it could be a name, so that its result can be held to it. The
    /// rest of the call may be wrong.
    #[must_use]
    pub fn name_of_call<'a>(&self, json: &'a [u8], limits: &Limits) -> Option<Cow<'a, str>> {
        let name = match envelope::call(json).filter(|_| fast_within(limits, json)) {
            Some((name, _)) => Cow::Borrowed(name),
            None => {
                let document = Document::json(json, limits);
                let name = document.root()?.get("name")?.as_str()?;
                Cow::Owned(name.into_owned())
            }
        };
        let known = !self.regular || self.functions.contains_key(&*name);
        (known || ToolName::new(&name).is_ok()).then_some(name)
    }

    /// What the fast path says. If it does not say yes, the other path has to decide.
    fn is_surely_valid(&self, json: &[u8]) -> bool {
        let verdict = (self.program.as_ref())
            .map(|program| with_scratch(|scratch| program.run(json, scratch)));
        match verdict {
            Some(Ok(_)) => return true,
            Some(Err(Stop::Mismatch | Stop::Malformed)) => return false,
            Some(Err(Stop::Unsure)) | None => {}
        }
        let Some((name, args)) = envelope::call(json) else {
            return false;
        };
        match self.get(name).map(|function| &function.takes) {
            Some(Takes::JsonSchema(checker)) => args.starts_with(b"{") && checker.is_valid(args),
            Some(Takes::Adm(_)) | None => false,
        }
    }
}
