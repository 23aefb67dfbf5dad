//! The parts of a schema, as far as schemars writes them.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

/// What a part says something about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A value inside of the one that the whole is about.
    Inside,
    /// The same value.
    Same,
}

/// Visits the parts of a schema. Definitions are left out.
pub(super) fn each_part(object: &mut Map<String, Json>, visit: &mut impl FnMut(About, &mut Json)) {
    for (keyword, value) in object.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties", Json::Object(parts)) => {
                for part in parts.values_mut() {
                    visit(About::Inside, part);
                }
            }
            ("items" | "additionalProperties" | "unevaluatedProperties" | "contains", part) => {
                visit(About::Inside, part);
            }
            ("prefixItems", Json::Array(parts)) => {
                for part in parts {
                    visit(About::Inside, part);
                }
            }
            ("anyOf" | "oneOf" | "allOf", Json::Array(parts)) => {
                for part in parts {
                    visit(About::Same, part);
                }
            }
            _ => {}
        }
    }
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
    let name = decode(name)?.replace("~1", "/").replace("~0", "~");
    Some(Cow::Owned(name))
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = after;
            }
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}
