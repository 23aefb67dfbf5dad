//! The result of a call, and the views of it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use toolpact_core::Violations;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::memory::MemoryShare;
use toolpact_core::model::{ErrorObject, ToolName, ToolResult};
use toolpact_core::repair::Repair;
use toolpact_core::returns::{ErrorKind, Outcome, Returns, StandardError};

use crate::call::KeptResult;
use crate::registry::RegisteredTool;
use crate::result_store::ResultStore;
use crate::text::{self, Budget, Rendered};
use crate::typed::AnyValue;
use crate::{ToolError, view};

/// The result of a call: its typed input and its typed output or its error. Everything else is a
/// view of these, made on demand.
#[derive(Debug)]
pub struct Completed {
    pub(crate) name: Box<str>,
    pub(crate) entry: Option<Arc<RegisteredTool>>,
    pub(crate) call_id: Option<Box<str>>,
    pub(crate) input: AnyValue,
    pub(crate) outcome: Result<CallSuccess, ToolError>,
    pub(crate) violations: Violations,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) stand_in: Option<&'static str>,
    pub(crate) took: Duration,
    pub(crate) text_chars: usize,
    pub(crate) result_store: Arc<ResultStore>,
    /// The handle in the result store, once the text was truncated, if there was memory for it.
    pub(crate) handle: OnceLock<Option<String>>,
    /// The output as a value, parsed once: several views need it.
    pub(crate) value: OnceLock<Option<Value>>,
}

/// The result of a call that succeeded.
#[derive(Debug)]
pub(crate) struct CallSuccess {
    pub(crate) result: KeptResult,
    /// The text that an untyped tool returned beside its value.
    pub(crate) text: Option<String>,
    /// Whether the tool returned text, and no value.
    pub(crate) is_text: bool,
    /// What it takes of the memory for results.
    pub(crate) share: Option<Arc<MemoryShare>>,
}

impl Completed {
    /// The name that the call used.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The contract of the tool, if there is such a tool.
    #[must_use]
    pub fn contract(&self) -> Option<&Contract> {
        self.entry.as_ref().map(|entry| entry.contract())
    }

