use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::observed::{Observed, ROOT};
use super::place::{Arrays, Kinds, Lengths, Member, Members, Objects, Place, PlaceId};
use super::strings::Strings;
use super::tags::{Candidate, Variant};
use super::{Claim, Evidence, Settings, union};
use crate::json::{Value, Writer};

/// A schema made of examples.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Inferred {
    /// A JSON Schema 2020-12.
    pub schema: Value,
    /// What it says, and from how many examples, in the order of the schema.
    pub evidence: Vec<Evidence>,
}

/// A definition is made of what is longer than this and used more than once, in bytes.
const LONG: usize = 160;

impl Observed {
    /// The schema that accepts every value that was seen. What it says beyond their types has evidence: objects are
    /// closed if new keys were not to be expected any more, strings are an enum if each word was seen several times.
    #[must_use]
    pub fn schema(&self, settings: &Settings) -> Inferred {
        self.schema_of(*settings, false)
    }

    /// The schema of arguments, which are one object: providers take no alternatives there.
    #[must_use]
    pub fn arguments_schema(&self, settings: &Settings) -> Inferred {
        self.schema_of(*settings, true)
    }

    fn schema_of(&self, settings: Settings, is_arguments: bool) -> Inferred {
        let settled = self.settled();
        let mut maker = Maker {
            observed: &settled,
            settings,
            total: settled.count(),
            is_arguments,
            evidence: Vec::new(),
            shared: HashSet::new(),
            made: HashMap::new(),
            definitions: Map::new(),
        };
        let mut schema = maker.place(ROOT, Kinds::ALL, "");
        if !maker.definitions.is_empty() {
            schema.insert("$defs".to_owned(), Json::Object(maker.definitions));
        }
        let mut writer = Writer::default();
        writer.raw(&Json::Object(schema).to_string());
        Inferred {
            schema: Value::trusted(writer),
            evidence: maker.evidence,
        }
    }
}

struct Maker<'a> {
    observed: &'a Observed,
    settings: Settings,
    /// How many values were seen.
    total: u64,
    is_arguments: bool,
    evidence: Vec<Evidence>,
    /// Places that several variants of a union have.
    shared: HashSet<PlaceId>,
    /// What was made of those, with these types.
    made: HashMap<(PlaceId, Kinds), Map<String, Json>>,
    definitions: Map<String, Json>,
}

impl<'a> Maker<'a> {
    /// The schema of the values at a place that have some of these types.
    fn place(&mut self, at: PlaceId, among: Kinds, path: &str) -> Map<String, Json> {
        let known = (at, among);
        if let Some(made) = self.made.get(&known) {
            return made.clone();
        }
        let schema = self.new_schema(at, among, path);
        if !self.shared.contains(&at) {
            return schema;
        }
        let schema = match Json::Object(schema.clone()).to_string().len() > LONG {
            true => self.definition(schema, path),
            false => schema,
        };
        self.made.insert(known, schema.clone());
        schema
    }

    fn new_schema(&mut self, at: PlaceId, among: Kinds, path: &str) -> Map<String, Json> {
        let place: &'a Place = &self.observed.places[at];
        let kinds = place.kinds().only(narrowed(among, place.kinds()));
        if place.unseen > 0 || kinds.is_none() || kinds == Kinds::NULL && place.nulls < OFTEN_NULL {
            return Map::new();
        }
        // Whoever writes two types here may as well write a third, and after a few values of one type another.
        let is_sure = self.tells_types(place.count()) && kinds.count() <= 2;
        if !is_sure && !kinds.has(Kinds::OBJECT.and(Kinds::ARRAY)) {
            return Map::new();
        }
        self.say(path, Claim::Types(words(kinds)), place.count());
        let mut rest = kinds;
        let mut parts: Vec<Map<String, Json>> = Vec::new();
        let root = at == ROOT && self.is_arguments;
        if let Some(objects) = place
            .objects
            .as_deref()
            .filter(|_| kinds.has(Kinds::OBJECT) && !root)
        {
            parts.extend(self.variants(objects, path));
        }
        let is_tagged = !parts.is_empty();
        if is_tagged {
            rest = rest.without(Kinds::OBJECT);
        }
        let strings = place
            .strings
            .as_deref()
            .filter(|_| kinds.has(Kinds::STRING));
        let is_apart = !rest.without(Kinds::STRING.and(Kinds::NULL)).is_none() || is_tagged;
        let listed = strings.and_then(Strings::words);
        let listed = listed.map(|list| list.keys().map(|word| &**word).collect::<Vec<&str>>());
        if let (Some(listed), true) = (&listed, is_apart) {
            parts.push(enumeration(listed, false));
            rest = rest.without(Kinds::STRING);
        }
        if let (Some(strings), Some(listed)) = (strings, &listed) {
            self.say(path, Claim::Enum(listed.len()), strings.count);
        }
        match listed.filter(|_| !is_apart) {
            Some(listed) => parts.push(enumeration(&listed, rest.has(Kinds::NULL))),
            None if rest.is_none() => {}
            None => parts.push(self.plain(place, rest, path)),
        }
        let mut schema = match parts.len() {
            1 => parts.remove(0),
            _ => {
                // Whatever has a tag is nothing else.
                let keyword = if is_tagged { "oneOf" } else { "anyOf" };
                let parts = parts.into_iter().map(Json::Object).collect();
                Map::from_iter([(keyword.to_owned(), Json::Array(parts))])
            }
        };
        if self.settings.annotate {
            let examples = place.count();
            let word = if examples == 1 { "example" } else { "examples" };
            schema.insert(
                "$comment".to_owned(),
                json!(format!("from {examples} {word}")),
            );
        }
        schema
    }

