use std::fmt;

use super::Calls;
use crate::{Context, Tool, ToolError, typed::ToolSpec};

/// The tool with another body: the same contract, the same text for models, but the closure
/// answers. What it returns is enforced.
///
/// ```
/// use toolpact::returns::StringValue;
/// use toolpact::{Registry, ToolError, testing, tool};
///
/// /// Greets someone.
/// #[tool]
/// async fn greet(name: String) -> StringValue {
///     StringValue::success(format!("Hello, {name}!"))
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let registry = Registry::new();
/// registry.add(testing::fake(greet::tool(), |input: greet| match &*input.name {
///     "nobody" => Err(ToolError::not_found("There is nobody of that name.")),
///     name => Ok(StringValue::success(format!("Hi, {name}."))),
/// }))?;
/// let session = registry.session().open()?;
/// let output = session.run(greet { name: "Ada".to_owned() }).await?;
/// assert_eq!(output, StringValue::success("Hi, Ada."));
/// assert!(session.run(greet { name: "nobody".to_owned() }).await.is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fake<T, F>(tool: T, answer: F) -> Fake<T, F>
where
    T: Tool,
    T::Input: Clone,
    F: Fn(T::Input) -> Result<T::Output, ToolError> + Send + Sync + 'static,
{
    Fake {
        tool,
        answer,
        calls: Calls::new(),
    }
}

/// A tool made by [`fake`].
pub struct Fake<T: Tool, F> {
    tool: T,
    answer: F,
    calls: Calls<T::Input>,
}

impl<T: Tool, F> Fake<T, F> {
    /// Its calls, now and later.
    #[must_use]
    pub fn calls(&self) -> Calls<T::Input> {
        self.calls.clone()
    }
}

impl<T, F> Tool for Fake<T, F>
where
    T: Tool,
    T::Input: Clone,
    F: Fn(T::Input) -> Result<T::Output, ToolError> + Send + Sync + 'static,
{
    type Input = T::Input;
    type Output = T::Output;

    fn spec(&self) -> ToolSpec {
        self.tool.spec()
    }

    async fn call(&self, input: T::Input, _: Context) -> Result<T::Output, ToolError> {
        self.calls.add(input.clone());
        (self.answer)(input)
    }

    fn text(&self, output: &T::Output) -> Option<String> {
        self.tool.text(output)
    }
}

impl<T: Tool, F> fmt::Debug for Fake<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fake({})", self.tool.spec().name())
    }
}
