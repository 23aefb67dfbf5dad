//! What an operation returns, if it succeeds.

use std::collections::BTreeSet;

use crate::schema::JsonSchema;
use crate::{Pointer, Violations};

use super::super::super::loss::{Effect, Loss, LossKind};
use super::super::super::standard;
use super::super::super::tree::{Map, Tree};
use super::content;
use super::gather::{Gather, is_of_standard};
use super::source::{At, Mode, Source};
use super::source_of;
use super::words::{LeftOut, Side};

/// What is promised.
#[derive(Clone)]
pub(super) enum Promised {
    /// The field `returns` of the contract.
    Field(Tree),
    /// A schema that was checked.
    Schema(JsonSchema),
}

/// What the operation promises, if it declares a result.
pub(super) fn returns<'a>(
    source: &Source<'a>,
    operation: &At<'a>,
    losses: &mut Vec<Loss>,
) -> Result<Option<Promised>, Violations> {
    let mut successes = successes(operation).into_iter();
    let Some((status, response)) = successes.next() else {
        return Ok(None);
    };
    let response = source.follow(response)?.object("a response")?;
    let others: Vec<String> = successes.map(|(status, _)| status).collect();
    if !others.is_empty() {
        let others = crate::text::list(others.iter().map(String::as_str));
        let lost = format!("the responses {others}");
        let instead = format!("only `{status}` is promised");
        losses.push(note(Effect::Narrower, lost, &instead));
    }
    let Some((content_type, media, others)) = content::choose(&response) else {
        // HTTP defines that these have no content; others may just not declare it.
        let nothing = matches!(status.as_str(), "204" | "205");
        return Ok(nothing.then(|| Promised::Field(Tree::string("VoidResult"))));
    };
    if !others.is_empty() {
        let others = crate::text::list(others.iter().map(String::as_str));
        let lost = format!("that the result may be {others}");
        let instead = format!("it is `{content_type}`");
        losses.push(note(Effect::Documentation, lost, &instead));
    }
    if content::is_text(&content_type) {
        return Ok(Some(Promised::Field(Tree::string("opaque"))));
    }
    if !content::is_json(&content_type) {
        let lost = format!(
            "that the result is `{}`",
            crate::text::shorten(&content_type)
        );
        losses.push(note(Effect::Documentation, lost, "nothing is promised"));
        return Ok(None);
    }
    let Some(schema) = media.get("schema") else {
        return Ok(None);
    };
    let (promised, left_out) = of_schema(source, schema, &media.place)?;
    super::note_words(&left_out, "returns", losses);
    Ok(Some(promised))
}

/// What a schema promises, and the keywords that were left out of it. It is read once, however many operations
/// have it.
fn of_schema<'a>(
    source: &Source<'a>,
    schema: At<'a>,
    place: &Pointer,
) -> Result<(Promised, BTreeSet<LeftOut>), Violations> {
    let mut gather = Gather::new(source, Side::Response);
    let first = gather.only_a_reference(&schema);
    let id = first.map_or(schema.node.id(), |(_, target)| target.node.id());
    let shares = source.mode.get() == Mode::Share;
    if let Some(read) = source.responses.borrow().get(&id).filter(|_| shares) {
        return Ok(read.clone());
    }
    let (mut tree, found) = gather.whole(schema)?;
    standard::recognise(&mut tree);
    let of_standard = tree.as_map().is_some_and(is_of_standard);
    let alone = shares && !source.needs_copy.get() && !of_standard;
    if !alone || standard::standard_of(&tree).is_some() {
        return Ok((Promised::Field(promise(tree, place)), gather.left_out));
    }
    let checked = JsonSchema::from_value(&tree.to_value());
    let checked = checked.map_err(|wrong| wrong.moved(|pointer| source_of(pointer, &tree)))?;
    let read = (Promised::Schema(found.unwrap_or(checked)), gather.left_out);
    source.responses.borrow_mut().insert(id, read.clone());
    Ok(read)
}

/// A schema as the field `returns`: the name of a standard type, or a custom schema.
pub(super) fn promise(schema: Tree, place: &Pointer) -> Tree {
    let reference = schema.as_map().filter(|map| map.len() == 1);
    let reference = reference.and_then(|map| map.text("$ref"));
    let standard = reference
        .and_then(crate::schema::standard_reference)
        .or_else(|| standard::standard_of(&schema));
    match standard {
        Some(standard) => Tree::string(standard.name()),
        None => {
            let mut custom = Map::at(place);
            custom.set("type", Tree::string("Custom"));
            custom.set("schema", schema);
            Tree::Object(custom)
        }
    }
}

/// The responses that mean success, in order of precedence.
fn successes<'a>(operation: &At<'a>) -> Vec<(String, At<'a>)> {
    let all = operation.get("responses").into_iter();
    let all = all.flat_map(|all| all.members().collect::<Vec<_>>());
    let is_one = |status: &str| status.len() == 3 && status.starts_with('2');
    let mut found: Vec<_> = all.filter(|(status, _)| is_one(status)).collect();
    // Digits sort before `X`.
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

fn note(effect: Effect, lost: String, instead: &str) -> Loss {
    Loss {
        pointer: Pointer::root().key("returns"),
        kind: LossKind::Returns,
        effect,
        lost,
        instead: instead.to_owned(),
    }
}
