use super::function::{CheckArgs, Takes};
use super::nothing_found;
use super::{Function, Toolset, envelope, fast_within};
use crate::Violations;
use crate::check::{verdict, with_scratch};
use crate::json::{Document, Limits, Value};
use crate::model::CallParts;
use crate::violation::Checked;

/// A call that satisfies its contract.
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

    /// The arguments as the function receives them: every INTEGER of ADM is written as one, so that
    /// `3.0` becomes `3`.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }
}

impl Toolset {
    /// Whether a JSON text is a valid call of one of the functions.
    #[must_use]
    pub fn is_valid_call(&self, json: &[u8]) -> bool {
        let limits = Limits::default();
        self.verdict_within(json, &limits).unwrap_or_else(|| {
            let document = Document::json(json, &limits);
            self.check_call(&document).into_result().is_ok()
        })
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_call_json(&self, json: &[u8]) -> Result<(), Violations> {
        self.check_call_within(json, &Limits::default())
            .into_result()
    }

    /// Checks a JSON text within custom limits. Every error and warning has its position.
    #[must_use]
    pub fn check_call_within(&self, json: &[u8], limits: &Limits) -> Checked<()> {
        let check = match self.verdict_within(json, limits) {
            Some(true) => return nothing_found(),
            Some(false) => Function::explain_args,
            None => Function::check_args,
        };
        self.read_call(&Document::json(json, limits), check)
            .map(drop)
    }

    /// Reads a call from a document and checks it. Every violation has its position.
    #[must_use]
    pub fn check_call(&self, document: &Document) -> Checked<Accepted<'_>> {
        self.read_call(document, Function::check_args)
    }

    pub(super) fn read_call(&self, document: &Document, check: CheckArgs) -> Checked<Accepted<'_>> {
        document.check(|node, report| {
            let CallParts { name, args } = CallParts::read(node, report);
            let function = self.find(name?, report)?;
            let args = check(function, args?, report)?;
            Some(Accepted { function, args })
        })
    }

    /// The verdict of the fast path; `None` if the explain path has to decide.
    #[inline]
    pub(super) fn verdict_within(&self, json: &[u8], limits: &Limits) -> Option<bool> {
        if !fast_within(limits, json) {
            return None;
        }
        let program = self.program.as_ref();
        let found = program.map(|program| with_scratch(|scratch| program.run(json, scratch)));
        if let Some(valid) = found.and_then(|run| verdict(&run)) {
            return Some(valid);
        }
        let (name, args) = envelope::split_call(json)?;
        match &self.get(name)?.takes {
            Takes::JsonSchema(checker) if args.starts_with(b"{") => Some(checker.is_valid(args)),
            Takes::JsonSchema(_) | Takes::Adm(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, Limits, Toolset};
    use crate::check::RUNS;
    use crate::contract::ContractDocument;
    use crate::returns::Level;

    fn tools() -> Toolset {
        let contracts = ContractDocument::from_json(
            r#"{"toolpact": 1, "tools": [{
                "name": "f",
                "description": "Does what it is told to.",
                "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}},
                "returns": "NumberValue"
            }]}"#,
        )
        .unwrap();
        let functions = contracts.tools();
        Toolset::new(functions.map(|c| Function::of_contract(c, Level::Meaning))).unwrap()
    }

    /// How often the fast path runs.
    fn runs(check: impl FnOnce() -> bool) -> usize {
        let before = RUNS.get();
        assert!(check());
        RUNS.get() - before
    }

    #[test]
    fn the_fast_path_is_asked_once_about_what_is_invalid() {
        let (tools, limits) = (tools(), Limits::default());
        let function = tools.get("f").unwrap();
        let call = br#"{"name": "f", "args": {"n": "5"}}"#;
        let result = br#"{"name": "f", "status": "SUCCESS", "content": "5"}"#;
        assert_eq!(runs(|| function.check_json(br#"{"n": "5"}"#).is_err()), 1);
        assert_eq!(runs(|| function.read_args(br#"{"n": "5"}"#).is_err()), 1);
        assert_eq!(runs(|| tools.check_call_json(call).is_err()), 1);
        assert_eq!(runs(|| !tools.is_valid_call(call)), 1);
        let is_wrong = || {
            tools
                .check_result_within(result, None, &limits)
                .into_result()
                .is_err()
        };
        // It runs again to check whether the result is a failure, which has another schema.
        assert_eq!(runs(is_wrong), 2);
    }
}
