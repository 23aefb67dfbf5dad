//! Tools as Rust types: what goes in, what comes out, how it fails.

mod any_value;
mod boxed_error;
mod describe;
mod error;
mod io;
mod recursion;
mod spec;
mod strict;
mod walk;

pub(crate) use any_value::{AnyValue, drop_catching, panic_text};
pub(crate) use describe::describe;
pub use error::ToolError;
pub use io::{Input, IntoOutput, Output, ToolInput};
pub use spec::{RunsOn, ToolSpec};

use std::future::Future;

use crate::Context;

/// A tool with typed arguments and a typed result.
///
/// The attribute [`#[tool]`](macro@crate::tool) makes one of a function, and [`tool_fn`](crate::tool_fn) of a
/// closure; both implement this trait.
///
/// ```
/// use toolpact::returns::NumberValue;
/// use toolpact::{Context, Tool, ToolError, typed::ToolSpec};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { a: f64, b: f64 }
///
/// struct Add;
///
/// impl Tool for Add {
///     type Input = Sum;
///     type Output = NumberValue;
///
///     fn spec(&self) -> ToolSpec {
///         ToolSpec::new("add", "Adds two numbers.").read_only()
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

    /// Its name, its description and its options.
    fn spec(&self) -> ToolSpec;

    /// Does the work.
    fn call(
        &self,
        input: Self::Input,
        context: Context,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// The text of a result for a model. By default, that of its return type.
    fn text(&self, output: &Self::Output) -> Option<String> {
        let _ = output;
        None
    }
}
