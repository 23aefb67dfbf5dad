//! Tools that are programs.

use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::Returns;

use super::command_words::CommandWords;
use super::{Body, UntypedOutput, Work};
use crate::call::{Arguments, ResultChecker, decode};
use crate::command::{CommandFault, CommandLimits, FailedRun, run};
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
            // Until the result has taken its own.
            let mut share = checker.entry.answers().take(0);
            let written = run(&command, args.text().as_bytes(), &limits, &mut share).await;
            let written = written.and_then(text_of);
            let contract = checker.entry.contract();
            let written =
                written.map_err(|failed| error(command.program(), failed, contract.returns()))?;
            let text = written.trim_end_matches(['\n', '\r']);
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

/// Characters in place of bytes that are none would be a result that no program wrote.
fn text_of(written: Vec<u8>) -> Result<String, FailedRun> {
    String::from_utf8(written).map_err(|error| FailedRun {
        fault: CommandFault::NotText {
            at: error.utf8_error().valid_up_to(),
        },
        stderr: String::new(),
    })
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
