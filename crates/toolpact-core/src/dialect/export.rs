use std::borrow::Cow;

use crate::Pointer;
use crate::contract::{Contract, Parameters};
use crate::json::Value;

use super::codec::Codec;
use super::dialects::Dialect;
use super::hoist;
use super::layout::{Layout, Parts};
use super::loss::{Effect, Loss, LossKind};
use super::names::Names;
use super::references::build;
use super::returns;
use super::spec::List;
use super::step::{Log, Refusal, Step};
use super::tree::Tree;

/// Contracts exported to a dialect.
#[derive(Debug, Clone)]
pub struct Export {
    dialect: Dialect,
    tools: Vec<ExportedTool>,
    left_out: Vec<NotExported>,
}

/// One contract exported to a dialect.
#[derive(Debug, Clone)]
pub struct ExportedTool {
    contract: Contract,
    name: Box<str>,
    definition: Value,
    /// The definition before serialisation, for documents that share parts between tools.
    tree: Option<Tree>,
    losses: Vec<Loss>,
    codec: Codec,
}

/// A tool that the dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotExported {
    /// The name of the tool.
    pub name: Box<str>,
    /// Why it was left out.
    pub reason: String,
}

impl Export {
    pub(super) fn new<'c>(
        dialect: Dialect,
        contracts: impl IntoIterator<Item = &'c Contract>,
    ) -> Self {
        let (mut tools, mut left_out) = (Vec::new(), Vec::new());
        let contracts: Vec<&Contract> = contracts.into_iter().collect();
        let names = Names::of(&contracts);
        for contract in contracts {
            match export(dialect, contract, &names) {
                Ok(tool) => tools.push(tool),
                Err(refusal) => left_out.push(NotExported {
                    name: contract.name().as_str().into(),
                    reason: refusal.to_string(),
                }),
            }
        }
        Self {
            dialect,
            tools,
            left_out,
        }
    }

    /// The dialect of the export.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The tools, in the order of their contracts.
    #[must_use]
    pub fn tools(&self) -> &[ExportedTool] {
        &self.tools
    }

    /// The tools that could not be written, and why.
    #[must_use]
    pub fn left_out(&self) -> &[NotExported] {
        &self.left_out
    }

    /// The tool with this name in its contract or in the dialect.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ExportedTool> {
        let own = |tool: &&ExportedTool| tool.contract.name().as_str() == name;
        let exported = |tool: &&ExportedTool| &*tool.name == name;
        let tools = || self.tools.iter();
        tools().find(own).or_else(|| tools().find(exported))
    }

    /// The document with all tools, in the provider's format.
    #[must_use]
    pub fn document(&self) -> Value {
        let tools = self.tools.iter();
        match &self.dialect.spec().list {
            List::Between(before, after) => {
                let tools: Vec<&str> = tools.map(|tool| tool.definition.text()).collect();
                Value::embedded(&[*before, &tools.join(","), after].concat())
            }
            List::Shared(document) => {
                let trees = tools.filter_map(|tool| tool.tree.clone());
                document(trees.collect()).to_value()
            }
        }
    }
}

impl ExportedTool {
    /// The original contract, which calls are still checked against.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The name in the dialect: the original one where the dialect allows it, else the contract's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The definition in the provider's format.
    #[must_use]
    pub fn definition(&self) -> &Value {
        &self.definition
    }

    /// What the dialect cannot express of the contract.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Converts what the model sent to arguments of the contract: restores renamed keys, and drops
    /// nulls that only stand for absent keys.
    #[must_use]
    pub fn read_args(&self, sent: &Value) -> Value {
        self.codec.read(sent)
    }

    /// Converts arguments of the contract to what the model would have sent.
    #[must_use]
    pub fn write_args(&self, args: &Value) -> Value {
        self.codec.write(args)
    }
}

