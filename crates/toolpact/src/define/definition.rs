use std::future::Future;
use std::sync::Arc;

use toolpact_core::adl::AdlTool;
use toolpact_core::contract::{Contract, Run};
use toolpact_core::json::Value;

use super::UntypedOutput;
use super::body::{Body, TypedBody};
use super::closure::ClosureBody;
use super::command::CommandBody;
use super::command_words::CommandWords;
use crate::Error;
use crate::mock::{Mock, MockedBody};
use crate::typed::describe;
use crate::{
    Context, Tool, ToolError,
    call::{CallLimits, Enforcement},
    typed::RunsOn,
};

/// A tool that is ready to be registered: a contract and a body.
#[derive(Clone)]
pub struct Definition {
    pub(crate) contract: Arc<Contract>,
    pub(crate) body: Arc<dyn Body>,
    pub(crate) runs_on: RunsOn,
    pub(crate) enforcement: Option<Enforcement>,
    pub(crate) limits: Option<CallLimits>,
}

/// What can be registered.
pub trait IntoDefinition {
    /// The contract and the body.
    fn into_definition(self) -> Result<Definition, Error>;
}

impl<T: Tool> IntoDefinition for T {
    fn into_definition(self) -> Result<Definition, Error> {
        let spec = self.spec();
        let contract = describe::<T::Input, T::Output>(&spec)?;
        let mut definition = Definition::with(contract, Arc::new(TypedBody(self)));
        definition.runs_on = spec.runs_on;
        Ok(definition)
    }
}

impl IntoDefinition for Definition {
    fn into_definition(self) -> Result<Definition, Error> {
        Ok(self)
    }
}

impl IntoDefinition for Result<Definition, Error> {
    fn into_definition(self) -> Result<Definition, Error> {
        self
    }
}

impl Definition {
    /// A tool whose contract is data, with a closure that does the work.
    ///
    /// ```
    /// use toolpact::core::contract::Contract;
    /// use toolpact::core::json::Value;
    /// use toolpact::{Context, Definition, ToolError};
    ///
    /// let contract = Contract::from_json(r#"{
    ///     "name": "length_of",
    ///     "description": "Counts the characters of a text.",
    ///     "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    ///     "returns": "NumberValue"
    /// }"#)?;
    /// let tool = Definition::new(contract, async |args: Value, _: Context| {
    ///     let text = args.root().get("text").and_then(|text| text.as_str());
    ///     let length = text.map_or(0, |text| text.chars().count());
    ///     Ok::<_, ToolError>(Value::from(i64::try_from(length)?))
    /// });
    /// # Ok::<(), toolpact::core::Violations>(())
    /// ```
    pub fn new<F, R, P>(contract: Contract, body: F) -> Self
    where
        F: Fn(Value, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<P, ToolError>> + Send + 'static,
        P: Into<UntypedOutput> + 'static,
    {
        Self::with(contract, Arc::new(ClosureBody { body, lifts: true }))
    }

    /// The same with a closure whose values are results already, such as those of earlier calls: they are checked,
    /// but not [lifted](toolpact_core::returns::Lift), and a text beside one is the text for models.
    pub fn finished<F, R, P>(contract: Contract, body: F) -> Self
    where
        F: Fn(Value, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<P, ToolError>> + Send + 'static,
        P: Into<UntypedOutput> + 'static,
    {
        let lifts = false;
        Self::with(contract, Arc::new(ClosureBody { body, lifts }))
    }

    /// A tool of an agent document, with a closure that does the work. Unless it has a standard or
    /// custom return type, its results are documented at most, and none of them is refused.
    ///
    /// ```
    /// use toolpact::core::adl::AdlTool;
    /// use toolpact::core::json::Value;
    /// use toolpact::{Context, Definition, Error, ToolError};
    ///
    /// fn define(tool: &AdlTool) -> Result<Definition, Error> {
    ///     Definition::from_adl(tool, async |args: Value, _: Context| Ok::<_, ToolError>(args))
    /// }
    /// ```
    pub fn from_adl<F, R, P>(tool: &AdlTool, body: F) -> Result<Self, Error>
    where
        F: Fn(Value, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<P, ToolError>> + Send + 'static,
        P: Into<UntypedOutput> + 'static,
    {
        let contract = Contract::try_from(tool);
        let wrong = |violations| Error::contract(tool.name(), violations);
        Ok(Self::new(contract.map_err(wrong)?, body))
    }

    /// A tool whose contract says how it is run. `{argument}` in its command is replaced where that is
    /// an argument of the program of its own, or `--option={argument}`.
    pub fn run(contract: Contract) -> Result<Self, Error> {
        match contract.run().cloned() {
            Some(Run::Command(command)) => {
                let words = CommandWords::read(&contract, command);
                let words = words.map_err(|why| Error::run(contract.name().as_str(), &why))?;
                Ok(Self::with(contract, Arc::new(CommandBody(words))))
            }
            _ => Err(Error::no_body(contract.name().as_str())),
        }
    }

    /// A tool that answers from its contract and does nothing: see [`mock`](crate::mock).
    #[must_use]
    pub fn mocked(contract: Contract, mock: &Mock) -> Self {
        let name = contract.name().to_string();
        Self::mocked_as(contract, &name, mock)
    }

    /// The same of a tool that has another name in `mock.tools`: with its toolset in front.
    #[must_use]
    pub fn mocked_as(contract: Contract, name: &str, mock: &Mock) -> Self {
        let contract = Arc::new(contract);
        let body = MockedBody::new(Arc::clone(&contract), name, mock);
        Self::of(contract, Arc::new(body))
    }

    /// The same tool with where it runs.
    #[must_use]
    pub fn runs_on(mut self, place: RunsOn) -> Self {
        self.runs_on = place;
        self
    }

    /// The same tool with what becomes of results that break its contract.
    #[must_use]
    pub fn enforcement(mut self, enforcement: Enforcement) -> Self {
        self.enforcement = Some(enforcement);
        self
    }

    /// The same tool with limits of its own.
    #[must_use]
    pub fn limits(mut self, limits: CallLimits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// The same tool with the limits of another, and with what becomes of results as for the other: for one that
    /// stands in for it.
    #[must_use]
    pub fn with_settings_of(mut self, other: &Self) -> Self {
        self.enforcement = other.enforcement;
        self.limits.clone_from(&other.limits);
        self
    }

    /// What is promised.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    fn with(contract: Contract, body: Arc<dyn Body>) -> Self {
        Self::of(Arc::new(contract), body)
    }

    fn of(contract: Arc<Contract>, body: Arc<dyn Body>) -> Self {
        Self {
            contract,
            body,
            runs_on: RunsOn::default(),
            enforcement: None,
            limits: None,
        }
    }
}

impl std::fmt::Debug for Definition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Definition({})", self.contract.name())
    }
}
