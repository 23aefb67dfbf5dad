//! The references of a schema, one by one.

use crate::Pointer;

use super::super::super::tree::{Map, Tree};
use super::super::super::walk::children;
use super::super::COMPONENTS;
use super::source::Source;

/// A part of the document that a reference leads to, and the pointer inside of it.
pub(super) struct Target {
    pub(super) part: String,
    pub(super) rest: String,
}

/// Calls `each` with every schema that has a reference, the reference and what it is relative to: the document, or
/// the innermost schema with an identifier. `whole` is the place of the schema.
pub(super) fn references(
    tree: &mut Tree,
    ours: bool,
    whole: &Pointer,
    each: &mut dyn FnMut(&mut Map, &str, &str),
) {
    lead(tree, ours, "", whole, each);
}

fn lead(
    tree: &mut Tree,
    ours: bool,
    base: &str,
    whole: &Pointer,
    each: &mut dyn FnMut(&mut Map, &str, &str),
) {
    let Tree::Object(map) = tree else { return };
    let own = map.text("$id").is_some_and(|id| !id.starts_with('#'));
    let base = match own && !ours {
        true => {
            map.take("$id");
            map.place().to_string()
        }
        false => base.to_owned(),
    };
    if !ours {
        recursive(map, whole);
    }
    if let Some(reference) = map.text("$ref").map(str::to_owned) {
        each(map, &reference, &base);
    }
    children(map, |child| lead(child, ours, &base, whole, each));
}

/// What a reference leads to. Many schemas are written as if they were standalone documents.
pub(super) fn target(
    source: &Source<'_>,
    reference: &str,
    base: &str,
    whole: &Pointer,
) -> Option<Target> {
    let pointer = source.pointer(reference, base)?;
    let (part, rest) = split(&pointer);
    if source.find(part).is_some() {
        let (part, rest) = (part.to_owned(), rest.to_owned());
        return Some(Target { part, rest });
    }
    let inside = format!("{whole}{pointer}");
    source.find(&inside)?;
    let (part, rest) = split(&inside);
    let (part, rest) = (part.to_owned(), rest.to_owned());
    Some(Target { part, rest })
}

/// Whether a reference that leads to no part is fine all the same: an anchor may be in the copied part, and
/// standard types are resolved by name.
pub(super) fn is_elsewhere(reference: &str) -> bool {
    let anchor = reference.starts_with('#') && !reference.starts_with("#/");
    anchor || crate::schema::standard_reference(reference).is_some()
}

/// Rewrites `$recursiveRef` of 2019-09, which some documents still use.
fn recursive(map: &mut Map, whole: &Pointer) {
    map.take("$recursiveAnchor");
    let itself = map.text("$recursiveRef") == Some("#");
    if itself && map.take("$recursiveRef").is_some() {
        let reference = format!("#{}", whole.to_string().replace('%', "%25"));
        map.set("$ref", Tree::string(reference));
    }
}

/// Splits a pointer into that of a component and the rest; any other pointer has no rest.
fn split(pointer: &str) -> (&str, &str) {
    let end = pointer
        .strip_prefix(COMPONENTS)
        .and_then(|rest| rest.find('/'))
        .map_or(pointer.len(), |end| end + COMPONENTS.len());
    pointer.split_at(end)
}
