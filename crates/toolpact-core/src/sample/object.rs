use std::borrow::Cow;

use indexmap::{IndexMap, IndexSet};

use crate::json::{Node, Writer};
use crate::schema::view::{Part, View};
use crate::schema::{Keyword, pattern_regex};

use super::make::{Maker, Style, Variety};
use super::{pattern, string};

/// Nested deeper than this, objects have only required keys.
const FILLED: usize = 3;
/// The most unnamed keys of an object.
const MOST: usize = 50;
/// How often a random object may occur within itself.
const WITHIN_ITSELF: usize = 2;

impl<'v> Maker<'_, 'v> {
    /// An object as JSON, unless the same object is already being made around it.
    pub(super) fn object(&mut self, view: &View<'v>, depth: usize) -> Option<String> {
        let identity = view.identity();
        let most = match self.style {
            Style::Shown(_) => 0,
            Style::Random(..) => WITHIN_ITSELF,
        };
        let around = self.around.iter().filter(|other| **other == identity);
        if !identity.is_empty() && around.count() > most {
            return None;
        }
        self.around.push(identity);
        let members = self.members(view, depth);
        self.around.pop();
        let mut writer = Writer::default();
        writer.begin_object();
        for (key, value) in members? {
            writer.key(&key).raw(&value);
        }
        writer.end_object();
        Some(writer.finish())
    }

    fn members(&mut self, view: &View<'v>, depth: usize) -> Option<IndexMap<String, String>> {
        let named = view.named(Keyword::Properties);
        if matches!(self.style, Style::Random(..)) {
            // Each key is looked up among all.
            self.charge(named.len().saturating_mul(named.len()) / 500);
        }
        let keys = self.keys(view, &named, depth);
        let view = &self.with_dependent(view, &keys);
        let mut required = view.required();
        add_dependent(view, &keys, &mut required);
        if depth == 0 {
            required.extend(self.needs.map(Cow::Borrowed));
            let known = self.frame.iter().filter(|(_, value)| value.is_some());
            required.extend(known.map(|(key, _)| Cow::Borrowed(*key)));
        }
        let mut members = IndexMap::new();
        for key in named.keys() {
            let needed = required.contains(key);
            if !needed && !keys.contains(key) {
                continue;
            }
            match self.field(view, key, 0, depth) {
                Some(value) => drop(members.insert(key.to_string(), value)),
                None if needed => return None,
                None => {}
            }
        }
        for key in required.iter().filter(|key| !named.contains_key(*key)) {
            let value = self.field(view, key, 0, depth)?;
            members.insert(key.to_string(), value);
        }
        self.others(view, &mut members, &named, depth)?;
        Some(members)
    }

    /// The keys that are required or wanted.
    fn keys(
        &mut self,
        view: &View<'v>,
        named: &IndexMap<Cow<'v, str>, Vec<Part<'v>>>,
        depth: usize,
    ) -> IndexSet<Cow<'v, str>> {
        let mut keys = view.required();
        let most = view.count(Keyword::MaxProperties).unwrap_or(usize::MAX);
        // Some objects have all keys, some only what they must have.
        let share = match &mut self.style {
            Style::Shown(attempt) => 100 * usize::from(attempt.fills && depth < FILLED),
            Style::Random(random, _) if depth < FILLED => [0, 50, 80, 100][random.below(4)],
            Style::Random(..) => 0,
        };
        for (key, parts) in named {
            if share == 0 || keys.contains(key) {
                continue;
            }
            let is_deprecated = is_deprecated(&self.sources.view(parts.iter().copied()));
            let wanted = match &mut self.style {
                Style::Shown(_) => !is_deprecated,
                Style::Random(random, _) => {
                    keys.len() < most && random.chance(if is_deprecated { 10 } else { share })
                }
            };
            if wanted {
                keys.insert(key.clone());
            }
        }
        keys
    }

    /// The view with the schemas that depend on keys.
    fn with_dependent(&self, view: &View<'v>, keys: &IndexSet<Cow<'v, str>>) -> View<'v> {
        let named = view.named(Keyword::DependentSchemas).into_iter();
        let present = named.filter(|(key, _)| keys.contains(key));
        let more: Vec<Part<'v>> = present.flat_map(|(_, parts)| parts).collect();
        match more.is_empty() {
            true => view.clone(),
            false => self.sources.view(view.parts().iter().copied().chain(more)),
        }
    }

    /// The value of a key: of all schemas that apply to it.
    pub(super) fn field(
        &mut self,
        view: &View<'v>,
        key: &str,
        variant: usize,
        depth: usize,
    ) -> Option<String> {
        let mut frame = self.frame.iter().filter(|_| depth == 0);
        if let Some((_, value)) = frame.find(|(name, _)| *name == key) {
            return value.clone();
        }
        let view = self.sources.view(self.named(view, key));
        self.value(&view, variant, depth + 1)
    }

    /// The schemas that apply to the value of a key.
    pub(super) fn named(&mut self, view: &View<'v>, key: &str) -> Vec<Part<'v>> {
        let mut parts = Vec::new();
        for part in view.parts() {
            let own = part.get(Keyword::Properties);
            let named = own.and_then(|properties| properties.member(key));
            let matching = self.matching(*part, key);
            if named.is_none() && matching.is_empty() {
                parts.extend(part.get(Keyword::AdditionalProperties));
            }
            parts.extend(named.into_iter().chain(matching));
        }
        parts
    }

    /// The schemas of the patterns that a key matches.
    fn matching(&mut self, part: Part<'v>, key: &str) -> Vec<Part<'v>> {
        let Some(patterns) = part.get(Keyword::PatternProperties) else {
            return Vec::new();
        };
        let patterns = patterns.members().into_iter();
        let matching = patterns.filter(|(pattern, _)| {
            let known = self.patterns.entry(pattern.to_string());
            let regex = known.or_insert_with(|| pattern_regex(pattern));
            regex.as_ref().is_some_and(|regex| regex.is_match(key))
        });
        matching.map(|(_, part)| part).collect()
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
        let least = view.count(Keyword::MinProperties).unwrap_or(0).min(MOST);
        let wanted = self.unnamed(view, members.len(), named.is_empty(), depth);
        for key in named.keys() {
            if members.len() >= least {
                break;
            }
            if members.contains_key(&**key) {
                continue;
            }
            if let Some(value) = self.field(view, key, 0, depth) {
                members.insert(key.to_string(), value);
            }
        }
        for number in 0..least.max(wanted).saturating_sub(members.len()) {
            let key = self.key(view, number)?;
            let value = self.field(view, &key, number, depth)?;
            members.insert(key, value);
        }
        Some(())
    }

    /// How many keys an object is to have, if it may have some that are not named.
    fn unnamed(&mut self, view: &View<'v>, now: usize, is_unnamed: bool, depth: usize) -> usize {
        let is_map = is_unnamed && !view.rest(Keyword::AdditionalProperties).is_empty();
        let (random, variety) = match &mut self.style {
            Style::Shown(attempt) => return usize::from(is_map && attempt.fills && now == 0),
            Style::Random(random, variety) => (random, *variety),
        };
        let is_map = is_map || is_unnamed && view.get(Keyword::PatternProperties).is_some();
        let is_open = !view.refuses_other_keys();
        let more = match variety {
            _ if is_map => random.below(4),
            // An object of which nothing is known has something in it, unless it is the whole value.
            _ if is_unnamed && is_open && (1..=FILLED).contains(&depth) => random.below(3),
            Variety::Unusual if is_open && random.chance(25) => 1,
            _ => 0,
        };
        let most = view.counts(Keyword::MaxProperties).min();
        now.saturating_add(more).min(most.unwrap_or(usize::MAX))
    }

    /// A name for a key that the schema does not name.
    fn key(&mut self, view: &View<'v>, number: usize) -> Option<String> {
        let patterned = view.named(Keyword::PatternProperties).into_iter().next();
        if let (Some((pattern, _)), true) = (
            patterned,
            view.rest(Keyword::AdditionalProperties).is_empty(),
        ) {
            return pattern::make(&pattern, number);
        }
        let names = view.rest(Keyword::PropertyNames);
        if names.is_empty() {
            return Some(match number {
                0 => "key".to_owned(),
                number => format!("key{}", number + 1),
            });
        }
        let view = self.sources.view(names);
        match view.values() {
            Some(values) => values
                .get(number)
                .and_then(|value| Some(value.as_str()?.into_owned())),
            None => string::make(&view, number),
        }
    }
}

/// Keys that present keys depend on. One step is nearly always enough.
fn add_dependent<'v>(
    view: &View<'v>,
    present: &IndexSet<Cow<'v, str>>,
    required: &mut IndexSet<Cow<'v, str>>,
) {
    for part in view.all(Keyword::DependentRequired) {
        for (key, needs) in part.node().members() {
            if required.contains(&key) || present.contains(&key) {
                required.extend(needs.items().filter_map(Node::as_str));
            }
        }
    }
}

fn is_deprecated(view: &View<'_>) -> bool {
    let mut said = view.all(Keyword::Deprecated);
    said.any(|part| part.node().as_bool() == Some(true))
}
