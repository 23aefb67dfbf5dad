//! Random schemas with values of them, and how good schemas are that were inferred from such values.
//!
//! The same for the tests of this crate, for `examples/infer_cases.rs` and for the conformance tests, which ask other
//! programs to infer from the same values.

use std::collections::HashMap;

use serde_json::{Value as Json, json};
use toolpact_core::contract::Contract;
use toolpact_core::infer::{Observed, Settings};
use toolpact_core::json::Value;
use toolpact_core::sample::{Random, Sampler};
use toolpact_core::schema::JsonSchema;

use super::make::{self, Choices};

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// How many schemas.
    pub(crate) schemas: usize,
    /// How many values of each are inferred from.
    pub(crate) examples: usize,
    /// How many others are validated, and changed.
    pub(crate) fresh: usize,
}

/// A schema with values.
pub(crate) struct Case {
    /// Where the schema is from.
    pub(crate) family: &'static str,
    pub(crate) schema: Value,
    /// What is inferred from.
    pub(crate) examples: Vec<Value>,
    /// Values that the schema accepts.
    pub(crate) fresh: Vec<Value>,
    /// Such values with one change, that it refuses.
    pub(crate) changed: Vec<String>,
}

/// What an inferred schema says to the values of a case.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) fresh: usize,
    pub(crate) accepted: usize,
    pub(crate) changed: usize,
    pub(crate) refused: usize,
}

impl Score {
    pub(crate) fn add(&mut self, other: Self) {
        self.fresh += other.fresh;
        self.accepted += other.accepted;
        self.changed += other.changed;
        self.refused += other.refused;
    }

    /// In percent.
    pub(crate) fn accepted(self) -> f64 {
        share(self.accepted, self.fresh)
    }

    /// In percent.
    pub(crate) fn refused(self) -> f64 {
        share(self.refused, self.changed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "they are small")]
fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The cases of a seed: half of the schemas are as those of tools, a quarter is ADM, and a quarter has any keywords.
pub(crate) fn cases(seed: u64, sizes: Sizes) -> impl Iterator<Item = Case> {
    let mut random = Random::new(seed);
    let families = [("tools", 0), ("ADM", 1), ("tools", 0), ("any", 2)];
    (0..sizes.schemas).filter_map(move |number| {
        let (family, which) = families[number % families.len()];
        // Some schemas have no values, or refuse nothing that could be changed.
        (0..500).find_map(|_| {
            let schema = match which {
                0 => object(&mut random, 3).to_string(),
                1 => adm(&mut random)?,
                _ => any(&mut random),
            };
            case(family, &schema, &mut random, sizes)
        })
    })
}

/// What we infer from the examples.
pub(crate) fn infer(case: &Case) -> Value {
    let mut observed = Observed::new();
    case.examples.iter().for_each(|value| observed.add(value));
    observed.schema(&Settings::default()).schema
}

/// How good a schema is. The judge is not ours.
pub(crate) fn judge(case: &Case, schema: &Json) -> Score {
    let Some(judge) = validator(schema) else {
        // What is no schema accepts nothing and says nothing.
        return Score {
            fresh: case.fresh.len(),
            changed: case.changed.len(),
            ..Score::default()
        };
    };
    let is_valid =
        |text: &str| serde_json::from_str(text).is_ok_and(|value: Json| judge.is_valid(&value));
    Score {
        fresh: case.fresh.len(),
        accepted: case
            .fresh
            .iter()
            .filter(|value| is_valid(value.text()))
            .count(),
        changed: case.changed.len(),
        refused: case.changed.iter().filter(|text| !is_valid(text)).count(),
    }
}

/// The judge, unless it is no schema.
pub(crate) fn validator(schema: &Json) -> Option<jsonschema::Validator> {
    let mut schema = schema.clone();
    // Some name a dialect that there is not. What they use means the same in all of them.
    if let Some(keywords) = schema.as_object_mut() {
        keywords.remove("$schema");
    }
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(&schema).ok()
}

fn case(family: &'static str, schema: &str, random: &mut Random, sizes: Sizes) -> Option<Case> {
    /// A schema that refuses fewer of all changes says next to nothing.
    const LEAST: usize = 10;
    let schema = Value::from_json(schema).ok()?;
    let sampler = Sampler::of_schema(&JsonSchema::from_value(&schema).ok()?);
    // Most schemas without values have none for the first seeds.
    (0..4).try_for_each(|seed| sampler.nth(seed).map(drop))?;
    let original: Json = serde_json::from_str(schema.text()).ok()?;
    let judge = jsonschema::options()
        .should_validate_formats(true)
        .build(&original)
        .ok()?;
    let mut rarity = Rarity::new(random.number(), &judge);
    let first = random.number() >> 1;
    let mut values = (0..).map(|n| rarity.thinned(sampler.nth(first.wrapping_add(n))?));
    let examples: Vec<Value> = values
        .by_ref()
        .take(sizes.examples)
        .collect::<Option<_>>()?;
    let fresh: Vec<Value> = values.take(sizes.fresh).collect::<Option<_>>()?;
    let mut changed = Vec::new();
    for value in &fresh {
        let json: Json = serde_json::from_str(value.text()).ok()?;
        let attempts = (0..4).map(|_| one_change(&json, random));
        changed.extend(
            attempts
                .flatten()
                .find(|json| !judge.is_valid(json))
                .map(|json| json.to_string()),
        );
    }
    (changed.len() * LEAST >= sizes.fresh).then_some(Case {
        family,
        schema,
        examples,
        fresh,
        changed,
    })
}

/// How often values have their optional keys. Sampled values have all of them about equally often; those of real tools
/// have some nearly always and some once in hundreds of values, and so does each place here.
struct Rarity<'a> {
    seed: u64,
    random: Random,
    judge: &'a jsonschema::Validator,
    /// Whether a key can be left out, by its place.
    optional: HashMap<String, bool>,
}

