//! What an operation returns, if it succeeds.

use crate::{Pointer, Violations};

use super::super::super::loss::{Effect, Loss, LossKind};
use super::super::super::standard;
use super::super::super::tree::{Map, Tree};
use super::content;
use super::gather::Gather;
use super::source::{At, Source};
use super::words::Side;

/// The field `returns` of the contract, if the operation declares a result.
pub(super) fn returns<'a>(
    source: &Source<'a>,
    operation: &At<'a>,
    losses: &mut Vec<Loss>,
) -> Result<Option<Tree>, Violations> {
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
        return Ok(nothing.then(|| Tree::string("VoidResult")));
    };
    if !others.is_empty() {
        let others = crate::text::list(others.iter().map(String::as_str));
        let lost = format!("that the result may be {others}");
        let instead = format!("it is `{content_type}`");
        losses.push(note(Effect::Documentation, lost, &instead));
    }
    if content::is_text(&content_type) {
        return Ok(Some(Tree::string("opaque")));
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
    let mut gather = Gather::new(source, Side::Response);
    let mut tree = gather.whole(schema)?;
    standard::recognise(&mut tree);
    super::note_words(&gather.left_out, "returns", losses);
    Ok(Some(promise(tree, &media.place)))
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
