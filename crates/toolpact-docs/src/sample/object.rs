use std::borrow::Cow;

use indexmap::IndexMap;
use toolpact_core::schema::Keyword;
use toolpact_core::schema::view::{Part, View};

use super::{Sampler, string};
use crate::json;

/// Nested deeper than this, objects have only required keys.
const FILLED: usize = 3;
/// The most unnamed keys of an object.
const MOST: usize = 50;

impl<'v> Sampler<'_, 'v> {
    /// An object as JSON, unless the same object is already being generated around it.
    pub(super) fn object(&mut self, view: &View<'v>, depth: usize) -> Option<String> {
        let identity = view.identity();
        if !identity.is_empty() && self.around.contains(&identity) {
            return None;
        }
        self.around.push(identity);
        let members = self.members(view, depth);
        self.around.pop();
        let members = members?;
        let members = members.iter();
        Some(json::object(members.map(|(key, value)| (&**key, &**value))))
    }

    fn members(&mut self, view: &View<'v>, depth: usize) -> Option<IndexMap<String, String>> {
        let (named, mut required) = (view.named(Keyword::Properties), view.required());
        add_dependent(view, &mut required);
        let mut members = IndexMap::new();
        for (key, parts) in &named {
            let needed = required.contains(key);
            let field = self.sources.view(parts.iter().copied());
            let wanted = self.attempt.fills && depth < FILLED && !is_deprecated(&field);
            if !needed && !wanted {
                continue;
            }
            match self.value(&field, 0, depth + 1) {
                Some(value) => drop(members.insert(key.to_string(), value)),
                None if needed => return None,
                None => {}
            }
        }
        for key in required.iter().filter(|key| !named.contains_key(*key)) {
            let value = self.unnamed(view, 0, depth)?;
            members.insert(key.to_string(), value);
        }
        self.others(view, &mut members, &named, depth)?;
        Some(members)
    }

    /// Keys that the schema does not name, if some are required, or if the object would be empty
    /// without them.
    fn others(
        &mut self,
        view: &View<'v>,
        members: &mut IndexMap<String, String>,
        named: &IndexMap<Cow<'v, str>, Vec<Part<'v>>>,
        depth: usize,
    ) -> Option<()> {
        let is_map = named.is_empty() && !view.rest(Keyword::AdditionalProperties).is_empty();
        let shown = usize::from(is_map && self.attempt.fills && members.is_empty());
        let least = view.count(Keyword::MinProperties).unwrap_or(0);
        let least = least.min(MOST).max(shown);
        for (key, parts) in named {
            if members.len() >= least {
                break;
            }
            if members.contains_key(&**key) {
                continue;
            }
            let field = self.sources.view(parts.iter().copied());
            if let Some(value) = self.value(&field, 0, depth + 1) {
                members.insert(key.to_string(), value);
            }
        }
        for number in 0..least.saturating_sub(members.len()) {
            let key = self.key(view, number)?;
            let value = self.unnamed(view, number, depth)?;
            members.insert(key, value);
        }
        Some(())
    }

    /// A generated name for a key.
    fn key(&self, view: &View<'v>, number: usize) -> Option<String> {
        let pattern = view.named(Keyword::PatternProperties).into_iter().next();
        if let (Some((pattern, _)), true) =
            (pattern, view.rest(Keyword::AdditionalProperties).is_empty())
        {
            return super::pattern::make(&pattern, number);
        }
        let names = view.rest(Keyword::PropertyNames);
        match names.is_empty() {
            true => Some(match number {
                0 => "key".to_owned(),
                number => format!("key{}", number + 1),
            }),
            false => string::make(&self.sources.view(names), number),
        }
    }

    fn unnamed(&mut self, view: &View<'v>, variant: usize, depth: usize) -> Option<String> {
        let mut parts = view.rest(Keyword::AdditionalProperties);
        if parts.is_empty() {
            let patterns = view.named(Keyword::PatternProperties).into_iter().next();
            parts = patterns.map(|(_, parts)| parts).unwrap_or_default();
        }
        let view = self.sources.view(parts);
        self.value(&view, variant, depth + 1)
    }
}

/// Keys that other keys depend on. One step is enough for a sample call.
fn add_dependent<'v>(view: &View<'v>, required: &mut indexmap::IndexSet<Cow<'v, str>>) {
    for part in view.all(Keyword::DependentRequired) {
        for (key, needs) in part.node().members() {
            if required.contains(&key) {
                required.extend(needs.items().filter_map(toolpact_core::json::Node::as_str));
            }
        }
    }
}

fn is_deprecated(view: &View<'_>) -> bool {
    let mut said = view.all(Keyword::Deprecated);
    said.any(|part| part.node().as_bool() == Some(true))
}
