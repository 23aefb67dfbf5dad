//! Tools that are programs.

use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::Returns;

use super::command_words::CommandWords;
use super::{Body, UntypedOutput, Work};
use crate::call::{Arguments, ResultChecker, decode};
use crate::command::{CommandLimits, FailedRun, run};
use crate::typed::AnyValue;
use crate::{Context, Error, ToolError};

/// A program: arguments on its standard input, the result on its standard output.
pub(super) struct CommandBody(pub(super) CommandWords);

impl Body for CommandBody {
    fn start(
        self: Arc<Self>,
        args: Arguments<'_>,
        _: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let args = decode::untyped(&args)?;
        let command = self.0.fill(&args)?;
        Ok(Box::pin(async move {
            let limits = CommandLimits {
                stdout_bytes: checker.most,
                ..CommandLimits::default()
            };
            let written = run(&command, args.text().as_bytes(), &limits).await;
            let contract = checker.entry.contract();
            let written =
                written.map_err(|failed| error(command.program(), failed, contract.returns()))?;
            let text = String::from_utf8_lossy(&written);
            let text = text.trim_end_matches(['\n', '\r']);
            let output = UntypedOutput::written(text, contract);
            let kept = checker.keeps_input().then(|| AnyValue::new(args));
            checker.check_untyped_result(kept, output)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError> {
        Ok(AnyValue::new(Value::from_json(json)?))
    }

    fn text(&self, _: &AnyValue) -> Option<String> {
        None
    }
}

/// Why there is no result. A program that ends badly may have written a result that says why.
fn error(program: &str, failed: FailedRun, returns: &Returns) -> ToolError {
    let FailedRun { fault, stderr } = failed;
    let reported = fault.said().and_then(|said| returns.failure(said));
    let error = match reported {
        Some(failure) => ToolError::from(failure.error).with_result(failure.result),
        None => ToolError::from(fault.to_standard()),
    };
    error.with_source(Error::command(program, fault, stderr))
}
