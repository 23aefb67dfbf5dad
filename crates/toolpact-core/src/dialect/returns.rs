//! Exports what a tool returns.

use crate::Pointer;
use crate::contract::Contract;
use crate::json::{Node, Value, Writer};
use crate::returns::{Returns, StandardType};

use super::export::run;
use super::layout::Output;
use super::loss::{Effect, Loss, LossKind};
use super::references::build;
use super::standard;
use super::step::{Log, Refusal};
use super::transform::find;
use super::tree::{Map, Tree};

/// Exported returns.
#[derive(Default)]
pub(super) struct ExportedReturns {
    pub(super) schema: Option<Tree>,
    /// Whether the schema describes an object that wraps the result.
    pub(super) wrapped: bool,
    /// `returns` as in the contract, where the schema does not express all of it.
    pub(super) promise: Option<Tree>,
}

/// The key of a wrapped result, where only objects can be returned.
pub(super) const WRAPPED: &str = "result";

pub(super) fn export(
    output: Option<&Output>,
    contract: &Contract,
    losses: &mut Vec<Loss>,
) -> ExportedReturns {
    let returns = contract.returns();
    if matches!(returns, Returns::Undeclared | Returns::Legacy { .. }) {
        return ExportedReturns::default();
    }
    let Some(output) = output else {
        let effect = match returns {
            Returns::Opaque => Effect::Documentation,
            _ => Effect::Wider,
        };
        lose(effect, "what the tool returns", "it was left out", losses);
        return ExportedReturns::default();
    };
    let (schema, told) = schema(returns);
    let mut returned = ExportedReturns::default();
    if let Some(schema) = schema {
        match convert(&schema, output) {
            Ok((schema, more)) => {
                losses.extend(more);
                returned.schema = Some(schema);
                if output.objects_only {
                    wrap(&mut returned, losses);
                }
            }
            // What a tool takes is worth more than what it returns.
            Err(reason) => {
                let lost = format!("what the tool returns: {reason}");
                lose(Effect::Wider, &lost, "it was left out", losses);
                returned.promise = promise(contract).filter(|_| output.in_our_words);
                return returned;
            }
        }
    }
    let told = told && !says_more(contract);
    match (told, output.in_our_words) {
        (true, _) => {}
        (false, true) => returned.promise = promise(contract),
        (false, false) => {
            let lost = "what else is said of results";
            lose(
                Effect::Documentation,
                lost,
                "only the schema is told",
                losses,
            );
        }
    }
    returned
}

fn convert(schema: &Value, output: &Output) -> Result<(Tree, Vec<Loss>), Refusal> {
    let place = Pointer::root().key("returns");
    let mut log = Log::new(output.profile, place.clone());
    let mut tree = build(schema, &place, &mut log);
    standard::localise(&mut tree);
    if let Tree::Object(map) = &mut tree {
        let standard = map
            .text("$id")
            .is_some_and(|id| id.starts_with(StandardType::BASE_URI));
        if standard {
            map.take("$id");
        }
    }
    run(output.profile.steps, &mut tree, &mut log)?;
    Ok((tree, log.losses))
}

/// The result schema, and whether it expresses everything that is declared.
fn schema(returns: &Returns) -> (Option<Value>, bool) {
    match returns {
        Returns::Standard {
            standard,
            refinement: None,
        } => (Some(standard.schema().to_value()), true),
        Returns::Standard {
            standard,
            refinement: Some(schema),
        } => {
            let refers = schema.to_value().text().contains(standard.name());
            let schema = match refers {
                true => schema.to_bundle(),
                false => both(*standard, &schema.to_bundle()),
            };
            (Some(schema), false)
        }
        Returns::Custom(schema) => (Some(schema.to_bundle()), true),
        Returns::Opaque => (None, false),
        Returns::Legacy { .. } | Returns::Undeclared => (None, true),
    }
}