    /// The identifier that the caller gave the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// Whether it succeeded.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.outcome.is_ok()
    }

    /// What came of the work as the result says, or why the call failed. A call can succeed while the
    /// operation that it asks about has failed.
    pub fn outcome(&self) -> Result<Outcome, &ToolError> {
        self.outcome.as_ref()?;
        Ok(view::outcome(self.returns(), || self.to_value()))
    }

    /// The input as its type. Arguments that were refused, and those of untyped tools, are a
    /// [`Value`].
    #[must_use]
    pub fn input<T: 'static>(&self) -> Option<&T> {
        self.input.get()
    }

    /// The output as its type, if the call succeeded. That of untyped tools is a [`Value`].
    #[must_use]
    pub fn output<T: 'static>(&self) -> Option<&T> {
        self.outcome.as_ref().ok()?.result.get()
    }

    /// Why it failed.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        self.outcome.as_ref().err()
    }

    /// The rules that the arguments or the result broke. If the call succeeded, the result passed
    /// although it breaks the contract: see [`Enforcement::Warn`](crate::call::Enforcement::Warn).
    #[must_use]
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    /// What was repaired in the arguments.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// What the result takes of the memory for results, to be held for as long as something made of it is.
    /// Small results take nothing.
    #[must_use]
    pub fn memory(&self) -> Option<Arc<MemoryShare>> {
        self.outcome.as_ref().ok()?.share.clone()
    }

    /// What answered in place of the tool, if something did: see [`Context::answered_by`](crate::Context::answered_by).
    #[must_use]
    pub fn stand_in(&self) -> Option<&'static str> {
        self.stand_in
    }

    /// How long it took, waiting included.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// The output as JSON, if the call succeeded.
    #[must_use]
    pub fn to_json(&self) -> Option<Vec<u8>> {
        let (done, entry) = (self.outcome.as_ref().ok()?, self.entry.as_ref()?);
        Some(done.result.json(entry)?.into_owned())
    }

    /// The output as a value, if the call succeeded.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        let make = || {
            let (done, entry) = (self.outcome.as_ref().ok()?, self.entry.as_ref()?);
            done.result.to_value(entry)
        };
        self.value.get_or_init(make).clone()
    }

    /// The result as ADM has it. `None` only if the call used a name that no tool can have.
    #[must_use]
    pub fn to_adm(&self) -> Option<ToolResult> {
        let entry = self.entry.as_ref();
        // Calls may use the original name of a tool, which no result of ADM can have.
        let own = || entry.map(|entry| entry.contract().name().clone());
        let name = ToolName::new(&self.name).ok().or_else(own)?;
        Some(match (&self.outcome, self.to_value()) {
            (Ok(_), Some(content)) => ToolResult::Success { name, content },
            (Ok(_), None) => view::unwritable(name),
            (Err(error), _) => ToolResult::Error {
                name,
                error: ErrorObject::from(error.as_standard()),
            },
        })
    }

    /// The same as JSON, made of the JSON of the output as it was checked. An error has the name that the call used,
    /// whatever that is.
    #[must_use]
    pub fn to_adm_json(&self) -> Vec<u8> {
        let name = |entry: &Arc<RegisteredTool>| match ToolName::new(&self.name) {
            Ok(name) => name,
            Err(_) => entry.contract().name().clone(),
        };
        match (&self.outcome, &self.entry) {
            (Ok(done), Some(entry)) => match done.result.json(entry) {
                Some(json) => view::adm_success(name(entry).as_str(), &json),
                None => view::unwritable(name(entry)).to_json().into_bytes(),
            },
            (Err(error), _) => view::adm_failure(&self.name, error.as_standard()),
            (Ok(_), None) => {
                view::adm_failure(&self.name, &StandardError::new(ErrorKind::Internal, ""))
            }
        }
    }

    /// The same without a copy of the result, if that is a value: what comes before its text, the value, and what comes
    /// after it.
    #[must_use]
    pub fn to_adm_parts(&self) -> Option<(Vec<u8>, Value, &'static [u8])> {
        let (done, entry) = (self.outcome.as_ref().ok()?, self.entry.as_ref()?);
        let value = done.result.value()?;
        let own = || entry.contract().name().clone();
        let name = ToolName::new(&self.name).unwrap_or_else(|_| own());
        let (before, after) = view::adm_around(name.as_str());
        Some((before, value, after))
    }

    /// The text that the tool itself has for a model, if it has one: what [`text`](Self::text) would otherwise make of the
    /// result.
    #[must_use]
    pub fn own_text(&self) -> Option<Cow<'_, str>> {
        let (done, entry) = (self.outcome.as_ref().ok()?, self.entry.as_ref()?);
        match &done.text {
            Some(text) => Some(text.into()),
            None => done.result.own_text(entry).map(Cow::Owned),
        }
    }

    /// Whether a tool without Rust types returned text, and no value. It is known of results that are kept
    /// [as they were given](crate::Call::as_given), whose JSON is then that text as a string.
    #[must_use]
    pub fn gave_text(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|done| done.is_text)
    }

    /// The result in the envelope of its ADL return type: the output as it is, or the error in the
    /// form that the type has for it.
    #[must_use]
    pub fn to_adl(&self) -> Value {
        match (&self.outcome, self.to_value()) {
            (Ok(_), Some(output)) => output,
            (Ok(_), None) => Value::from(()),
            (Err(error), _) => view::error_envelope(self.returns(), error),
        }
    }

    /// The whole as one record: `{"tool": …, "input": …, "output": …}`, or `error` in place of
    /// `output`.
    #[must_use]
    pub fn to_record(&self) -> Value {
        let input = self.input.to_json(None).unwrap_or_else(|| b"null".to_vec());
        let (key, outcome) = match &self.outcome {
            Ok(_) => ("output", self.to_json().unwrap_or_else(|| b"null".to_vec())),
            Err(error) => ("error", error.to_standard().to_json().into_bytes()),
        };
        view::record(&self.name, &input, key, &outcome)
    }

    /// What a model reads: the text of the tool itself, of its template, or of its return type. A text
    /// that is too long is truncated at the end of an item; the whole result is then in the result store
    /// of the session, under the handle that the text names.
    #[must_use]
    pub fn text(&self) -> String {
        let budget = Budget::new(self.text_chars);
        let done = match &self.outcome {
            Ok(done) => done,
            Err(error) => return self.text_of_error(error, &budget),
        };
        let rendered = self.rendered(&budget);
        // The text of an untyped tool may say more than its value.
        let whole = || {
            done.text
                .as_deref()
                .map(Value::from)
                .or_else(|| self.to_value())
        };
        match rendered.cut.and_then(|_| whole()) {
            Some(value) => match self.stored(value) {
                Some(handle) => self.rendered(&budget.with_handle(handle)).text,
                None => rendered.text,
            },
            None => rendered.text,
        }
    }

    /// The handle of the result in the store, unless there is no memory for it.
    fn stored(&self, value: Value) -> Option<&str> {
        let memory = self.entry.as_ref()?.memory();
        let keep = || self.result_store.keep(value, memory);
        self.handle.get_or_init(keep).as_deref()
    }

    /// Like [`text`](Self::text), for readers who cannot [read](crate::Session::read_result) the rest:
    /// the text names no handle, and nothing is stored.
    #[must_use]
    pub fn text_truncated(&self) -> String {
        let budget = Budget::new(self.text_chars);
        match &self.outcome {
            Ok(_) => self.rendered(&budget).text,
            Err(error) => self.text_of_error(error, &budget),
        }
    }

    /// Like [`text`](Self::text), but never truncated.
    #[must_use]
    pub fn text_uncut(&self) -> String {
        let budget = Budget::new(usize::MAX);
        match &self.outcome {
            Ok(_) => self.rendered(&budget).text,
            Err(error) => self.text_of_error(error, &budget),
        }
    }

    /// The message of an argument error lists the violations already, so its details are left out.
    fn text_of_error(&self, error: &ToolError, budget: &Budget<'_>) -> String {
        if let Some(result) = error.result()
            && !self.returns().error_says_all(result.root())
        {
            return text::of_value(self.returns(), result.root(), budget).text;
        }
        let kinds = [ErrorKind::MissingArgument, ErrorKind::WrongArgument];
        let brief = !self.violations.is_empty() && kinds.contains(&error.kind());
        match brief {
            true => {
                let error = StandardError::new(error.kind(), error.message());
                text::of_error(&error, budget).text
            }
            false => text::of_error(error.as_standard(), budget).text,
        }
    }

    fn rendered(&self, budget: &Budget<'_>) -> Rendered {
        if let Some(text) = self.own_text() {
            return text::of_text(text.into_owned(), budget);
        }
        let Some(value) = self.to_value() else {
            return text::of_text(String::new(), budget);
        };
        if let Some(template) = self.contract().and_then(Contract::text) {
            match text::of_success(template, value.root(), budget) {
                Ok(rendered) => return rendered,
                Err(error) => {
                    tracing::warn!(target: "toolpact", tool = self.name(), %error, "a template failed");
                }
            }
        }
        text::of_value(self.returns(), value.root(), budget)
    }

    fn returns(&self) -> &Returns {
        self.contract()
            .map_or(&Returns::Undeclared, Contract::returns)
    }
}
