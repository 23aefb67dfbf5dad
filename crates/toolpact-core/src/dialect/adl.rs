//! ADL agent documents: a parameter list, and returns either typed (1.5) or free text (1.0).

mod parameter;

use crate::Pointer;
use crate::Violations;
use crate::adl::AgentDocument;
use crate::contract::Contract;
use crate::json::{Node, Value, Writer};
use crate::returns::{Returns, StandardType};
use crate::schema::JsonSchema;

use super::layout::{Layout, Output, Parts};
use super::loss::{Effect, Loss, LossKind};
use super::profile::Profile;
use super::references::References;
use super::spec::{Claim, Evidence, List, Spec};
use super::step::{Log, Step};
use super::transform as step;
use super::tree::{Map, Tree};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Between(AGENT, "]}"),
    read: |node, name, _| read(node, name.unwrap_or_default()),
    claims: |one| {
        let is_list = one
            .tool
            .get("parameters")
            .is_some_and(super::shape::is_list);
        (is_list && one.is_named()).then_some(Claim {
            by: Evidence::Fields,
            is_certain: false,
        })
    },
    list_keys: &["tools"],
    input_keys: &["parameters"],
    output_keys: &["returns"],
    messages: None,
    any_name: true,
    limits: None,
};

pub(super) const SPEC_1_0: Spec = Spec {
    layout: Some(&LAYOUT_1_0),
    claims: |_| None,
    ..SPEC
};

const LAYOUT: Layout = Layout {
    input: &PROFILE,
    output: Some(Output {
        profile: &Profile::ANYTHING,
        objects_only: false,
        in_our_words: true,
    }),
    effects: false,
    text: false,
    timeout: false,
    tool: |mut parts| tool(&mut parts, true),
};

const LAYOUT_1_0: Layout = Layout {
    input: &PROFILE_1_0,
    output: None,
    tool: |mut parts| tool(&mut parts, false),
    ..LAYOUT
};

const PROFILE: Profile = Profile {
    references: References::Inline,
    steps: &[step::OBJECT_ROOT, step::REQUIRED_ARGUMENTS_NAMED, ROOT],
    ..Profile::ANYTHING
};

const PROFILE_1_0: Profile = Profile {
    steps: &[step::OBJECT_ROOT, step::REQUIRED_ARGUMENTS_NAMED, ROOT_1_0],
    tells: true,
    ..PROFILE
};

/// A parameter list can only express which parameters are required, and no rules across them.
const ROOT: Step = Step {
    name: "parameters",
    about: "keeps the parameters, and leaves out what is said of the arguments as a whole",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            keep_parameters(map, log, parameter::shape);
        }
    },
};

/// A parameter of ADL 1.0 has a name, a type, a description and a default.
const ROOT_1_0: Step = Step {
    name: "plain-parameters",
    about: "keeps the type, the description and the default of parameters, and describes other rules",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            keep_parameters(map, log, parameter::plain);
        }
    },
};

fn keep_parameters(map: &mut Map, log: &mut Log, shape: fn(&mut Tree, &mut Log)) {
    step::close(map, log);
    let known = ["type", "properties", "required", "additionalProperties"];
    for (keyword, value) in map.take_all(|key| !known.contains(&key)) {
        step::leave_out(map, &keyword, &value, log);
    }
    let Some(properties) = map.map_mut("properties") else {
        return;
    };
    for (_, schema) in properties.iter_mut() {
        shape(schema, log);
    }
}

fn tool(parts: &mut Parts<'_>, typed: bool) -> Tree {
    let mut tool = parts.named();
    tool.set("parameters", Tree::Array(parameters(&parts.input)));
    let returns = match typed {
        true => typed_returns(parts.contract, parts.losses),
        false => returns_in_words(parts.contract),
    };
    if let Some(returns) = returns {
        tool.set("returns", Tree::Object(returns));
    }
    Tree::Object(tool)
}

