use std::sync::OnceLock;

use serde::Serialize;

use crate::Violations;
use crate::adl::AdlTool;
use crate::check::{Checker, check_arguments};
use crate::contract::{Contract, Parameters};
use crate::dialect::ImportedTool;
use crate::document::AnyDocument;
use crate::json::report::Report;
use crate::json::{Document, Kind, Limits, Node, Value};
use crate::model::{FunctionDeclaration, Schema, expect};
use crate::returns::{Enforcer, Level, Returns};
use crate::schema::JsonSchema;

use super::path::Source;

/// A function prepared for checking: its parameters and its return contract, from any document.
#[derive(Debug)]
pub struct Function {
    name: Box<str>,
    /// Another name that calls may use.
    other_name: Option<Box<str>>,
    pub(super) takes: Takes,
    pub(super) promise: Enforcer,
    pub(super) source: Source,
    /// For ADM arguments that are checked without their call.
    alone: OnceLock<Option<Box<Checker>>>,
}

/// Checks arguments, and returns them if they are valid.
pub(super) type CheckArgs = fn(&Function, Node<'_>, &mut Report) -> Option<Value>;

/// The parameters of a function.
#[derive(Debug)]
pub(super) enum Takes {
    Adm(Schema),
    JsonSchema(Box<Checker>),
}

impl AnyDocument {
    /// The callable functions of this document: those of an ADM tool or declaration, of a contract
    /// document, of an ADL agent or of a list of tools. Other documents have none.
    #[must_use]
    pub fn functions(&self, level: Level) -> Vec<Function> {
        match self {
            AnyDocument::Tool(tool) => tool.declarations().map(Function::from).collect(),
            AnyDocument::Declaration(declaration) => vec![declaration.into()],
            AnyDocument::Contract(document) => {
                let contracts = document.tools();
                contracts.map(|c| Function::of_contract(c, level)).collect()
            }
            AnyDocument::Lock(lock) => {
                let contracts = lock.contracts().flatten();
                contracts
                    .map(|contract| Function::of_contract(&contract, level))
                    .collect()
            }
            AnyDocument::Agent(agent) => {
                let tools = agent.tools().iter();
                tools.map(|tool| Function::of_adl(tool, level)).collect()
            }
            AnyDocument::Tools(document) => {
                let tools = document.tools().iter();
                tools.map(|tool| Function::of_tool(tool, level)).collect()
            }
            AnyDocument::Schema(_)
            | AnyDocument::ReturnType(_)
            | AnyDocument::JsonSchema(_)
            | AnyDocument::Call(_)
            | AnyDocument::Result(_)
            | AnyDocument::ReturnValue(..) => Vec::new(),
        }
    }
}

impl Function {
    /// The function of a contract, with results checked at this level.
    #[must_use]
    pub fn of_contract(contract: &Contract, level: Level) -> Self {
        Self {
            name: contract.name().as_str().into(),
            other_name: contract.original_name().map(Into::into),
            takes: match contract.parameters() {
                Parameters::Adm(schema) => Takes::Adm(schema.clone()),
                Parameters::JsonSchema(schema) => Takes::JsonSchema(schema.checker().into()),
            },
            promise: contract.returns().enforcer(level),
            source: Source::of_contract(contract),
            alone: OnceLock::new(),
        }
    }

    /// The function of a tool of any dialect, under its name in that dialect.
    #[must_use]
    pub fn of_tool(tool: &ImportedTool, level: Level) -> Self {
        Self {
            name: tool.name.clone(),
            other_name: Some(tool.contract.name().as_str().into()),
            ..Self::of_contract(&tool.contract, level)
        }
    }

    /// The function of a tool in an agent's definition, with results checked at this level.
    #[must_use]
    pub fn of_adl(tool: &AdlTool, level: Level) -> Self {
        Self {
            name: tool.name().into(),
            other_name: None,
            takes: Takes::JsonSchema(tool.parameters().checker().into()),
            promise: tool.returns().enforcer(level),
            source: Source::of_adl(tool),
            alone: OnceLock::new(),
        }
    }

    /// The name that calls use.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Another name that calls may use: the original one of a contract, or the one that a contract
    /// has for a tool of a dialect.
    #[must_use]
    pub fn other_name(&self) -> Option<&str> {
        self.other_name
            .as_deref()
            .filter(|name| *name != self.name())
    }

    /// Checks results against their contract.
    #[must_use]
    pub fn promise(&self) -> &Enforcer {
        &self.promise
    }

    /// Whether a JSON text is an object of valid arguments, in one pass where that is possible.
    #[must_use]
    pub fn accepts(&self, args: &[u8]) -> bool {
        let verdict = self.verdict(args);
        verdict.unwrap_or_else(|| self.read_args(args).is_ok())
    }

    /// Whether typed arguments are valid, checked as they would be written, without writing them all. A
    /// field that is `None` is left out where null is not allowed. If this is false, they may be valid
    /// nevertheless: [`check_json`](Self::check_json) of their text tells, and why if they are not.
    ///
    /// ```
    /// use toolpact_core::contract::Contract;
    /// use toolpact_core::returns::Level;
    /// use toolpact_core::toolset::Function;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Search { words: String, limit: Option<u32> }
    ///
    /// let contract = Contract::from_json(r#"{"name": "search", "description": "Searches.", "returns": "opaque",
    ///     "parameters": {"type": "object", "properties": {"words": {"type": "string", "minLength": 1},
    ///         "limit": {"type": "integer"}}, "required": ["words"]}}"#)?;
    /// let search = Function::of_contract(&contract, Level::Meaning);
    /// let args = |words: &str| Search { words: words.to_owned(), limit: None };
    /// assert!(search.accepts_typed(&args("tide")));
    /// assert!(!search.accepts_typed(&args("")));
    /// assert_eq!(search.typed_to_json(&args("tide")).unwrap(), br#"{"words":"tide"}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn accepts_typed<T: Serialize + ?Sized>(&self, args: &T) -> bool {
        let checker = self.checker();
        checker.is_some_and(|checker| checker.accepts_args(args))
    }

    /// The JSON of typed arguments that are valid, checked while it is written, as
    /// [`accepts_typed`](Self::accepts_typed) checks them. `None` where that is false.
    #[must_use]
    pub fn typed_to_json<T: Serialize + ?Sized>(&self, args: &T) -> Option<Vec<u8>> {
        let json = self.checker()?.args_to_vec(args)?;
        is_object(&json).then_some(json)
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_json(&self, args: &[u8]) -> Result<(), Violations> {
        match self.verdict(args) {
            Some(true) => Ok(()),
            Some(false) => self.read(args, Self::explain_args).map(drop),
            None => self.read_args(args).map(drop),
        }
    }

    /// Checks a JSON text, and returns every violation, or the arguments as the function receives
    /// them: every INTEGER of ADM is written as one, so that `3.0` becomes `3`.
    pub fn read_args(&self, args: &[u8]) -> Result<Value, Violations> {
        self.read(args, Self::check_args)
    }

    fn read(&self, args: &[u8], check: CheckArgs) -> Result<Value, Violations> {
        let document = Document::json(args, &Limits::default());
        let read = |node, report: &mut Report| {
            let args = expect(node, Kind::Object, "the arguments", report)?;
            check(self, args, report)
        };
        document.check(read).into_result()
    }

    /// `None` if there is no checker for arguments alone.
    fn verdict(&self, args: &[u8]) -> Option<bool> {
        let checker = self.checker()?;
        Some(is_object(args) && checker.is_valid(args))
    }

    fn checker(&self) -> Option<&Checker> {
        match &self.takes {
            Takes::JsonSchema(checker) => Some(checker),
            Takes::Adm(schema) => self.alone.get_or_init(|| alone(schema)).as_deref(),
        }
    }

    /// The parameters, if they are an ADM schema.
    pub(super) fn adm(&self) -> Option<&Schema> {
        match &self.takes {
            Takes::Adm(schema) => Some(schema),
            Takes::JsonSchema(_) => None,
        }
    }

    /// Checks arguments. Returns them as the function receives them, if they are valid.
    pub(super) fn check_args(&self, args: Node<'_>, report: &mut Report) -> Option<Value> {
        match &self.takes {
            Takes::JsonSchema(checker) if checker.is_valid(args.text().as_bytes()) => {
                Some(args.to_value())
            }
            _ => self.explain_args(args, report),
        }
    }

    /// The same for arguments that the fast path refused, so it is not run again.
    pub(super) fn explain_args(&self, args: Node<'_>, report: &mut Report) -> Option<Value> {
        match &self.takes {
            Takes::Adm(schema) => {
                let before = report.errors();
                let found = check_arguments(args, schema, report);
                (report.errors() == before).then(|| found.normalise(args))
            }
            Takes::JsonSchema(checker) => {
                checker.explain_node(args, report).then(|| args.to_value())
            }
        }
    }

    /// Checks a result against the contract.
    pub(super) fn check_content(&self, content: Node<'_>, report: &mut Report) {
        if !self.promise.fast_accepts(content.text().as_bytes()) {
            self.explain_content(content, report);
        }
    }

    /// The same for a result that the fast path did not accept, so it is not run again.
    pub(super) fn explain_content(&self, content: Node<'_>, report: &mut Report) {
        self.promise.check_node(content, report);
    }
}

/// Arguments must be an object, whatever a schema says.
fn is_object(args: &[u8]) -> bool {
    let first = args.iter().find(|byte| !byte.is_ascii_whitespace());
    first == Some(&b'{')
}

/// The checker for arguments without their call, which an ADM schema does not have itself.
fn alone(schema: &Schema) -> Option<Box<Checker>> {
    let schema = JsonSchema::from_value(&schema.to_arguments_json_schema()).ok()?;
    Some(Box::new(schema.checker()))
}

/// ADM declares nothing about results.
impl From<&FunctionDeclaration> for Function {
    fn from(declaration: &FunctionDeclaration) -> Self {
        Self {
            name: declaration.name().as_str().into(),
            other_name: None,
            takes: Takes::Adm(declaration.parameters().clone()),
            promise: Returns::Undeclared.enforcer(Level::Meaning),
            source: Source::of_declaration(),
            alone: OnceLock::new(),
        }
    }
}