fn export(
    dialect: Dialect,
    contract: &Contract,
    names: &Names<'_>,
) -> Result<ExportedTool, Refusal> {
    let Some(layout) = dialect.spec().layout else {
        return Ok(ExportedTool {
            contract: contract.clone(),
            name: contract.name().as_str().into(),
            definition: contract.to_value(),
            tree: None,
            losses: Vec::new(),
            codec: Codec::default(),
        });
    };
    let (input, mut losses) = input(dialect, layout, contract)?;
    let codec = Codec::of(&input);
    let name = names.name_in(dialect, contract, &mut losses);
    let returned = returns::export(layout.output.as_ref(), contract, &mut losses);
    besides(layout, contract, &mut losses);
    let description = description(dialect, contract, &mut losses);
    let parts = Parts {
        contract,
        name,
        description: &description,
        input: super::codec::unmarked(input),
        output: returned.schema,
        wrapped: returned.wrapped,
        promise: returned.promise,
        losses: &mut losses,
    };
    let tree = (layout.tool)(parts);
    Ok(ExportedTool {
        contract: contract.clone(),
        name: name.into(),
        definition: tree.to_value(),
        tree: matches!(dialect.spec().list, List::Shared(_)).then_some(tree),
        losses,
        codec,
    })
}

/// The description in the dialect: its beginning, where the provider takes no longer one.
fn description<'c>(
    dialect: Dialect,
    contract: &'c Contract,
    losses: &mut Vec<Loss>,
) -> Cow<'c, str> {
    let whole = contract.description();
    let limits = dialect.spec().limits.as_ref();
    let Some(most) = limits.and_then(|limits| limits.description) else {
        return whole.into();
    };
    if whole.chars().nth(most).is_none() {
        return whole.into();
    }
    // One character is for the sign that there was more.
    let end = whole.char_indices().nth(most - 1).map(|(end, _)| end);
    let beginning = whole.get(..end.unwrap_or(0)).unwrap_or_default();
    // Between words, unless there are none.
    let words = beginning.rfind(char::is_whitespace);
    let beginning = words
        .and_then(|end| beginning.get(..end))
        .unwrap_or(beginning);
    losses.push(Loss {
        pointer: Pointer::root().key("description"),
        kind: LossKind::Description,
        effect: Effect::Documentation,
        lost: format!("a description of more than {most} characters"),
        instead: "its end was left out".to_owned(),
    });
    format!("{}…", beginning.trim_end()).into()
}

/// The input schema in the dialect.
fn input(
    dialect: Dialect,
    layout: &Layout,
    contract: &Contract,
) -> Result<(Tree, Vec<Loss>), Refusal> {
    if dialect == Dialect::Adm
        && let Some(tree) = super::adm::verbatim(contract.parameters())
    {
        return Ok((tree, Vec::new()));
    }
    let place = Pointer::root().key("parameters");
    let mut log = Log::new(layout.input, place.clone());
    let mut tree = build(&contract.parameters().to_json_schema(), &place, &mut log);
    super::standard::localise(&mut tree);
    if let Parameters::Adm(_) = contract.parameters() {
        super::adm::to_json_schema(&mut tree, &mut log);
    }
    run(layout.input.steps, &mut tree, &mut log)?;
    if layout.input.hoists() {
        hoist::hoist(&mut tree);
    }
    Ok((tree, log.losses))
}

/// Runs the steps in order until one refuses.
pub(super) fn run(steps: &[Step], tree: &mut Tree, log: &mut Log) -> Result<(), Refusal> {
    for step in steps {
        (step.apply)(tree, log);
        if let Some(refusal) = log.refused.take() {
            return Err(refusal);
        }
    }
    log.refused.take().map_or(Ok(()), Err)
}

/// Logs the other fields of a contract that the dialect does not support.
fn besides(layout: &Layout, contract: &Contract, losses: &mut Vec<Loss>) {
    let effects = contract.effects() != crate::contract::Effects::default();
    let fields = [
        (
            effects && !layout.effects,
            "effects",
            LossKind::Effects,
            "what the tool does to the world",
        ),
        (
            contract.text().is_some() && !layout.text,
            "text",
            LossKind::Text,
            "how results read to a model",
        ),
        (
            contract.timeout().is_some() && !layout.timeout,
            "timeout_ms",
            LossKind::Timeout,
            "how long a call may take",
        ),
    ];
    for (lost, field, kind, what) in fields {
        if lost {
            losses.push(Loss {
                pointer: Pointer::root().key(field),
                kind,
                effect: Effect::Documentation,
                lost: what.to_owned(),
                instead: "it was left out".to_owned(),
            });
        }
    }
}