/// A schema that combines a standard type with its refinement.
fn both(standard: StandardType, refinement: &Value) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let standard = standard.schema().to_value();
    let standard = standard.root();
    if standard
        .get("type")
        .and_then(Node::as_str)
        .is_some_and(|t| t == "object")
    {
        writer.key("type").string("object");
    }
    writer.key("allOf").begin_array();
    writer.raw(standard.text()).raw(refinement.text());
    writer.end_array().end_object();
    Value::trusted(writer)
}

/// Whether the contract declares more than a schema can express.
fn says_more(contract: &Contract) -> bool {
    contract.return_type().is_some_and(|object| {
        object.description().is_some()
            || !object.examples().is_empty()
            || object.content_type() != "application/json"
    })
}

/// The field `returns` of a contract.
fn promise(contract: &Contract) -> Option<Tree> {
    let value = contract.to_value();
    let returns = value.root().get("returns")?;
    Some(Tree::of(returns, &Pointer::root()))
}

fn lose(effect: Effect, lost: &str, instead: &str, losses: &mut Vec<Loss>) {
    losses.push(Loss {
        pointer: Pointer::root().key("returns"),
        kind: LossKind::Returns,
        effect,
        lost: lost.to_owned(),
        instead: instead.to_owned(),
    });
}

/// Wraps a schema in an object, unless it clearly describes one.
fn wrap(returned: &mut ExportedReturns, losses: &mut Vec<Loss>) {
    let Some(schema) = &mut returned.schema else {
        return;
    };
    if is_object(schema, schema, &mut 1000) {
        say_object(schema, losses);
        return;
    }
    shift(schema, "#", &format!("#/properties/{WRAPPED}"));
    let place = Pointer::root().key("returns");
    let mut properties = Map::at(&place);
    properties.set(WRAPPED, schema.clone());
    let mut map = Map::at(&place);
    map.set("type", Tree::string("object"));
    map.set("properties", Tree::Object(properties));
    map.set("required", Tree::strings([WRAPPED]));
    *schema = Tree::Object(map);
    returned.wrapped = true;
}

/// Adds `type: object` to the root of a schema that implies it.
fn say_object(schema: &mut Tree, losses: &mut Vec<Loss>) {
    if let Tree::Object(map) = schema
        && !map.has("type")
    {
        map.set_first("type", Tree::string("object"));
        losses.push(Loss {
            pointer: Pointer::root().key("returns"),
            kind: LossKind::Rewritten,
            effect: Effect::Documentation,
            lost: "a result that is an object by reference".to_owned(),
            instead: "its type is named".to_owned(),
        });
    }
}

/// Whether only objects can match a schema, as far as can be determined within the step limit.
fn is_object(schema: &Tree, whole: &Tree, steps: &mut usize) -> bool {
    let Some(map) = schema.as_map().filter(|_| *steps > 0) else {
        return false;
    };
    *steps -= 1;
    if let Some(types) = map.get("type") {
        return types.as_str() == Some("object");
    }
    let target = map.text("$ref").and_then(|r| find(whole, r));
    if target.is_some_and(|target| is_object(target, whole, steps)) {
        return true;
    }
    let mut parts = map.array("allOf").unwrap_or_default().iter();
    parts.any(|part| is_object(part, whole, steps))
}

/// The inner schema of a wrapped one.
pub(super) fn unwrap(schema: &Tree) -> Option<Tree> {
    let inner = schema.as_map()?.map("properties")?.get(WRAPPED)?;
    let mut inner = inner.clone();
    shift(&mut inner, &format!("#/properties/{WRAPPED}"), "#");
    Some(inner)
}

/// Rewrites references after the root has moved.
fn shift(schema: &mut Tree, from: &str, to: &str) {
    super::walk::top_down(schema, &mut |map| {
        let reference = map.text("$ref").and_then(|r| r.strip_prefix(from));
        let rest = reference.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        if let Some(rest) = rest.map(|rest| format!("{to}{rest}")) {
            map.set("$ref", Tree::string(rest));
        }
    });
}
