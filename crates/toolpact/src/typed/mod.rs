//! Tools as Rust types: what goes in, what comes out, how it fails.

mod about;
mod boxed;
mod describe;
mod error;
mod held;
mod io;
mod recursion;
mod strict;
mod walk;

pub use about::{About, RunsOn};
pub(crate) use describe::describe;
pub use error::ToolError;
pub(crate) use held::{Held, drop_quietly, panic_text};
pub use io::{Input, Named, Output};

use std::future::Future;

use crate::Context;

/// A tool with typed arguments and a typed result.
///
/// The attribute [`#[tool]`](macro@crate::tool) makes one of a function, and [`tool_fn`](crate::tool_fn) of a
/// closure; this is what both stand for.
///
/// ```
/// use toolpact::core::returns::types::NumberValue;
/// use toolpact::{Context, Tool, ToolError, typed::About};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { a: f64, b: f64 }
///
/// struct Add;
///
/// impl Tool for Add {
///     type Input = Sum;
///     type Output = NumberValue;
///
///     fn about(&self) -> About {
///         About::new("add", "Adds two numbers.").read_only()
///     }
///
///     async fn call(&self, input: Sum, _: Context) -> Result<NumberValue, ToolError> {
///         Ok(NumberValue::float(input.a + input.b)?)
///     }
/// }
/// ```
pub trait Tool: Send + Sync + 'static {
    /// What it takes.
    type Input: Input;
    /// What it returns.
    type Output: Output;

    /// Its name, its description and the rest of what is promised.
    fn about(&self) -> About;

    /// Does the work.
    fn call(
        &self,
        input: Self::Input,
        context: Context,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// How a result reads to a model. Without it, results are written in the way of their type.
    fn text(&self, output: &Self::Output) -> Option<String> {
        let _ = output;
        None
    }
}