    /// The keywords of values of these types, without alternatives.
    fn plain(&mut self, place: &'a Place, kinds: Kinds, path: &str) -> Map<String, Json> {
        let words = words(kinds);
        let mut schema = Map::new();
        schema.insert(
            "type".to_owned(),
            match &words[..] {
                [word] => json!(word),
                words => json!(words),
            },
        );
        if let Some(objects) = place
            .objects
            .as_deref()
            .filter(|_| kinds.has(Kinds::OBJECT))
        {
            self.objects(objects, path, &mut schema);
        }
        if let Some(arrays) = place.arrays.as_ref().filter(|_| kinds.has(Kinds::ARRAY)) {
            self.arrays(arrays, path, &mut schema);
        }
        if let Some(strings) = place
            .strings
            .as_deref()
            .filter(|_| kinds.has(Kinds::STRING))
        {
            if let Some(format) = strings.format() {
                schema.insert("format".to_owned(), json!(format.name()));
                self.say(path, Claim::Format(format.name()), strings.count);
            }
            self.lengths(strings.lengths, "minLength", "maxLength", &mut schema);
        }
        if let Some((least, most)) = place.numbers.range().filter(|_| self.settings.ranges) {
            for (keyword, limit) in [("minimum", least), ("maximum", most)] {
                if let Some(limit) = exact(limit) {
                    schema.insert(keyword.to_owned(), limit);
                }
            }
        }
        schema
    }

    fn arrays(&mut self, arrays: &Arrays, path: &str, schema: &mut Map<String, Json>) {
        if let Some(items) = arrays.items {
            let items = self.place(items, Kinds::ALL, &format!("{path}/*"));
            if !items.is_empty() {
                schema.insert("items".to_owned(), Json::Object(items));
            }
        }
        self.lengths(arrays.lengths, "minItems", "maxItems", schema);
    }

    fn lengths(&self, lengths: Lengths, least: &str, most: &str, schema: &mut Map<String, Json>) {
        if let Some((from, to)) = lengths.get().filter(|_| self.settings.lengths) {
            schema.insert(least.to_owned(), json!(from));
            schema.insert(most.to_owned(), json!(to));
        }
    }

