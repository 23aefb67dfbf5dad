//! A workbench: tools, a sandbox, and what scripts come to.

use std::time::Duration;

use tokio::runtime::Runtime;
use toolpact::Error;
use toolpact::code::{RunOptions, RunReport, Sandbox, ScriptLimits, ScriptTools};
use toolpact::core::contract::Contract;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::ErrorKind;
use toolpact::{Context, Definition, Registry, Session, ToolError};

use crate::world::Place as _;

/// The worker that cargo built for these tests.
pub(crate) const WORKER: &str = env!("CARGO_BIN_EXE_toolpact-code");

pub(crate) struct Bench {
    pub(crate) runtime: Runtime,
    pub(crate) sandbox: Sandbox,
    pub(crate) tools: ScriptTools,
}

impl Bench {
    /// With the tools that most tests need.
    pub(crate) fn new() -> Self {
        Self::with(usual())
    }

    pub(crate) fn with(tools: impl IntoIterator<Item = Definition>) -> Self {
        let registry = Registry::new();
        registry.place_all(tools).unwrap();
        Self::of(&registry.session().open().unwrap())
    }

    /// With the tools that a session sees.
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            runtime: Runtime::new().unwrap(),
            sandbox: Sandbox::at(WORKER),
            tools: ScriptTools::of(session),
        }
    }

    pub(crate) fn ran_with(&self, script: &str, options: &RunOptions) -> RunReport {
        self.runtime
            .block_on(self.sandbox.run(script, &self.tools, options))
    }

    pub(crate) fn ran(&self, script: &str) -> RunReport {
        self.ran_with(script, &options())
    }

    /// The value of a script, which must have one.
    pub(crate) fn value(&self, script: &str) -> String {
        let ran = self.ran(script);
        let shown = format!("{script}\n{ran:?}");
        ran.value()
            .unwrap_or_else(|error| panic!("{error}\n{shown}"))
            .text()
            .to_owned()
    }

    pub(crate) fn error_with(&self, script: &str, options: &RunOptions) -> Error {
        let ran = self.ran_with(script, options);
        let shown = format!("{ran:?}");
        ran.end
            .err()
            .unwrap_or_else(|| panic!("it worked: {script}\n{shown}"))
    }

    pub(crate) fn error(&self, script: &str) -> Error {
        self.error_with(script, &options())
    }

    pub(crate) fn check(&self, script: &str) -> Result<bool, Error> {
        self.runtime
            .block_on(self.sandbox.check(script, &self.tools, &options()))
    }
}

/// Tests share machines with others.
pub(crate) fn options() -> RunOptions {
    let limits = ScriptLimits::default()
        .time(Duration::from_secs(20))
        .check(Duration::from_mins(1));
    RunOptions::default().limits(limits)
}

/// A tool of this contract that does this.
pub(crate) fn tool(
    contract: &str,
    body: impl Fn(&Value) -> Result<Value, ToolError> + Send + Sync + 'static,
) -> Definition {
    let contract = Contract::from_json(contract).unwrap();
    Definition::new(contract, move |args: Value, _: Context| {
        let result = body(&args);
        async move { result }
    })
}

pub(crate) fn json(text: impl AsRef<[u8]>) -> Value {
    Value::from_json(text).unwrap()
}

/// `echo(value)` gives back what it gets, `add(a, b)` adds, `fail(code)` fails, `wait(ms)` waits.
fn usual() -> Vec<Definition> {
    let echo = tool(
        r#"{"name": "echo", "description": "Gives back what it gets.", "parameters": {"type": "object", "properties": {"value": {}}, "required": ["value"], "additionalProperties": false}}"#,
        |args| Ok(args.root().get("value").unwrap().to_value()),
    );
    let add = tool(
        r#"{"name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"], "additionalProperties": false}, "returns": {"type": "integer"}}"#,
        |args| {
            let number = |key| args.root().get(key).unwrap().text().parse::<i64>().unwrap();
            Ok(Value::from(number("a").wrapping_add(number("b"))))
        },
    );
    let fail = tool(
        r#"{"name": "fail", "description": "Fails.", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}}, "returns": "StringValue"}"#,
        |args| {
            let code = args.root().get("code").and_then(Node::as_str);
            let kind = ErrorKind::from_code(code.as_deref().unwrap_or("NOT_FOUND_RESOURCE"));
            Err(ToolError::new(kind, "It is not there.\nLook elsewhere.")
                .with_detail("order", "B-1"))
        },
    );
    let contract = r#"{"name": "wait", "description": "Waits.", "parameters": {"type": "object", "properties": {"ms": {"type": "integer"}}, "required": ["ms"]}, "returns": {"type": "integer"}}"#;
    let wait = Definition::new(
        Contract::from_json(contract).unwrap(),
        async |args: Value, _: Context| {
            let ms: u64 = args.root().get("ms").unwrap().text().parse().unwrap();
            tokio::time::sleep(Duration::from_millis(ms)).await;
            Ok::<_, ToolError>(args.root().get("ms").unwrap().to_value())
        },
    );
    vec![echo, add, fail, wait]
}
