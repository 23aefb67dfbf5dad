//! Random schemas, and random values that do or do not keep to them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// An ADM schema.
#[derive(Debug, Clone)]
pub(crate) enum Schema {
    String(Vec<String>),
    Number,
    Integer,
    Boolean,
    Array(Box<Schema>),
    /// Name, schema, and whether it is required.
    Object(Vec<(String, Schema, bool)>),
}

/// A JSON value; numbers are kept as they are spelled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Raw(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Names that trip programs which use objects as maps, JSON Schema words, and text of all sorts.
const NAMES: &[&str] = &[
    "a",
    "b",
    "city",
    "days",
    "",
    " ",
    "é",
    "漢字",
    "😀",
    "toString",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "$ref",
    "$id",
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "a/b",
    "~",
    "\"",
    "\\",
    "\u{0}",
    "\n",
    "\u{2028}",
    "A",
    "*",
];

pub(crate) fn name() -> BoxedStrategy<String> {
    select(NAMES).prop_map(str::to_owned).boxed()
}

/// A schema of at most four levels.
pub(crate) fn schema() -> BoxedStrategy<Schema> {
    let leaf = prop_oneof![
        2 => Just(Schema::String(Vec::new())),
        2 => vec(name(), 1..4).prop_map(|names| Schema::String(distinct(names, |n| n))),
        1 => Just(Schema::Number),
        2 => Just(Schema::Integer),
        1 => Just(Schema::Boolean),
        1 => Just(Schema::Object(Vec::new())),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let property = (name(), inner.clone(), any::<bool>());
        prop_oneof![
            1 => inner.prop_map(|items| Schema::Array(Box::new(items))),
            2 => vec(property, 0..5).prop_map(|list| Schema::Object(distinct(list, |p| &p.0))),
        ]
    })
    .boxed()
}

/// A value that the schema accepts.
pub(crate) fn valid(schema: &Schema) -> BoxedStrategy<Json> {
    match schema {
        Schema::String(values) if values.is_empty() => name().prop_map(Json::String).boxed(),
        Schema::String(values) => select(values.clone()).prop_map(Json::String).boxed(),
        Schema::Number => number().boxed(),
        Schema::Integer => integer().boxed(),
        Schema::Boolean => select(&["true", "false"][..]).prop_map(Json::raw).boxed(),
        Schema::Array(items) => vec(valid(items), 0..4).prop_map(Json::Array).boxed(),
        Schema::Object(list) if list.is_empty() => object(wild()).boxed(),
        Schema::Object(list) => {
            let members: Vec<_> = list
                .iter()
                .map(|(name, schema, required)| {
                    let value = match required {
                        true => valid(schema).prop_map(Some).boxed(),
                        false => proptest::option::of(valid(schema)).boxed(),
                    };
                    (Just(name.clone()), value)
                })
                .collect();
            let present = |(name, value): (String, Option<Json>)| Some((name, value?));
            members
                .prop_shuffle()
                .prop_map(move |list| Json::Object(list.into_iter().filter_map(present).collect()))
                .boxed()
        }
    }
}

/// A valid value with one change somewhere, which often but not always makes it invalid.
pub(crate) fn nearly_valid(schema: &Schema) -> BoxedStrategy<Json> {
    (valid(schema), any::<Index>(), 0..12_u8, wild())
        .prop_map(|(mut value, place, change, other)| {
            let count = value.count();
            value.at(place.index(count), &mut |part| part.change(change, &other));
            value
        })
        .boxed()
}

/// Any value.
pub(crate) fn wild() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![
        select(&["null", "true", "false"][..]).prop_map(Json::raw),
        number(),
        integer(),
        name().prop_map(Json::String),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::Array),
            object(inner)
        ]
    })
    .boxed()
}

fn object(values: BoxedStrategy<Json>) -> BoxedStrategy<Json> {
    vec((name(), values), 0..3)
        .prop_map(|list| Json::Object(distinct(list, |member| &member.0)))
        .boxed()
}

fn number() -> BoxedStrategy<Json> {
    let spelled = [
        "0",
        "-0",
        "1.5",
        "-2.25e-3",
        "1e300",
        "123456789012345678901234",
        "5e-324",
    ];
    prop_oneof![select(spelled.to_vec()).prop_map(Json::raw), integer()].boxed()
}

