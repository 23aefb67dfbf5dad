//! What the runtime runs, whatever it is made of.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{Job, Product, read};
use crate::typed::Held;
use crate::{Context, Tool, ToolError};

/// What a call comes to.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<Product, ToolError>> + Send>>;

/// The part of a tool that does the work.
pub(crate) trait Body: Send + Sync {
    /// Makes work of arguments that have been checked.
    fn start(self: Arc<Self>, args: &[u8], context: Context, job: Job) -> Result<Work, ToolError>;

    /// Turns the text of a result that has been checked back into its type.
    fn decode(&self, json: &[u8]) -> Result<Held, ToolError>;

    /// How a result reads to a model, if the tool says so itself.
    fn text(&self, output: &Held) -> Option<String>;
}

/// A tool with types.
pub(crate) struct Typed<T>(pub(crate) T);

impl<T: Tool> Body for Typed<T> {
    fn start(self: Arc<Self>, args: &[u8], context: Context, job: Job) -> Result<Work, ToolError> {
        let input: T::Input = read::typed(args)?;
        Ok(Box::pin(async move {
            let kept = job.keeps_input().then(|| Held::new(input.clone()));
            let output = self.0.call(input, context).await?;
            job.seal(kept, output)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<Held, ToolError> {
        Ok(Held::new(serde_json::from_slice::<T::Output>(json)?))
    }

    fn text(&self, output: &Held) -> Option<String> {
        self.0.text(output.get()?)
    }
}