fn parameters(input: &Tree) -> Vec<Tree> {
    let Tree::Object(input) = input else {
        return Vec::new();
    };
    let required = input.array("required").unwrap_or_default();
    let mut list = Vec::new();
    for (name, schema) in input.map("properties").into_iter().flat_map(Map::iter) {
        let mut parameter = Map::default();
        parameter.set("name", Tree::string(name));
        for (keyword, value) in schema.as_map().into_iter().flat_map(Map::iter) {
            match keyword {
                // In ADL, `required` is a flag of the parameter itself.
                "required" => drop(parameter.set("required_properties", value.clone())),
                _ => drop(parameter.set(keyword, value.clone())),
            }
        }
        let is_required = required.iter().any(|one| one.as_str() == Some(name));
        parameter.set("required", Tree::Bool(is_required));
        list.push(Tree::Object(parameter));
    }
    list
}

/// The ADL 1.5 return type object for the contract's returns.
fn typed_returns(contract: &Contract, losses: &mut Vec<Loss>) -> Option<Map> {
    let place = Pointer::root().key("returns");
    if let Some(object) = contract.return_type() {
        let value = object.to_value();
        return Tree::of(value.root(), &place).as_map().cloned();
    }
    let (word, schema) = match contract.returns() {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let schema = refinement.as_ref().map(JsonSchema::to_bundle);
            (
                standard.name(),
                schema.unwrap_or_else(|| reference_to(*standard)),
            )
        }
        Returns::Custom(schema) => ("Custom", schema.to_bundle()),
        Returns::Opaque => {
            losses.push(Loss {
                pointer: place,
                kind: LossKind::Returns,
                effect: Effect::Documentation,
                lost: "that the result is text without a structure".to_owned(),
                instead: "it was left out".to_owned(),
            });
            return None;
        }
        Returns::Legacy { .. } | Returns::Undeclared => return None,
    };
    let mut returns = Map::at(&place);
    returns.set("type", Tree::string(word));
    returns.set("schema", Tree::of(schema.root(), &place));
    Some(returns)
}

fn reference_to(standard: StandardType) -> Value {
    let mut writer = Writer::default();
    let reference = format!("#/$defs/StandardReturnTypes/{standard}");
    writer
        .begin_object()
        .key("$ref")
        .string(&reference)
        .end_object();
    Value::trusted(writer)
}

/// A type name and a sentence, which is all that ADL 1.0 supports.
fn returns_in_words(contract: &Contract) -> Option<Map> {
    let (word, sentence) = match contract.returns() {
        Returns::Standard { standard, .. } => {
            let schema = standard.schema().to_value();
            let word = schema.root().get("type").and_then(Node::as_str);
            (
                word.map_or("any".to_owned(), Into::into),
                standard.purpose().to_owned(),
            )
        }
        Returns::Custom(schema) => {
            let schema = schema.to_value();
            let word = schema.root().get("type").and_then(Node::as_str);
            (
                word.map_or("any".to_owned(), Into::into),
                "As the tool's own schema has it.".to_owned(),
            )
        }
        Returns::Opaque => (
            "string".to_owned(),
            "Text without a promised structure.".to_owned(),
        ),
        Returns::Legacy {
            type_word,
            description,
        } => {
            let word = type_word.as_deref().unwrap_or("any").to_owned();
            (word, description.as_deref().unwrap_or_default().to_owned())
        }
        Returns::Undeclared => return None,
    };
    let own = contract
        .return_type()
        .and_then(|object| object.description());
    let mut returns = Map::default();
    returns.set("type", Tree::string(word));
    returns.set("description", Tree::string(own.unwrap_or(&sentence)));
    Some(returns)
}

/// The start of a minimal agent document, up to its tools.
const AGENT: &str = r#"{"name":"exported_tools","description":"Holds tools for other agents.","role":"Tools","llm":"any","llm_settings":{"temperature":0,"max_tokens":1024},"tools":["#;

/// Reads one tool of an agent as a contract. Violations have pointers relative to the tool.
fn read(node: Node<'_>, name: &str) -> Result<Contract, Violations> {
    let mut tool = Tree::of(node, &Pointer::root());
    if let Tree::Object(map) = &mut tool {
        map.set("name", Tree::string(name));
    }
    let agent = Value::embedded(&format!("{AGENT}{}]}}", tool.to_text()));
    let agent = AgentDocument::from_value(&agent);
    let agent = agent.map_err(|v| v.moved(|pointer| pointer.moved(2, &Pointer::root())))?;
    Contract::try_from(&agent.tools()[0])
}
