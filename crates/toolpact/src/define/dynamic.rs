//! Tools without Rust types.

use std::future::Future;
use std::sync::Arc;

use toolpact_core::json::Value;

use super::{Body, Produced, Work};
use crate::call::{Job, read};
use crate::typed::Held;
use crate::{Context, ToolError};

/// A closure from arguments to a result.
pub(super) struct Dynamic<F>(pub(super) F);

impl<F, R, P> Body for Dynamic<F>
where
    F: Fn(Value, Context) -> R + Send + Sync + 'static,
    R: Future<Output = Result<P, ToolError>> + Send + 'static,
    P: Into<Produced> + 'static,
{
    fn start(self: Arc<Self>, args: &[u8], context: Context, job: Job) -> Result<Work, ToolError> {
        let args = read::untyped(args)?;
        Ok(Box::pin(async move {
            let kept = job.keeps_input().then(|| Held::new(args.clone()));
            let produced = (self.0)(args, context).await?.into();
            job.seal_untyped(kept, produced)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<Held, ToolError> {
        Ok(Held::new(Value::from_json(json)?))
    }

    fn text(&self, _: &Held) -> Option<String> {
        None
    }
}
