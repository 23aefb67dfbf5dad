use std::fmt;

use toolpact_core::contract::Contract;
use toolpact_core::json::{Node, Value};

use super::assert::described;
use crate::{Call, Completed, Definition, Error, Registry, Session};

/// Calls a tool with every example of its contract: the `examples` of its parameters. Each result is
/// checked against the contract.
///
/// ```
/// use toolpact::core::contract::Contract;
/// use toolpact::core::json::Value;
/// use toolpact::{Context, Definition, ToolError, testing};
///
/// let contract = Contract::from_json(r#"{
///     "name": "half_of",
///     "description": "Halves an even number.",
///     "parameters": {
///         "type": "object",
///         "properties": {"n": {"type": "integer"}},
///         "required": ["n"],
///         "examples": [{"n": 4}, {"n": 0}]
///     },
///     "returns": "NumberValue"
/// }"#)?;
/// let tool = Definition::new(contract, async |args: Value, _: Context| {
///     let n: i64 = args.root().get("n").map_or("0", |n| n.text()).parse()?;
///     Ok::<_, ToolError>(Value::from(n / 2))
/// });
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let examples = testing::run_examples(&tool).await?;
/// assert_eq!(examples.runs().len(), 2);
/// examples.assert_kept();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn run_examples(tool: &Definition) -> Result<Examples, Error> {
    let registry = Registry::new();
    registry.add(tool.clone())?;
    let session = registry.session().open()?;
    Ok(run_examples_in(&session, tool.contract().name().as_str()).await)
}

/// Calls a tool of a session with every example of its contract, for tools that need the values of
/// a session. A tool that is not there has no examples.
pub async fn run_examples_in(session: &Session, tool: &str) -> Examples {
    let examples = session.get(tool).map(|entry| of(entry.contract()));
    let mut runs = Vec::new();
    for args in examples.unwrap_or_default() {
        let completed = session.call(Call::new(tool, args.clone())).await;
        runs.push(ExampleRun { args, completed });
    }
    let tool = tool.into();
    Examples { tool, runs }
}

fn of(contract: &Contract) -> Vec<Value> {
    let parameters = contract.parameters().to_json_schema();
    let examples = parameters.root().get("examples");
    let examples = examples.into_iter().flat_map(Node::items);
    examples.map(Node::to_value).collect()
}

/// The results of the examples of a tool.
#[derive(Debug)]
pub struct Examples {
    tool: Box<str>,
    runs: Vec<ExampleRun>,
}

/// The result of one example.
#[derive(Debug)]
pub struct ExampleRun {
    args: Value,
    completed: Completed,
}

impl Examples {
    /// All of them, in the order of the contract.
    #[must_use]
    pub fn runs(&self) -> &[ExampleRun] {
        &self.runs
    }

    /// Those that did not work, or whose result breaks the contract.
    pub fn broken(&self) -> impl Iterator<Item = &ExampleRun> {
        self.runs.iter().filter(|run| !run.is_kept())
    }

    /// There are examples, and all of them work.
    ///
    /// # Panics
    ///
    /// If not; the message lists those that do not.
    #[track_caller]
    pub fn assert_kept(&self) {
        let is_kept = !self.runs.is_empty() && self.broken().next().is_none();
        assert!(is_kept, "{self}");
    }
}

impl ExampleRun {
    /// The example.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }

    /// The result of the call.
    #[must_use]
    pub fn completed(&self) -> &Completed {
        &self.completed
    }

    /// Whether it worked, and its result keeps the contract.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.completed.is_success() && self.completed.violations().is_empty()
    }
}

/// How many there are, and what came of those that do not work.
impl fmt::Display for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = &self.tool;
        match (self.runs.len(), self.broken().count()) {
            (0, _) => write!(
                f,
                "`{tool}` has no examples: write `examples` in its parameters"
            )?,
            (all, broken) => write!(f, "{broken} of {all} examples of `{tool}` do not work")?,
        }
        for run in self.broken() {
            write!(f, "\n{}:\n  {}", run.args, described(&run.completed))?;
        }
        Ok(())
    }
}
