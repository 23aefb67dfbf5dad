use super::{Function, Toolset, envelope, fast_within, nothing_found};
use crate::Violations;
use crate::json::report::Report;
use crate::json::{Document, Limits, Node};
use crate::model::{Arm, ResultParts, ToolName, report_mismatch};
use crate::violation::Checked;

impl Toolset {
    /// Whether a JSON text is a valid result, see [`check_result`](Self::check_result).
    #[must_use]
    pub fn is_valid_result(&self, json: &[u8], call: Option<&str>) -> bool {
        self.check_result_json(json, call).is_ok()
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_result_json(&self, json: &[u8], call: Option<&str>) -> Result<(), Violations> {
        self.check_result_within(json, call, &Limits::default())
            .into_result()
    }

    /// Checks a JSON text within custom limits. Every error and warning has its position.
    #[must_use]
    pub fn check_result_within(
        &self,
        json: &[u8],
        call: Option<&str>,
        limits: &Limits,
    ) -> Checked<()> {
        if !fast_within(limits, json) {
            return self.check_result(&Document::json(json, limits), call);
        }
        match self.fast_accepts_result(json, call) {
            true => nothing_found(),
            false => {
                let document = Document::json(json, limits);
                self.read_result(&document, call, Function::explain_content)
            }
        }
    }

    /// Checks a result in a document: it must have the name of its call, if there is one, and of a
    /// function of this set otherwise; and the content of a success must satisfy the contract of
    /// its function. An error is not checked against the contract.
    #[must_use]
    pub fn check_result(&self, document: &Document, call: Option<&str>) -> Checked<()> {
        self.read_result(document, call, Function::check_content)
    }

    pub(super) fn read_result(
        &self,
        document: &Document,
        call: Option<&str>,
        check: fn(&Function, Node<'_>, &mut Report),
    ) -> Checked<()> {
        document.check(|node, report| {
            let ResultParts { name, arm } = ResultParts::read(node, report);
            let node = name?;
            let name = self.read_name(node, report)?;
            if !self.check_name(node, &name, call, report) {
                return None;
            }
            match (arm?, self.get(&name)) {
                (Arm::Success(content), Some(function)) => check(function, content, report),
                (Arm::Success(_), None) | (Arm::Error(_), _) => {}
            }
            Some(())
        })
    }

    /// Whether the result is from the right function.
    pub(super) fn check_name(
        &self,
        node: Node<'_>,
        name: &str,
        call: Option<&str>,
        report: &mut Report,
    ) -> bool {
        match call {
            Some(call) if !self.is_same(call, name) => report_mismatch(node, name, call, report),
            // If the function is unknown, that was reported for its call.
            Some(_) => return true,
            None if self.unknown.is_some() || self.get(name).is_some() => return true,
            None => self.report_unknown(node, name, report),
        }
        false
    }

    /// Whether the fast path accepts it. If not, the explain path has to decide.
    pub(super) fn fast_accepts_result(&self, json: &[u8], call: Option<&str>) -> bool {
        let Some((name, content)) = envelope::split_success(json) else {
            return false;
        };
        if call.is_some_and(|call| !self.is_same(call, name)) {
            return false;
        }
        match (self.get(name), &self.unknown) {
            (Some(function), _) => function.promise.fast_accepts(content),
            (None, Some(unknown)) => ToolName::new(name).is_ok() && unknown.fast_accepts(content),
            (None, None) => false,
        }
    }
}