/// Integers in many spellings, all of them well within what a float can hold: the oracle rounds.
fn integer() -> BoxedStrategy<Json> {
    let any = -1_000_000_000_000_i64..1_000_000_000_000;
    (any, 0..5_u8)
        .prop_map(|(n, spelling)| {
            Json::Raw(match spelling {
                0 => format!("{n}.0"),
                1 => format!("{n}e0"),
                2 if n != 0 => format!("{n}0E-1"),
                _ => n.to_string(),
            })
        })
        .boxed()
}

/// The first of each name.
fn distinct<T>(list: Vec<T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let mut seen = std::collections::HashSet::new();
    list.into_iter()
        .filter(|item| seen.insert(name(item).clone()))
        .collect()
}

impl Schema {
    pub(crate) fn to_json(&self) -> Json {
        let member = |key: &str, value: Json| (key.to_owned(), value);
        let strings = |list: &mut dyn Iterator<Item = &String>| {
            Json::Array(list.map(|s| Json::String(s.clone())).collect())
        };
        let mut members = vec![member("type", Json::String(self.type_name().to_owned()))];
        match self {
            Schema::String(values) if !values.is_empty() => {
                members.push(member("enum", strings(&mut values.iter())));
            }
            Schema::Array(items) => members.push(member("items", items.to_json())),
            Schema::Object(list) if !list.is_empty() => {
                let properties = list.iter().map(|(name, s, _)| (name.clone(), s.to_json()));
                members.push(member("properties", Json::Object(properties.collect())));
                let mut required = list.iter().filter(|p| p.2).map(|p| &p.0);
                members.push(member("required", strings(&mut required)));
            }
            _ => {}
        }
        Json::Object(members)
    }

    fn type_name(&self) -> &'static str {
        match self {
            Schema::String(_) => "STRING",
            Schema::Number => "NUMBER",
            Schema::Integer => "INTEGER",
            Schema::Boolean => "BOOLEAN",
            Schema::Array(_) => "ARRAY",
            Schema::Object(_) => "OBJECT",
        }
    }
}

impl Json {
    pub(crate) fn raw(text: &str) -> Self {
        Json::Raw(text.to_owned())
    }

    pub(crate) fn to_text(&self) -> String {
        match self {
            Json::Raw(text) => text.clone(),
            Json::String(text) => serde_json::to_string(text).unwrap(),
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(Json::to_text).collect();
                format!("[{}]", items.join(","))
            }
            Json::Object(members) => {
                let member = |(key, value): &(String, Json)| {
                    format!(
                        "{}:{}",
                        serde_json::to_string(key).unwrap(),
                        value.to_text()
                    )
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// How many values there are, this one included.
    pub(crate) fn count(&self) -> usize {
        1 + self.children().map(Json::count).sum::<usize>()
    }

    /// Calls `change` with the value of this number, counted from the root.
    pub(crate) fn at(&mut self, mut number: usize, change: &mut dyn FnMut(&mut Json)) {
        if number == 0 {
            return change(self);
        }
        number -= 1;
        let children: Box<dyn Iterator<Item = &mut Json>> = match self {
            Json::Array(items) => Box::new(items.iter_mut()),
            Json::Object(members) => Box::new(members.iter_mut().map(|(_, value)| value)),
            _ => return,
        };
        for child in children {
            let count = child.count();
            if number < count {
                return child.at(number, change);
            }
            number -= count;
        }
    }

    fn children(&self) -> Box<dyn Iterator<Item = &Json> + '_> {
        match self {
            Json::Array(items) => Box::new(items.iter()),
            Json::Object(members) => Box::new(members.iter().map(|(_, value)| value)),
            _ => Box::new(std::iter::empty()),
        }
    }

    fn change(&mut self, change: u8, other: &Json) {
        match (change, &mut *self) {
            (0..4, Json::Object(members)) => drop(members.pop()),
            (4, Json::Object(members)) => {
                // Not one of the names that schemas use.
                members.push(("extra".to_owned(), other.clone()));
            }
            (5, Json::Object(members)) => {
                if let Some((key, _)) = members.first_mut() {
                    key.push('x');
                }
            }
            (0..4, Json::Array(items)) => items.push(other.clone()),
            (0..3, Json::String(text)) => text.push('x'),
            (3, Json::String(text)) => *text = text.to_uppercase(),
            (0, Json::Raw(_)) => *self = Json::raw("0.5"),
            (1, Json::Raw(_)) => *self = Json::raw("1e19"),
            (2, Json::Raw(text)) => *self = Json::String(text.clone()),
            (6, _) => *self = Json::raw("null"),
            (7, _) => *self = Json::Array(vec![self.clone()]),
            (8, _) => *self = Json::Object(Vec::new()),
            _ => *self = other.clone(),
        }
    }
}