impl<'a> Rarity<'a> {
    /// Of a thousand values that could have a key, how many keep it.
    const KEPT: [usize; 6] = [1000, 1000, 900, 300, 20, 3];

    fn new(seed: u64, judge: &'a jsonschema::Validator) -> Self {
        Self {
            seed,
            random: Random::new(seed),
            judge,
            optional: HashMap::new(),
        }
    }

    /// The value without some of its optional keys; as it is, if it would not be valid then.
    fn thinned(&mut self, value: Value) -> Option<Value> {
        let mut json: Json = serde_json::from_str(value.text()).ok()?;
        self.thin(&mut json, &mut Vec::new());
        match self.judge.is_valid(&json) {
            true => Value::from_json(json.to_string()).ok(),
            false => Some(value),
        }
    }

    fn thin(&mut self, whole: &mut Json, path: &mut Vec<String>) {
        let pointer: String = path.iter().flat_map(|step| ["/", step]).collect();
        match whole.pointer(&pointer) {
            Some(Json::Array(items)) => {
                for n in 0..items.len() {
                    path.push(n.to_string());
                    self.thin(whole, path);
                    path.pop();
                }
            }
            Some(Json::Object(members)) => {
                for key in members.keys().cloned().collect::<Vec<_>>() {
                    if self.leaves_out(whole, &pointer, path, &key) {
                        members_at(whole, &pointer).map(|members| members.remove(&key));
                        continue;
                    }
                    path.push(escaped(&key));
                    self.thin(whole, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    fn leaves_out(&mut self, whole: &Json, pointer: &str, path: &[String], key: &str) -> bool {
        let is_index = |step: &str| step.bytes().all(|b| b.is_ascii_digit());
        let steps = path
            .iter()
            .map(|step| if is_index(step) { "*" } else { step });
        let place = steps.chain([key]).collect::<Vec<_>>().join("/");
        let kept = Random::of_texts(self.seed, &[&place])
            .pick(&Self::KEPT)
            .copied();
        if self.random.below(1000) < kept.unwrap_or(1000) {
            return false;
        }
        let judge = self.judge;
        *self.optional.entry(place).or_insert_with(|| {
            let mut without = whole.clone();
            members_at(&mut without, pointer).map(|members| members.remove(key));
            judge.is_valid(&without)
        })
    }
}

fn members_at<'v>(
    whole: &'v mut Json,
    pointer: &str,
) -> Option<&'v mut serde_json::Map<String, Json>> {
    whole.pointer_mut(pointer)?.as_object_mut()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The value with one change: a leaf of another type, a key less, a key more, or another text. `None` if it has no
/// place for that.
fn one_change(value: &Json, random: &mut Random) -> Option<Json> {
    let change = random.below(4);
    let wants = |value: &Json| match change {
        0 => !value.is_array() && !value.is_object(),
        1 => value.as_object().is_some_and(|members| !members.is_empty()),
        2 => value.is_object(),
        _ => value.is_string(),
    };
    let mut places = Vec::new();
    find(value, &wants, String::new(), &mut places);
    let place = random.pick(&places)?.clone();
    let mut changed = value.clone();
    let at = changed.pointer_mut(&place)?;
    match (change, &mut *at) {
        (0, Json::String(_)) => *at = random.pick(&[json!(12345), json!(true)])?.clone(),
        (0, Json::Bool(_)) => *at = random.pick(&[json!("text"), json!(7)])?.clone(),
        (0, _) => *at = random.pick(&[json!("text"), json!(false)])?.clone(),
        (1, Json::Object(members)) => {
            let key = members.keys().nth(random.below(members.len()))?.clone();
            members.remove(&key);
        }
        (2, Json::Object(members)) => {
            members.insert(
                "unexpected_key".to_owned(),
                random.pick(&[json!("text"), json!(1)])?.clone(),
            );
        }
        _ => *at = json!("no such word"),
    }
    Some(changed)
}

fn find(value: &Json, wants: &impl Fn(&Json) -> bool, place: String, places: &mut Vec<String>) {
    let inner: Vec<(String, &Json)> = match value {
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(n, item)| (n.to_string(), item))
            .collect(),
        Json::Object(members) => members
            .iter()
            .map(|(key, value)| (escaped(key), value))
            .collect(),
        _ => Vec::new(),
    };
    for (step, inner) in inner {
        find(inner, wants, format!("{place}/{step}"), places);
    }
    if wants(value) {
        places.push(place);
    }
}

fn any(random: &mut Random) -> String {
    let bytes = bytes(random);
    make::schema(&mut Choices(&bytes))
}

fn adm(random: &mut Random) -> Option<String> {
    let bytes = bytes(random);
    let schema = make::adm_object(&mut Choices(&bytes), 3);
    let contract = format!(
        r#"{{"name":"f","description":"Does it.","parameters":{schema},"returns":"opaque"}}"#
    );
    let contract = Contract::from_json(contract).ok()?;
    Some(contract.parameters().to_json_schema().text().to_owned())
}

fn bytes(random: &mut Random) -> Vec<u8> {
    let all = std::iter::repeat_with(|| random.number().to_le_bytes()).take(50);
    all.flatten().collect()
}

const NAMES: [&str; 18] = [
    "id",
    "name",
    "created_at",
    "customer",
    "total",
    "items",
    "note",
    "price",
    "address",
    "city",
    "tags",
    "state",
    "owner",
    "count",
    "parent",
    "url",
    "score",
    "settings",
];
const WORDS: [&str; 12] = [
    "open", "done", "failed", "pending", "EUR", "USD", "small", "large", "read", "write", "north",
    "south",
];
const FORMATS: [&str; 6] = ["date-time", "date", "uuid", "email", "uri", "ipv4"];

/// An object as the results of tools are: a few keys, most of them required.
fn object(random: &mut Random, depth: usize) -> Json {
    let mut schema = json!({"type": "object", "properties": {}, "required": []});
    members(&mut schema, random, depth);
    if random.chance(75) {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn members(schema: &mut Json, random: &mut Random, depth: usize) {
    for _ in 0..=random.below(6) {
        let name = random.pick(&NAMES).copied().unwrap_or_default();
        if schema["properties"].get(name).is_some() {
            continue;
        }
        schema["properties"][name] = value(random, depth);
        if let Some(required) = schema["required"].as_array_mut()
            && random.chance(70)
        {
            required.push(json!(name));
        }
    }
}

fn value(random: &mut Random, depth: usize) -> Json {
    let kinds = if depth == 0 { 10 } else { 17 };
    match random.below(kinds) {
        0 | 1 => json!({"type": "string"}),
        2 | 3 => {
            let from = random.below(WORDS.len() - 6);
            json!({"enum": &WORDS[from..from + 2 + random.below(5)]})
        }
        4 | 5 => json!({"type": "string", "format": random.pick(&FORMATS)}),
        6 => json!({"type": "integer"}),
        7 => json!({"type": random.pick(&["number", "boolean"])}),
        8 => json!({"type": [random.pick(&["string", "integer", "boolean"]), "null"]}),
        9 => json!({"type": ["string", "integer"]}),
        10 | 11 => json!({"type": "array", "items": value(random, depth - 1)}),
        12..=14 => object(random, depth - 1),
        15 => json!({"type": "object", "additionalProperties": value(random, depth - 1)}),
        _ => {
            let tags = WORDS.iter().take(2 + random.below(3));
            let variants = tags.map(|tag| {
                let mut schema = json!({"type": "object", "additionalProperties": false, "required": ["kind"],
                    "properties": {"kind": {"const": tag}}});
                members(&mut schema, random, depth - 1);
                schema
            });
            let variants: Vec<Json> = variants.collect();
            json!({"oneOf": variants})
        }
    }
}
