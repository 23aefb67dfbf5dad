//! Tools that are programs.

use std::sync::Arc;

use toolpact_core::contract::Command;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

use super::{Body, UntypedOutput, Work};
use crate::call::{ResultChecker, decode};
use crate::command::{CommandLimits, ProgramFailure, run};
use crate::typed::AnyValue;
use crate::{Context, ToolError};

/// A program: arguments on its standard input, the result on its standard output.
pub(super) struct CommandBody(pub(super) Command);

impl Body for CommandBody {
    fn start(
        self: Arc<Self>,
        args: &[u8],
        _: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let args = decode::untyped(args)?;
        Ok(Box::pin(async move {
            let limits = CommandLimits {
                stdout_bytes: checker.most,
                ..CommandLimits::default()
            };
            let written = run(&self.0, args.text().as_bytes(), &limits).await;
            let written = written.map_err(|failed| {
                let cause = ProgramFailure::of(&failed);
                ToolError::from(StandardError::from(failed.error)).with_source(cause)
            })?;
            let text = String::from_utf8_lossy(&written);
            let text = text.trim_end_matches(['\n', '\r']);
            let output = UntypedOutput::written(text, checker.entry.contract());
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
