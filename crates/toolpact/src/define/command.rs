//! Tools that are programs.

use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::Returns;

use super::command_words::CommandWords;
use super::{Body, UntypedOutput, Work};
use crate::call::{ResultChecker, decode};
use crate::command::{CommandFault, CommandLimits, run};
use crate::typed::AnyValue;
use crate::{Context, Error, ToolError};

/// A program: arguments on its standard input, the result on its standard output.
pub(super) struct CommandBody(pub(super) CommandWords);

impl Body for CommandBody {
    fn start(
        self: Arc<Self>,
        args: &[u8],
        _: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let args = decode::untyped(args)?;
        let command = self.0.fill(&args)?;
        Ok(Box::pin(async move {
            let limits = CommandLimits {
                stdout_bytes: checker.most,
                ..CommandLimits::default()
            };
            let written = run(&command, args.text().as_bytes(), &limits).await;
            let returns = checker.entry.contract().returns();
            let written = written.map_err(|fault| failed(command.program(), fault, returns))?;
            let output = untyped(&written, returns);
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
fn failed(program: &str, fault: CommandFault, returns: &Returns) -> ToolError {
    let reported = fault.said().and_then(|said| returns.failure(said));
    let error = match reported {
        Some(failure) => ToolError::from(failure.error).with_result(failure.result),
        None => ToolError::from(fault.to_standard()),
    };
    error.with_source(Error::command(program, fault))
}

/// What a program wrote: JSON, or text where the contract promises no more than that.
fn untyped(written: &[u8], returns: &Returns) -> UntypedOutput {
    let text = String::from_utf8_lossy(written);
    let text = text.trim_end_matches(['\n', '\r']);
    match (Value::from_json(text.trim()), returns) {
        (Ok(value), Returns::Opaque) if value.root().as_str().is_none() => {
            UntypedOutput::text(text)
        }
        (Ok(value), _) => value.into(),
        (Err(_), _) => UntypedOutput::text(text),
    }
}
