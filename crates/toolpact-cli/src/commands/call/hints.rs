//! What may have been meant by an argument that a tool does not have.

use std::collections::HashSet;

use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::violation::nearest;

use super::arguments::Word;

/// A hint for each word whose key the tool does not have: the argument that it is part of, or that it
/// is nearly the name of.
pub(super) fn of(words: &[Word<'_>], contract: &Contract) -> Vec<String> {
    let schema = contract.parameters().to_json_schema();
    let schema: Json = schema.deserialize().unwrap_or_default();
    let keys: Vec<(&String, &Json)> = properties(&schema, &schema);
    let is_unknown = |word: &&Word<'_>| !keys.iter().any(|(key, _)| *key == word.key());
    let unknown = words.iter().filter(is_unknown);
    unknown
        .filter_map(|word| {
            // Or `filter.status`, as pages about tools write it.
            let key = word.key();
            let part = key.rsplit_once('.').map_or(key, |(_, part)| part);
            let inside = |outer: &Json| {
                let mut inner = properties(&schema, outer).into_iter();
                inner.any(|(inner, _)| inner == part)
            };
            if let Some((outer, _)) = keys.iter().find(|(_, outer)| inside(outer)) {
                let value = word.value(None).ok()?;
                let (name, value) = (Json::from(part), value.text());
                return Some(format!(
                    "`{part}` is a part of `{outer}`: write '{outer}:={{{name}: {value}}}'"
                ));
            }
            let meant = nearest(key, keys.iter().map(|(key, _)| key.as_str()))?;
            Some(format!("there is no `{key}`; did you mean `{meant}`?"))
        })
        .collect()
}

/// The keys that a schema has, with those of what it refers to and of its alternatives.
fn properties<'s>(root: &'s Json, schema: &'s Json) -> Vec<(&'s String, &'s Json)> {
    let (mut all, mut seen, mut todo) = (Vec::new(), HashSet::new(), vec![schema]);
    while let Some(schema) = todo.pop() {
        if !seen.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        all.extend(schema["properties"].as_object().into_iter().flatten());
        let target = schema["$ref"].as_str();
        let target = target.and_then(|target| target.strip_prefix('#'));
        todo.extend(target.and_then(|path| root.pointer(path)));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            todo.extend(schema[keyword].as_array().into_iter().flatten());
        }
    }
    all
}
