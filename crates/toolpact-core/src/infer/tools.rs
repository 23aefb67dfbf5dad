use indexmap::IndexMap;

use super::example::{self, Example};
use super::standard::Fits;
use super::{Evidence, Observed, Settings, Widening};
use crate::Violations;
use crate::contract::Contract;
use crate::json::{Limits, Node, Value, Writer};
use crate::model::ToolName;
use crate::returns::choose::{self, SampleFit};
use crate::returns::{Level, StandardError, StandardType};
use crate::schema::JsonSchema;

pub use super::example::Form;

/// What was seen in calls and results of tools.
///
/// ```
/// use toolpact_core::infer::{Form, ObservedTools, Settings};
/// use toolpact_core::json::Limits;
///
/// let mut observed = ObservedTools::default();
/// for n in 0..20 {
///     let line = format!(r#"{{"tool": "count_orders", "args": {{"customer": "C-{n}"}}, "result": {n}}}"#);
///     observed.add_line(line.as_bytes(), Form::Detect, &Limits::default())?;
/// }
/// let tools = observed.infer(&Settings::default())?;
/// let contract = &tools[0].contract;
/// assert!(contract.to_canonical().contains(r#""returns":"NumberValue""#));
/// assert_eq!(
///     contract.parameters().to_json_schema().text(),
///     r#"{"type":"object","properties":{"customer":{"type":"string"}},"required":["customer"],"additionalProperties":false}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ObservedTools {
    tools: IndexMap<Box<str>, ObservedTool>,
    /// Calls with an identifier, whose results were not seen yet.
    waiting: IndexMap<Box<str>, Box<str>>,
    /// What does not say its tool, in the order it was seen, until what came before is known.
    loose: Vec<Loose>,
    /// The tool of what says none.
    nameless: Option<Box<str>>,
    unattributed: u64,
    /// Contracts that are widened by what is seen.
    widenings: IndexMap<Box<str>, Widening>,
}

/// A tool as its calls and results show it.
#[derive(Debug, Clone, Default)]
struct ObservedTool {
    arguments: Observed,
    results: Observed,
    fits: Fits,
    failures: u64,
    /// Some results, to try a promise on.
    samples: Vec<Value>,
}

/// What can be attributed to a tool only after what came before it.
#[derive(Debug, Clone)]
enum Loose {
    Call {
        id: Box<str>,
        tool: Box<str>,
    },
    Result {
        id: Option<Box<str>>,
        content: Option<Value>,
    },
}

/// A contract made of examples.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InferredTool {
    /// The contract. Its description says only what it was made from.
    pub contract: Contract,
    /// What it says about arguments, and from how many calls.
    pub parameters: Vec<Evidence>,
    /// What it says about results, and from how many.
    pub returns: Vec<Evidence>,
    /// How many calls with arguments were seen.
    pub calls: u64,
    /// How many results of calls that succeeded.
    pub results: u64,
    /// How many calls failed. Their errors are no results.
    pub failures: u64,
    /// A standard type that results could be lifted into, by those that were kept.
    pub could_be: Option<StandardType>,
}

/// As many calls may wait for their results.
const MOST_WAITING: usize = 10_000;
/// As many results are kept to try a promise on, none longer than this.
const SAMPLES: usize = 8;
const LONGEST_SAMPLE: usize = 1 << 16;

impl ObservedTools {
    /// The same, with a tool for what does not say which tool it is of: bare values, and results whose call was
    /// not seen.
    #[must_use]
    pub fn with_tool(self, name: &str) -> Self {
        Self {
            nameless: Some(name.into()),
            ..self
        }
    }

    /// The same, with contracts that are widened by everything that is added from now on.
    #[must_use]
    pub fn with_widenings(mut self, widenings: impl IntoIterator<Item = Widening>) -> Self {
        for widening in widenings {
            let name = widening.contract().name().as_str().into();
            self.widenings.insert(name, widening);
        }
        self
    }

    /// The contracts that were widened.
    pub fn widenings(&self) -> impl ExactSizeIterator<Item = &Widening> {
        self.widenings.values()
    }

