//! What the runtime runs, whatever it is made of.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{CheckedOutput, ResultChecker, decode};
use crate::typed::AnyValue;
use crate::{Context, Tool, ToolError};

/// What a call comes to.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<CheckedOutput, ToolError>> + Send>>;

/// The part of a tool that does the work.
pub(crate) trait Body: Send + Sync {
    /// Makes work of arguments that have been checked.
    fn start(
        self: Arc<Self>,
        args: &[u8],
        context: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError>;

    /// Turns the text of a result that has been checked back into its type.
    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError>;

    /// How a result reads to a model, if the tool says so itself.
    fn text(&self, output: &AnyValue) -> Option<String>;
}

/// A tool with types.
pub(crate) struct Typed<T>(pub(crate) T);

impl<T: Tool> Body for Typed<T> {
    fn start(
        self: Arc<Self>,
        args: &[u8],
        context: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let input: T::Input = decode::typed(args)?;
        Ok(Box::pin(async move {
            let kept = checker.keeps_input().then(|| AnyValue::new(input.clone()));
            let output = self.0.call(input, context).await?;
            checker.check_result(kept, output)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError> {
        Ok(AnyValue::new(serde_json::from_slice::<T::Output>(json)?))
    }

    fn text(&self, output: &AnyValue) -> Option<String> {
        self.0.text(output.get()?)
    }
}
