//! The parts of a schema, as far as schemars writes them.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};
use toolpact_core::schema::{Applies, Holds, Keyword, percent_decode};

/// What a part says something about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A value inside of the one that the whole is about.
    Inside,
    /// The same value.
    Same,
}

/// Visits the parts of a schema. Definitions and conditions are left out.
pub(super) fn each_part(object: &mut Map<String, Json>, visit: &mut impl FnMut(About, &mut Json)) {
    for (name, value) in object.iter_mut() {
        let Some((holds, about)) = Keyword::named(name).and_then(part) else {
            continue;
        };
        match (holds, value) {
            (Holds::One, part) => visit(about, part),
            (Holds::List, Json::Array(parts)) => {
                for part in parts {
                    visit(about, part);
                }
            }
            (Holds::Named, Json::Object(parts)) => {
                for part in parts.values_mut() {
                    visit(about, part);
                }
            }
            _ => {}
        }
    }
}

/// How a keyword holds parts, and what those are about.
fn part(keyword: Keyword) -> Option<(Holds, About)> {
    let (holds, applies) = keyword.schemas()?;
    let about = match applies {
        Applies::Member | Applies::Parts if keyword != Keyword::PropertyNames => About::Inside,
        Applies::All | Applies::Choice if holds == Holds::List => About::Same,
        _ => return None,
    };
    Some((holds, about))
}

/// Visits a schema and its parts, and those of its definitions. Parts come first, so that what a visit
/// adds to a schema is not visited.
pub(super) fn each_object(schema: &mut Json, visit: &mut impl FnMut(&mut Map<String, Json>)) {
    for (_, definition) in definitions(schema) {
        each_below(definition, visit);
    }
    each_below(schema, visit);
}

fn each_below(schema: &mut Json, visit: &mut impl FnMut(&mut Map<String, Json>)) {
    if let Json::Object(object) = schema {
        each_part(object, &mut |_, part| each_below(part, visit));
        visit(object);
    }
}

pub(super) fn definitions(schema: &mut Json) -> impl Iterator<Item = (&String, &mut Json)> {
    let definitions = schema.get_mut("$defs").and_then(Json::as_object_mut);
    definitions.into_iter().flatten()
}

/// The name of the definition that is referred to.
pub(super) fn target(object: &Map<String, Json>) -> Option<Cow<'_, str>> {
    name(object.get("$ref")?.as_str()?)
}

/// The name in `#/$defs/name`, which is written as a pointer in a URI.
pub(super) fn name(reference: &str) -> Option<Cow<'_, str>> {
    let name = reference.strip_prefix("#/$defs/")?;
    if !name.contains(['%', '~']) {
        return Some(Cow::Borrowed(name));
    }
    let name = percent_decode(name)?.replace("~1", "/").replace("~0", "~");
    Some(Cow::Owned(name))
}