    /// The names of the tools, in the order in which they were seen.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tools.keys().map(|name| &**name)
    }

    /// Adds a line: a call or a result in any dialect, a line of a log of calls, or a bare value.
    pub fn add_line(&mut self, json: &[u8], form: Form, limits: &Limits) -> Result<(), Violations> {
        let value = Value::from_json_within(json, limits)?;
        self.add(value.root(), form);
        Ok(())
    }

    /// Adds a result with the call that it answers. Either may say which tool it is of.
    pub fn add_pair(
        &mut self,
        call: &[u8],
        result: &[u8],
        limits: &Limits,
    ) -> Result<(), Violations> {
        let call = Value::from_json_within(call, limits)?;
        let result = Value::from_json_within(result, limits)?;
        let name = example::name_of_call(call.root());
        self.add(call.root(), Form::Calls);
        let read = example::read(result.root(), Form::Results);
        match (
            read,
            name.or_else(|| self.nameless.as_deref().map(Into::into)),
        ) {
            (
                Example::Result {
                    tool: None,
                    content,
                    ..
                },
                Some(name),
            ) => {
                self.add_result(&name, content.as_ref().map(example::Part::node));
            }
            _ => self.add(result.root(), Form::Results),
        }
        Ok(())
    }

    /// Adds what was seen after all of this.
    pub fn merge(&mut self, later: Self) {
        for (name, theirs) in later.tools {
            match self.tools.get_mut(&name) {
                Some(ours) => ours.merge(theirs),
                None => drop(self.tools.insert(name, theirs)),
            }
        }
        self.unattributed += later.unattributed;
        self.nameless = self.nameless.take().or(later.nameless);
        for loose in later.loose {
            self.attribute(loose);
        }
    }

    /// Attributes results to calls that came before them. Before that, nothing is known of what came before.
    pub fn settle(&mut self) {
        for loose in std::mem::take(&mut self.loose) {
            self.attribute(loose);
        }
    }

    /// How many results say no tool, and are of no call that was seen.
    #[must_use]
    pub fn unattributed(&self) -> u64 {
        self.unattributed
    }

    /// What was seen of a tool: of arguments, and of results.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(&Observed, &Observed)> {
        let tool = self.tools.get(name)?;
        Some((&tool.arguments, &tool.results))
    }

    /// The contracts of the tools, in the order in which they were seen.
    pub fn infer(&self, settings: &Settings) -> Result<Vec<InferredTool>, Violations> {
        let mut settled = self.clone();
        settled.settle();
        let tools = settled.tools.iter();
        tools
            .map(|(name, tool)| tool.infer(name, *settings))
            .collect()
    }

    fn add(&mut self, node: Node<'_>, form: Form) {
        match example::read(node, form) {
            Example::Call {
                tool,
                id,
                arguments,
            } => {
                let Some(tool) = tool.or_else(|| self.nameless.clone()) else {
                    self.unattributed += 1;
                    return;
                };
                self.add_arguments(&tool, arguments.node());
                if let Some(id) = id {
                    self.loose.push(Loose::Call { id, tool });
                }
            }
            Example::Result {
                tool: Some(tool),
                content,
                ..
            } => {
                self.add_result(&tool, content.as_ref().map(example::Part::node));
            }
            Example::Result {
                tool: None,
                id: None,
                content,
            } if self.nameless.is_some() => {
                let tool = self.nameless.clone().unwrap_or_default();
                self.add_result(&tool, content.as_ref().map(example::Part::node));
            }
            Example::Result { id, content, .. } => {
                let content = content.map(|content| content.node().to_value());
                self.loose.push(Loose::Result { id, content });
            }
            Example::Logged {
                tool,
                arguments,
                result,
            } => {
                if let Some(arguments) = arguments {
                    self.add_arguments(&tool, arguments);
                }
                if let Some(result) = result {
                    self.add_result(&tool, result.ok());
                }
            }
            Example::Other => {}
        }
    }

    fn tool(&mut self, name: &str) -> &mut ObservedTool {
        self.tools.entry(name.into()).or_default()
    }

    fn add_arguments(&mut self, tool: &str, arguments: Node<'_>) {
        if let Some(widening) = self.widenings.get_mut(tool) {
            widening.arguments(arguments);
        }
        self.tool(tool).arguments.add_node(arguments);
    }

    /// Without a result, it failed.
    fn add_result(&mut self, tool: &str, result: Option<Node<'_>>) {
        if let (Some(widening), Some(result)) = (self.widenings.get_mut(tool), result) {
            widening.result(result);
        }
        let tool = self.tool(tool);
        match result {
            Some(result) => tool.add_result(result),
            None => tool.failures += 1,
        }
    }

    fn attribute(&mut self, loose: Loose) {
        match loose {
            Loose::Call { id, tool } => {
                if self.waiting.len() >= MOST_WAITING {
                    self.waiting.shift_remove_index(0);
                }
                self.waiting.insert(id, tool);
            }
            Loose::Result { id, content } => {
                let called = id.and_then(|id| self.waiting.swap_remove(&id));
                match called
                    .or_else(|| self.nameless.clone())
                    .or_else(|| self.only_tool())
                {
                    Some(tool) => self.add_result(&tool, content.as_ref().map(Value::root)),
                    None => self.unattributed += 1,
                }
            }
        }
    }

    /// The tool, if all calls are of one.
    fn only_tool(&self) -> Option<Box<str>> {
        let mut names = self.tools.keys();
        let only = names.next().cloned();
        only.filter(|_| names.next().is_none())
    }
}

