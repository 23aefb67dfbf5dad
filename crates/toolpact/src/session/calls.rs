//! The ways to make a call.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::mpsc;
use toolpact_core::json::{Document, Limits as ReadLimits};
use toolpact_core::model::FunctionCall;
use toolpact_core::returns::{ErrorKind, StandardError};
use toolpact_core::toolset::split_call;

use super::Session;
use crate::call::{CallArgs, CallOutcome, CallRequest, Keep, TypedInput, run};
use crate::completed::CallSuccess;
use crate::typed::AnyValue;
use crate::unread_updates::Unread;
use crate::{Call, Completed, ToolError, typed::ToolInput, view};

impl Session {
    /// Makes a call. There is always a result.
    pub async fn call(&self, call: impl Into<Call>) -> Completed {
        self.call_with(call.into(), None).await
    }

    /// Calls a tool by its types: takes the struct of the function's name, returns the tool's output.
    ///
    /// The tool gets the value itself. It is checked against the contract while it is written, and JSON
    /// is made of it only where something needs that: a guard, a log, a second attempt, a repair.
    ///
    /// ```
    /// use toolpact::returns::NumberValue;
    /// use toolpact::{Registry, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool(read_only)]
    /// async fn add(a: i64, b: i64) -> NumberValue {
    ///     NumberValue::success(a + b)
    /// }
    ///
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let registry = Registry::new();
    /// registry.add(add::tool())?;
    /// let session = registry.session().open()?;
    /// assert_eq!(session.run(add { a: 1, b: 2 }).await?, NumberValue::success(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn run<I: ToolInput>(&self, input: I) -> Result<I::Output, StandardError> {
        let result = self.run_typed(input).await;
        result.map_err(|error| error.to_standard())
    }

    async fn run_typed<I: ToolInput>(&self, input: I) -> Result<I::Output, ToolError> {
        let request = CallRequest {
            // Serde writes what is absent as null; repair takes it out.
            repair: Some(true),
            keep: Keep::Output,
            client: self.1.clone(),
            ..request(I::NAME, CallArgs::Typed(TypedInput::new(input)))
        };
        let result = run(&self.0, request).await.result?;
        let other = || {
            ToolError::new(ErrorKind::Configuration, "").with_source("another tool of that name")
        };
        result.result.take().ok_or_else(other)
    }

    /// Makes a call that is written as ADM has it, `{"name": …, "args": {…}}`, and writes its
    /// result in the same way. This is the fastest way: nothing is kept but the JSON of the result.
    pub async fn call_json(&self, json: &[u8]) -> Vec<u8> {
        let Some((name, args)) = split_call(json) else {
            return self.call_odd_json(json).await;
        };
        let outcome = run(&self.0, self.json_request(name, args)).await;
        reply(name, &outcome)
    }

    /// A call that is not written as expected, or is none.
    async fn call_odd_json(&self, json: &[u8]) -> Vec<u8> {
        let document = Document::json(json, &ReadLimits::default());
        match FunctionCall::check(&document).into_result() {
            Ok(call) => {
                let args = call.args().text().as_bytes();
                let outcome = run(&self.0, self.json_request(call.name().as_str(), args)).await;
                reply(call.name().as_str(), &outcome)
            }
            Err(violations) => {
                let message = format!("This is not a call: {violations}");
                let error = StandardError::new(ErrorKind::WrongArgument, &message);
                let name = document.root().and_then(|root| root.get("name")?.as_str());
                view::adm_failure(name.as_deref().unwrap_or_default(), &error)
            }
        }
    }

    pub(super) async fn call_with(
        &self,
        call: Call,
        updates: Option<mpsc::Sender<Unread>>,
    ) -> Completed {
        let json_request = CallRequest {
            name: &call.name,
            args: CallArgs::Value(&call.args),
            id: call.id.as_deref(),
            timeout: call.timeout,
            deadline: call.deadline,
            cancel: call.cancel.clone(),
            enforcement: call.enforcement,
            repair: call.repair,
            keep: match (call.as_given, call.json_only) {
                (true, _) => Keep::Given,
                (false, true) => Keep::Views,
                (false, false) => Keep::Typed,
            },
            updates,
            responder: call.responder.clone(),
            refused: call.refused.as_deref(),
            client: self.1.clone(),
            values: Some(&call.values),
        };
        let outcome = run(&self.0, json_request).await;
        self.completed(call, outcome)
    }

    fn json_request<'a>(&self, name: &'a str, args: &'a [u8]) -> CallRequest<'a> {
        CallRequest {
            client: self.1.clone(),
            ..request(name, CallArgs::Json(args))
        }
    }

    fn completed(&self, call: Call, outcome: CallOutcome) -> Completed {
        let (input, result) = match outcome.result {
            Ok(product) => {
                let success = CallSuccess {
                    result: product.result,
                    text: product.text,
                    is_text: product.is_text,
                    share: product.share.map(Arc::new),
                };
                (product.input, Ok(success))
            }
            Err(error) => (None, Err(error)),
        };
        let chars = outcome
            .entry
            .as_ref()
            .map(|entry| entry.limits().text_chars);
        Completed {
            name: call.name,
            call_id: call.id,
            input: input.unwrap_or_else(|| AnyValue::new(call.args)),
            outcome: result,
            violations: outcome.violations,
            repairs: outcome.repairs,
            stand_in: outcome.stand_in,
            took: outcome.took,
            text_chars: chars.unwrap_or(usize::MAX).min(self.0.limits.text_chars),
            result_store: self.0.result_store.clone(),
            handle: OnceLock::new(),
            value: OnceLock::new(),
            entry: outcome.entry,
        }
    }
}

fn request<'a>(name: &'a str, args: CallArgs<'a>) -> CallRequest<'a> {
    CallRequest {
        name,
        args,
        id: None,
        timeout: None::<Duration>,
        deadline: None,
        cancel: None,
        enforcement: None,
        repair: None,
        keep: Keep::Json,
        updates: None,
        responder: None,
        refused: None,
        client: None,
        values: None,
    }
}

fn reply(name: &str, outcome: &CallOutcome) -> Vec<u8> {
    let json = match (&outcome.result, &outcome.entry) {
        (Ok(product), Some(entry)) => product.result.json(entry),
        _ => None,
    };
    match (json, &outcome.result) {
        (Some(json), _) => view::adm_success(name, &json),
        (None, Err(error)) => view::adm_failure(name, error.as_standard()),
        (None, Ok(_)) => view::adm_failure(name, &StandardError::new(ErrorKind::Internal, "")),
    }
}
