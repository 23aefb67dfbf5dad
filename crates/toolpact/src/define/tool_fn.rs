use std::future::Future;
use std::marker::PhantomData;

use crate::{
    Context, Tool, ToolError,
    typed::{Input, Output, ToolSpec},
};

/// A tool made of a closure that takes the arguments and the [`Context`].
///
/// ```
/// use toolpact::returns::StringValue;
/// use toolpact::{Context, Tool, ToolError, tool_fn, typed::ToolSpec};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Greet { name: String }
///
/// let tool = tool_fn(ToolSpec::new("greet", "Greets someone."), async |input: Greet, _: Context| {
///     Ok::<_, ToolError>(StringValue::success(format!("Hello, {}!", input.name)))
/// });
/// assert_eq!(tool.spec().name(), "greet");
/// ```
pub fn tool_fn<I, O, F, R>(spec: ToolSpec, function: F) -> ToolFn<I, O, F>
where
    I: Input,
    O: Output,
    F: Fn(I, Context) -> R + Send + Sync + 'static,
    R: Future<Output = Result<O, ToolError>> + Send,
{
    ToolFn {
        spec,
        function,
        text: None,
        types: PhantomData,
    }
}

/// A tool made by [`tool_fn`].
pub struct ToolFn<I, O, F> {
    spec: ToolSpec,
    function: F,
    text: Option<fn(&O) -> String>,
    types: PhantomData<fn(I) -> O>,
}

impl<I, O, F> ToolFn<I, O, F> {
    /// The same tool, with how its results read to a model.
    #[must_use]
    pub fn with_text(mut self, text: fn(&O) -> String) -> Self {
        self.text = Some(text);
        self
    }
}

impl<I, O, F, R> Tool for ToolFn<I, O, F>
where
    I: Input,
    O: Output,
    F: Fn(I, Context) -> R + Send + Sync + 'static,
    R: Future<Output = Result<O, ToolError>> + Send,
{
    type Input = I;
    type Output = O;

    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn call(
        &self,
        input: I,
        context: Context,
    ) -> impl Future<Output = Result<O, ToolError>> + Send {
        (self.function)(input, context)
    }

    fn text(&self, output: &O) -> Option<String> {
        self.text.map(|text| text(output))
    }
}

impl<I, O, F> std::fmt::Debug for ToolFn<I, O, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ToolFn({})", self.spec.name)
    }
}
