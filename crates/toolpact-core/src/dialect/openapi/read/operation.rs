//! One operation, as the fields of a contract.

use crate::{Pointer, Violations};

use super::super::super::loss::{Effect, Loss, LossKind};
use super::super::super::tree::{Map, Tree};
use super::super::Route;
use super::arguments::arguments;
use super::responses::{Promised, returns};
use super::source::{At, Mode, Source};
use super::{Read, extensions};

/// Longest server URL that is read.
const LONGEST: usize = 4_096;

/// An operation and where it was found.
pub(super) struct Heading<'a> {
    pub(super) method: &'static str,
    pub(super) path: String,
    /// The path item, dereferenced.
    pub(super) item: At<'a>,
    pub(super) at: At<'a>,
}

/// Reads an operation. Its schemas share their definitions with others, if they can.
pub(super) fn read<'a>(source: &Source<'a>, heading: &Heading<'a>) -> Result<Read, Violations> {
    source.needs_copy.set(false);
    let read = read_once(source, heading)?;
    if !source.needs_copy.get() {
        return Ok(read);
    }
    source.mode.set(Mode::Copy);
    let read = read_once(source, heading);
    source.mode.set(Mode::Share);
    read
}

/// Notes the parts that the schemas of an operation refer to.
pub(super) fn collect<'a>(source: &Source<'a>, heading: &Heading<'a>) {
    // What is wrong with it is said when it is read.
    drop(read_once(source, heading));
}

fn read_once<'a>(source: &Source<'a>, heading: &Heading<'a>) -> Result<Read, Violations> {
    let Heading {
        method,
        path,
        item,
        at,
    } = heading;
    let at = at.clone().object("an operation")?;
    source.may_copy(&at)?;
    if let Some(said) = at.get(super::super::OURS) {
        return extensions::read(source, heading, &said);
    }
    let mut losses = Vec::new();
    let arguments = arguments(source, (path, item), &at, &mut losses)?;
    let (returns, shared) = match returns(source, &at, &mut losses)? {
        Some(Promised::Field(field)) => (Some(field), None),
        Some(Promised::Schema(schema)) => (None, Some(schema)),
        None => (None, None),
    };
    let mut fields = Map::at(&at.place);
    fields.set("description", description(heading, &mut losses));
    fields.set("parameters", arguments.schema);
    if let Some(returns) = returns {
        fields.set("returns", returns);
    }
    if let Some(effects) = effects(method) {
        fields.set("effects", Tree::Object(effects));
    }
    besides(source, &at, &mut losses);
    Ok(Read {
        fields,
        parameters: arguments.shared,
        returns: shared,
        losses,
        route: Route {
            method: method.to_ascii_uppercase().into(),
            path: path.as_str().into(),
            server: server(source, heading),
            body: arguments.body.map(Into::into),
            placements: arguments.placements,
            deep: arguments.deep,
            files: arguments.files,
        },
    })
}

/// The description or summary, or else method and path: a contract must have a description.
fn description(heading: &Heading<'_>, losses: &mut Vec<Loss>) -> Tree {
    let said = ["description", "summary"].into_iter();
    let mut said = said.filter_map(|key| heading.at.text(key));
    if let Some(text) = said.find(|text| !text.trim().is_empty()) {
        return Tree::string(text);
    }
    losses.push(note(
        Pointer::root().key("description"),
        LossKind::Description,
        "a description, which there is none of",
        "its method and path stand for it",
    ));
    let method = heading.method.to_ascii_uppercase();
    Tree::string(format!("{method} {}", heading.path))
}

/// The effects that HTTP defines for a method.
fn effects(method: &str) -> Option<Map> {
    let flags: &[&str] = match method {
        "get" | "head" | "options" | "trace" => &["read_only"],
        "put" => &["idempotent"],
        "delete" => &["destructive", "idempotent"],
        _ => return None,
    };
    let mut map = Map::default();
    for flag in flags {
        map.set(flag, Tree::Bool(true));
    }
    Some(map)
}

/// Logs other parts that matter to a call and that a contract does not support.
fn besides(source: &Source<'_>, at: &At<'_>, losses: &mut Vec<Loss>) {
    let security = at.get("security").or_else(|| source.all().get("security"));
    let secured =
        security.is_some_and(|all| all.node.items().any(|one| one.members().next().is_some()));
    let found = [
        (at.flag("deprecated"), "that it is deprecated"),
        (secured, "who may call it (`security`)"),
        (
            at.get("callbacks").is_some(),
            "what it calls back (`callbacks`)",
        ),
    ];
    for (_, lost) in found.into_iter().filter(|(found, _)| *found) {
        losses.push(note(
            Pointer::root(),
            LossKind::Annotation,
            lost,
            "it was left out",
        ));
    }
}

/// The first server of the operation, the path or the document, with default variables.
pub(super) fn server(source: &Source<'_>, heading: &Heading<'_>) -> Option<Box<str>> {
    let all = source.all();
    let places = [&heading.at, &heading.item, &all].into_iter();
    let mut servers = places.filter_map(|at| at.get("servers")?.items().next());
    let server = servers.next()?;
    let mut url = server.text("url").filter(|url| url.len() <= LONGEST)?;
    for (name, variable) in server
        .get("variables")
        .into_iter()
        .flat_map(|v| v.members().collect::<Vec<_>>())
    {
        if let Some(default) = variable.text("default") {
            url = url.replace(&format!("{{{name}}}"), &default);
        }
        // Defaults that contain variables could keep growing.
        if url.len() > LONGEST {
            return None;
        }
    }
    Some(url.into())
}

fn note(pointer: Pointer, kind: LossKind, lost: &str, instead: &str) -> Loss {
    Loss {
        pointer,
        kind,
        effect: Effect::Documentation,
        lost: lost.to_owned(),
        instead: instead.to_owned(),
    }
}
