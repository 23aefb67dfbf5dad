//! Operations that toolpact wrote: each round-trips to its original contract.

use crate::json::{Node, Value};
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::super::super::loss::{Effect, Loss, LossKind};
use super::super::super::tree::{Map, Tree};
use super::super::super::{hoist, standard};
use super::super::{NAMES, Route};
use super::Read;
use super::gather::Gather;
use super::operation::{Heading, server};
use super::responses::promise;
use super::source::{At, Source};

/// The contract fields that the extension holds unchanged.
const FIELDS: [&str; 5] = ["parameters", "returns", "text", "effects", "timeout_ms"];

pub(super) fn read<'a>(
    source: &Source<'a>,
    heading: &Heading<'a>,
    said: &At<'a>,
) -> Result<Read, Violations> {
    let at = &heading.at;
    let version = said.node.get("version").map(Node::text);
    if version != Some("1") {
        let message = "expected `x-toolpact` to be an object with the `version` 1";
        return Err(said.wrong(&rules::WRONG_TYPE, message.to_owned()));
    }
    let mut fields = Map::at(&at.place);
    if let Some(description) = at.get("description") {
        fields.set(
            "description",
            Tree::of(description.node, &description.place),
        );
    }
    let names = said.node.get(NAMES);
    if let Some(schema) = find(
        at,
        &["requestBody", "content", "application/json", "schema"],
    ) {
        let mut gather = Gather::ours(source, names);
        fields.set("parameters", back(gather.whole(schema)?.0));
    }
    if let Some(content) = find(at, &["responses", "200", "content"]) {
        let schema = find(&content, &["application/json", "schema"]);
        if content.get("text/plain").is_some() {
            fields.set("returns", Tree::string("opaque"));
        } else if let Some(schema) = schema {
            let mut gather = Gather::ours(source, names);
            let schema = back(gather.whole(schema)?.0);
            fields.set("returns", promise(schema, &content.place));
        }
    }
    let mut losses = Vec::new();
    for (key, value) in said.members() {
        match key.as_str() {
            "version" | NAMES => {}
            known if FIELDS.contains(&known) => {
                source.may_copy(&value)?;
                fields.set(known, unchanged(known, &value));
            }
            unknown => losses.push(Loss {
                pointer: Pointer::root(),
                kind: LossKind::Annotation,
                effect: Effect::Documentation,
                lost: format!("`{}` of `x-toolpact`", crate::text::shorten(unknown)),
                instead: "it was left out".to_owned(),
            }),
        }
    }
    Ok(Read {
        fields,
        parameters: None,
        returns: None,
        losses,
        route: Route {
            method: heading.method.to_ascii_uppercase().into(),
            path: heading.path.as_str().into(),
            server: server(source, heading),
            body: Some("application/json".into()),
            placements: Vec::new(),
            deep: Vec::new(),
            files: Vec::new(),
        },
    })
}

/// A field as it was in the contract. A schema with references is JSON in a string.
fn unchanged(field: &str, at: &At<'_>) -> Tree {
    let text = at.node.as_str();
    let text = text.filter(|_| matches!(field, "parameters" | "returns"));
    let inner = text.and_then(|text| Value::from_json(text.as_bytes()).ok());
    let node = inner.as_ref().map_or(at.node, Value::root);
    Tree::of(node, &at.place)
}

fn find<'a>(at: &At<'a>, keys: &[&str]) -> Option<At<'a>> {
    keys.iter().try_fold(at.clone(), |at, key| at.get(key))
}

/// Undoes what the export did to every schema.
fn back(mut schema: Tree) -> Tree {
    hoist::unhoist(&mut schema);
    standard::recognise(&mut schema);
    schema
}