impl ObservedTool {
    fn add_result(&mut self, result: Node<'_>) {
        if StandardError::of_failure(result).is_some() {
            self.failures += 1;
            return;
        }
        self.results.add_node(result);
        self.fits.add(result);
        if self.samples.len() < SAMPLES && result.text().len() <= LONGEST_SAMPLE {
            self.samples.push(result.to_value());
        }
    }

    fn merge(&mut self, other: Self) {
        self.arguments.merge(other.arguments);
        self.results.merge(other.results);
        self.fits.merge(&other.fits);
        self.failures += other.failures;
        self.samples.extend(other.samples);
        self.samples.truncate(SAMPLES);
    }

    fn infer(&self, name: &str, settings: Settings) -> Result<InferredTool, Violations> {
        let parameters = self.arguments.arguments_schema(&settings);
        let returns = self.results.schema(&settings);
        let (calls, results) = (self.arguments.count(), self.results.count());
        let known = results > 0;
        let standard = self.fits.chosen(&returns.schema).filter(|_| known);
        let returns_evidence = returns.evidence.clone();
        let write = |promise: Option<&str>| {
            let parameters = match calls {
                0 => r#"{"type":"object"}"#,
                _ => parameters.schema.text(),
            };
            contract(name, &description(calls, results), parameters, promise)
        };
        let refined = standard.and_then(|standard| {
            let is_bare = returns.schema.root().members().count() == 1;
            let promise = match is_bare {
                true => format!("\"{standard}\""),
                false => format!(
                    r#"{{"type":"{standard}","schema":{}}}"#,
                    returns.schema.text()
                ),
            };
            write(Some(&promise))
                .ok()
                .filter(|contract| self.accepts(contract))
        });
        let contract = match refined {
            Some(contract) => contract,
            None => write(known.then(|| returns.schema.text()))?,
        };
        Ok(InferredTool {
            contract,
            parameters: parameters.evidence,
            returns: returns_evidence,
            calls,
            results,
            failures: self.failures,
            could_be: standard
                .is_none()
                .then(|| self.could_be(&returns.schema))
                .flatten(),
        })
    }

    fn could_be(&self, schema: &Value) -> Option<StandardType> {
        let standard = choose::for_schema(&JsonSchema::from_value(schema).ok()?).standard();
        let is_lifted =
            |sample: &Value| matches!(SampleFit::of(sample, standard), SampleFit::Lifted(_));
        let can_be = !self.samples.is_empty() && self.samples.iter().all(is_lifted);
        can_be.then_some(standard)
    }

    /// Whether the promise accepts the results that were kept.
    fn accepts(&self, contract: &Contract) -> bool {
        let enforcer = contract.returns().enforcer(Level::Meaning);
        let mut samples = self.samples.iter();
        samples.all(|sample| enforcer.is_valid(sample.text().as_bytes()))
    }
}

fn description(calls: u64, results: u64) -> String {
    let count = |n: u64, noun: &str| match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    };
    let (calls, results) = (count(calls, "call"), count(results, "result"));
    format!("Inferred from {calls} and {results}; write here what the tool does.")
}

fn contract(
    name: &str,
    description: &str,
    parameters: &str,
    returns: Option<&str>,
) -> Result<Contract, Violations> {
    let mut writer = Writer::default();
    writer.begin_object();
    match ToolName::new(name) {
        Ok(_) => drop(writer.key("name").string(name)),
        Err(_) => {
            writer.key("name").string(&usable(name));
            writer.key("original_name").string(name);
        }
    }
    writer.key("description").string(description);
    writer.key("parameters").raw(parameters);
    if let Some(returns) = returns {
        writer.key("returns").raw(returns);
    }
    writer.end_object();
    Contract::from_json(writer.finish())
}

/// A name that a contract can have.
fn usable(name: &str) -> String {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut usable: String = name
        .chars()
        .map(|c| if is_usual(c) { c } else { '_' })
        .take(63)
        .collect();
    if !usable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        usable.insert(0, '_');
    }
    usable
}
