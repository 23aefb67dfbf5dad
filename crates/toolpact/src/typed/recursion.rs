//! Types that contain themselves, found in their schemas.

use serde_json::{Map, Value as Json};

use super::walk::name;

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
    /// Those that lead to no cycle.
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
        let mut keywords = object.iter();
        keywords.find_map(|(keyword, value)| self.look_at(keyword, value, path))
    }

    fn look_at(&mut self, keyword: &str, value: &'s Json, path: &str) -> Option<String> {
        match (keyword, value) {
            ("properties", Json::Object(parts)) => parts
                .iter()
                .find_map(|(name, part)| self.look(part, &member(path, name))),
            ("patternProperties", Json::Object(parts)) => parts
                .values()
                .find_map(|part| self.look(part, &member(path, "*"))),
            ("additionalProperties" | "unevaluatedProperties", part) => {
                self.look(part, &member(path, "*"))
            }
            ("items" | "contains", part) => self.look(part, &format!("{path}[]")),
            ("prefixItems", Json::Array(parts)) => (parts.iter().enumerate())
                .find_map(|(index, part)| self.look(part, &format!("{path}[{index}]"))),
            ("anyOf" | "oneOf" | "allOf", Json::Array(parts)) => {
                parts.iter().find_map(|part| self.look(part, path))
            }
            _ => None,
        }
    }

    fn follow(&mut self, reference: &'s str, path: &str) -> Option<String> {
        if self.open.contains(&reference) {
            return Some(path.to_owned());
        }
        if self.done.contains(&reference) {
            return None;
        }
        let target = match name(reference) {
            Some(name) => self.definitions?.get(&*name)?,
            None => self.root,
        };
        self.open.push(reference);
        let found = self.look(target, path);
        self.open.pop();
        self.done.push(reference);
        found
    }
}

fn member(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}
