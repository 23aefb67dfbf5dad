//! The body of a tool: what a call runs.

use std::any::{Any, TypeId};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{Arguments, CheckedOutput, ResultChecker, decode};
use crate::typed::AnyValue;
use crate::{Context, Tool, ToolError};
use toolpact_core::returns::ErrorKind;

/// The work of a call, which ends with a checked result.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<CheckedOutput, ToolError>> + Send>>;

/// The part of a tool that does the work.
pub(crate) trait Body: Send + Sync {
    /// Begins the work for arguments that have been checked.
    fn start(
        self: Arc<Self>,
        args: Arguments<'_>,
        context: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError>;

    /// Whether it can be started with a value of this type.
    fn takes(&self, input: TypeId) -> bool {
        let _ = input;
        false
    }

    /// Turns the JSON of a checked result back into its type.
    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError>;

    /// The text of a result for a model, if the tool makes it itself.
    fn text(&self, output: &AnyValue) -> Option<String>;
}

/// A tool with types.
pub(crate) struct TypedBody<T>(pub(crate) T);

impl<T: Tool> Body for TypedBody<T> {
    fn start(
        self: Arc<Self>,
        args: Arguments<'_>,
        context: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let (input, kept) = match args {
            Arguments::Value(value) => (of_type::<T::Input>(value)?, None),
            Arguments::Json(args) => {
                let kept = checker.keeps_input().then(|| {
                    AnyValue::decoded_on_demand::<T::Input>(args, |args| decode::typed(args).ok())
                });
                (decode::typed(args)?, kept)
            }
        };
        Ok(Box::pin(async move {
            let output = self.0.call(input, context).await?;
            checker.check_result(kept, output)
        }))
    }

    fn takes(&self, input: TypeId) -> bool {
        input == TypeId::of::<T::Input>()
    }

    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError> {
        Ok(AnyValue::new(serde_json::from_slice::<T::Output>(json)?))
    }

    fn text(&self, output: &AnyValue) -> Option<String> {
        self.0.text(output.get()?)
    }
}

fn of_type<I: 'static>(value: Box<dyn Any + Send>) -> Result<I, ToolError> {
    let value = value.downcast::<I>();
    let other = |_| ToolError::new(ErrorKind::Internal, "").with_source("a value of another type");
    value.map(|value| *value).map_err(other)
}
