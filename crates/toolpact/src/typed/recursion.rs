//! Types that contain themselves, found in their schemas.

use serde_json::{Map, Value as Json};

/// The way into a schema until it comes back to where it was: `filter.and[]`. `None` if it never
/// does.
pub(super) fn circle(schema: &Json) -> Option<String> {
    let definitions = schema.get("$defs").and_then(Json::as_object);
    let mut search = Search {
        root: schema,
        definitions,
        open: vec!["#"],
        done: Vec::new(),
    };
    search.look(schema, "")
}

struct Search<'s> {
    root: &'s Json,
    definitions: Option<&'s Map<String, Json>>,
    /// The definitions we are inside of.
    open: Vec<&'s str>,
    /// Those that lead to no circle.
    done: Vec<&'s str>,
}

impl<'s> Search<'s> {
    fn look(&mut self, schema: &'s Json, path: &str) -> Option<String> {
        let object = schema.as_object()?;
        if let Some(reference) = object.get("$ref").and_then(Json::as_str)
            && let Some(found) = self.follow(reference, path)
        {
            return Some(found);
        }
        object
            .iter()
            .find_map(|(keyword, value)| match (keyword.as_str(), value) {
                ("properties", Json::Object(parts)) => parts.iter().find_map(|(name, part)| {
                    let dot = if path.is_empty() { "" } else { "." };
                    self.look(part, &format!("{path}{dot}{name}"))
                }),
                ("items", part) => self.look(part, &format!("{path}[]")),
                ("additionalProperties", part) => self.look(part, &format!("{path}.*")),
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Json::Array(parts)) => {
                    parts.iter().find_map(|part| self.look(part, path))
                }
                _ => None,
            })
    }

    fn follow(&mut self, reference: &'s str, path: &str) -> Option<String> {
        if self.open.contains(&reference) {
            return Some(path.to_owned());
        }
        if self.done.contains(&reference) {
            return None;
        }
        let name = reference.strip_prefix("#/$defs/");
        let target = match name {
            Some(name) => self.definitions?.get(name)?,
            None => self.root,
        };
        self.open.push(reference);
        let found = self.look(target, path);
        self.open.pop();
        self.done.push(reference);
        found
    }
}