    fn objects(&mut self, objects: &'a Objects, path: &str, schema: &mut Map<String, Json>) {
        let keys = match &objects.members {
            Members::Map(values) => {
                self.say(path, Claim::Map, objects.count);
                if let Some(values) = values {
                    let values = self.place(*values, Kinds::ALL, &format!("{path}/*"));
                    schema.insert("additionalProperties".to_owned(), Json::Object(values));
                }
                return;
            }
            Members::Keys(keys) => keys,
        };
        let mut properties = Map::new();
        for (key, member) in keys {
            let value = self.place(member.place, Kinds::ALL, &below(path, key));
            properties.insert(key.to_string(), Json::Object(value));
        }
        let always = keys
            .iter()
            .filter(|(_, member)| member.count == objects.count);
        let mut required: Vec<String> = always.map(|(key, _)| key.to_string()).collect();
        if !self.is_enough(objects.count) {
            required.clear();
        }
        if !properties.is_empty() {
            schema.insert("properties".to_owned(), Json::Object(properties));
        }
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
            self.say(path, Claim::Required(required), objects.count);
        }
        if self.is_closed(objects.count, keys) {
            schema.insert("additionalProperties".to_owned(), json!(false));
            self.say(path, Claim::Closed, objects.count);
        }
    }

    /// One schema for each word of the tag, if there is one.
    fn variants(&mut self, objects: &'a Objects, path: &str) -> Vec<Map<String, Json>> {
        let Members::Keys(keys) = &objects.members else {
            return Vec::new();
        };
        let names: Vec<&str> = keys.keys().map(|key| &**key).collect();
        let Some(tag) = union::tag(objects, &names) else {
            return Vec::new();
        };
        let name = names.get(tag.key).copied().unwrap_or_default();
        self.say(path, Claim::TaggedUnion(name.to_owned()), objects.count);
        for (number, member) in keys.values().enumerate() {
            let users = tag
                .variants
                .values()
                .filter(|variant| variant.cell(number).count > 0);
            if users.count() > 1 {
                self.shared.insert(member.place);
            }
        }
        let is_closed = self.is_closed(objects.count, keys);
        let all = tag.variants.iter();
        let total = (objects.count, is_closed);
        all.map(|(word, variant)| self.variant(keys, tag, (word, variant), total, path))
            .collect()
    }

    fn variant(
        &mut self,
        keys: &'a IndexMap<Box<str>, Member>,
        tag: &Candidate,
        (word, variant): (&str, &Variant),
        (total, is_closed): (u64, bool),
        path: &str,
    ) -> Map<String, Json> {
        let others = total.saturating_sub(variant.count);
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for (number, (key, member)) in keys.iter().enumerate() {
            let cell = variant.cell(number);
            if cell.count == variant.count && (number == tag.key || self.is_enough(variant.count)) {
                required.push(key.to_string());
            }
            let kinds = match cell.count {
                0 if is_absent(member.count, others, variant.count) => continue,
                few if !self.tells_types(few) => Kinds::ALL,
                _ => cell.kinds,
            };
            let schema = match number == tag.key {
                true => Map::from_iter([("const".to_owned(), json!(word))]),
                false => self.place(member.place, kinds, &below(path, key)),
            };
            properties.insert(key.to_string(), Json::Object(schema));
        }
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Json::Object(properties));
        schema.insert("required".to_owned(), json!(required));
        if is_closed {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        schema
    }

    /// Whether no further keys are to be expected: as many are new in the next object as were seen once so far.
    fn is_closed(&self, objects: u64, keys: &IndexMap<Box<str>, Member>) -> bool {
        let once = keys.values().filter(|member| member.count == 1).count();
        objects >= FEW && self.is_enough(objects) && !self.settings.open && is_rare(once, objects)
    }

    /// Whether so many examples are enough to say what all have. At a place that values rarely have, a few are not.
    fn is_enough(&self, examples: u64) -> bool {
        examples >= ENOUGH.min(self.total)
    }

    /// Whether so many examples tell of which types the others are. The next may well be the first of another type after
    /// fewer, and a contract that refuses it is worse than one that does not say.
    fn tells_types(&self, examples: u64) -> bool {
        examples >= ENOUGH_FOR_TYPES || examples.saturating_mul(10) >= self.total
    }

    fn definition(&mut self, schema: Map<String, Json>, path: &str) -> Map<String, Json> {
        let word: String = path
            .rsplit('/')
            .find(|step| *step != "*")
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let word = if word.is_empty() {
            "value".to_owned()
        } else {
            word
        };
        let numbered = (2..).map(|n| format!("{word}{n}"));
        let mut names = std::iter::once(word.clone()).chain(numbered);
        let name = names
            .find(|name| !self.definitions.contains_key(name))
            .unwrap_or(word);
        let reference = json!(format!("#/$defs/{name}"));
        self.definitions.insert(name, Json::Object(schema));
        Map::from_iter([("$ref".to_owned(), reference)])
    }

    fn say(&mut self, path: &str, claim: Claim, examples: u64) {
        self.evidence.push(Evidence {
            place: path.to_owned(),
            claim,
            examples,
        });
    }
}

/// Nothing but null, fewer times than this, may be a value that was missing.
const OFTEN_NULL: u64 = 20;
/// Examples that say nothing about others, because there are too few.
const FEW: u64 = 3;
/// Of many values, so many have to have a place before it is said what all have there. What is from fewer is weak.
const ENOUGH: u64 = 10;
const ENOUGH_FOR_TYPES: u64 = 20;

/// Whether what was seen once is less than one in three hundred.
fn is_rare(once: usize, examples: u64) -> bool {
    u64::try_from(once).unwrap_or(u64::MAX).saturating_mul(300) <= examples
}

/// Whether a key that so many of the others have would have been seen with as many of a variant, if the variant had it as
/// often.
fn is_absent(seen: u64, others: u64, variant: u64) -> bool {
    const OFTEN: u64 = 10;
    seen.saturating_mul(variant) >= others.saturating_mul(OFTEN)
}

/// All numbers of a place have one type.
fn narrowed(among: Kinds, kinds: Kinds) -> Kinds {
    let numbers = Kinds::INTEGER.and(Kinds::NUMBER);
    match among.has(numbers) {
        true => among.and(kinds.only(numbers)),
        false => among,
    }
}

fn words(kinds: Kinds) -> Vec<&'static str> {
    let all = Kinds::WORDS.into_iter();
    all.filter(|(kind, _)| kinds.has(*kind))
        .map(|(_, word)| word)
        .collect()
}

fn enumeration(listed: &[&str], is_nullable: bool) -> Map<String, Json> {
    let mut list: Vec<Json> = listed.iter().map(|word| json!(word)).collect();
    let mut kind = json!("string");
    if is_nullable {
        list.push(Json::Null);
        kind = json!(["string", "null"]);
    }
    Map::from_iter([
        ("type".to_owned(), kind),
        ("enum".to_owned(), Json::Array(list)),
    ])
}

/// A number whose digits are all kept.
fn exact(text: &str) -> Option<Json> {
    let integer = text.parse::<i64>().map(Json::from);
    integer.ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        let written = Json::from(number);
        let same = Value::from_json(written.to_string()).ok()? == Value::from_json(text).ok()?;
        let is_short = text.len() <= 17;
        (same && is_short).then_some(written)
    })
}

/// The pointer to a key below another.
pub(super) fn below(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}
