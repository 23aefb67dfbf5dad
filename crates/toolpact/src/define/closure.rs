//! Tools that are closures from JSON to JSON.

use std::future::Future;
use std::sync::Arc;

use toolpact_core::json::Value;

use super::{Body, UntypedOutput, Work};
use crate::call::{Arguments, ResultChecker, decode};
use crate::typed::AnyValue;
use crate::{Context, ToolError};

/// A closure from arguments to a result.
pub(super) struct ClosureBody<F> {
    pub(super) body: F,
    /// Whether results are lifted into what the contract promises, rather than taken as they are.
    pub(super) lifts: bool,
}

impl<F, R, P> Body for ClosureBody<F>
where
    F: Fn(Value, Context) -> R + Send + Sync + 'static,
    R: Future<Output = Result<P, ToolError>> + Send + 'static,
    P: Into<UntypedOutput> + 'static,
{
    fn start(
        self: Arc<Self>,
        args: Arguments<'_>,
        context: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let args = decode::untyped(&args)?;
        Ok(Box::pin(async move {
            let kept = checker.keeps_input().then(|| AnyValue::new(args.clone()));
            let output = (self.body)(args, context).await?.into();
            match self.lifts {
                true => checker.check_untyped_result(kept, output),
                false => checker.check_finished_result(kept, output),
            }
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError> {
        Ok(AnyValue::new(Value::from_json(json)?))
    }

    fn text(&self, _: &AnyValue) -> Option<String> {
        None
    }
}
