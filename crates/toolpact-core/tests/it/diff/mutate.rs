//! Small changes of JSON Schemas, as people make them.

use serde_json::{Map, Value, json};
use toolpact_core::sample::Random;

/// Changes one place of a schema.
pub(super) fn mutate(schema: &mut Value, random: &mut Random) {
    at_random(schema, random, change);
}

/// Names one more key, in an object that names others if there is one. By far the most frequent change of tools.
pub(super) fn name_a_key(schema: &mut Value, random: &mut Random) {
    let mut objects = 0;
    visit(schema, 0, &mut |one| {
        objects += usize::from(one.contains_key("properties"));
    });
    if objects == 0 {
        return at_random(schema, random, add_property);
    }
    let mut at = random.below(objects);
    visit(schema, 0, &mut |one| {
        if one.contains_key("properties") {
            if at == 0 {
                add_property(one, random);
            }
            at = at.wrapping_sub(1);
        }
    });
}

fn at_random(
    schema: &mut Value,
    random: &mut Random,
    edit: fn(&mut Map<String, Value>, &mut Random),
) {
    let mut count = 0;
    visit(schema, 0, &mut |_| count += 1);
    let mut at = random.below(count);
    visit(schema, 0, &mut |one| {
        if at == 0 {
            edit(one, random);
        }
        at = at.wrapping_sub(1);
    });
}

/// Every subschema that is an object.
fn visit(schema: &mut Value, depth: usize, each: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Some(object) = schema.as_object_mut().filter(|_| depth < 20) else {
        return;
    };
    each(object);
    for (key, value) in object.iter_mut() {
        match key.as_str() {
            "properties" | "patternProperties" | "$defs" | "dependentSchemas" => {
                let members = value.as_object_mut().into_iter().flatten();
                members.for_each(|(_, one)| visit(one, depth + 1, each));
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                let items = value.as_array_mut().into_iter().flatten();
                items.for_each(|one| visit(one, depth + 1, each));
            }
            "items"
            | "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames" => visit(value, depth + 1, each),
            _ => {}
        }
    }
}

const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "object", "array", "null",
];
const LIMITS: [&str; 9] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "maxProperties",
    "multipleOf",
];
const NAMES: [&str; 6] = ["a", "b", "id", "name", "fresh", "kind"];

fn change(schema: &mut Map<String, Value>, random: &mut Random) {
    let name = (*random.pick(&NAMES).unwrap()).to_owned();
    let kind = *random.pick(&TYPES).unwrap();
    match random.below(26) {
        0 => remove_any(schema, random),
        1 => put(schema, "type", json!(kind)),
        2 => add_type(schema, "null"),
        3 => add_type(schema, kind),
        4 | 5 => move_limit(schema, random),
        6 => {
            let limit = *random.pick(&LIMITS).unwrap();
            put(schema, limit, json!(1 + random.below(6)));
        }
        7 => in_list(schema, "enum", |values| {
            values.truncate(values.len().saturating_sub(1).max(1));
        }),
        8 => in_list(schema, "enum", |values| values.push(json!("fresh"))),
        9 => put(schema, "enum", json!(["red", "green", 1, null])),
        10 => in_list(schema, "required", |names| drop(names.pop())),
        11 => require(schema, random),
        12 => add_property(schema, random),
        13 => remove_property(schema, random),
        14 => put(schema, "additionalProperties", json!(random.chance(30))),
        15 => put(schema, "items", json!({"type": kind})),
        16 => put(
            schema,
            "description",
            json!(format!("Something else {}.", random.below(9))),
        ),
        17 => {
            let own = Value::Object(std::mem::take(schema));
            put(schema, "anyOf", json!([own, {"type": kind}]));
        }
        18 => {
            for list in ["anyOf", "oneOf"] {
                in_list(schema, list, |branches| {
                    if branches.len() > 1 {
                        branches.pop();
                    }
                });
            }
        }
        19 => put(
            schema,
            "format",
            json!(["date", "uuid", "email"][random.below(3)]),
        ),
        20 => put(
            schema,
            "pattern",
            json!(["^a", "^[a-z]+$", "^x-"][random.below(3)]),
        ),
        21 => put(schema, "dependentRequired", json!({name: ["a"]})),
        22 => put(schema, "dependentRequired", json!({"a": [name]})),
        23 => put(schema, "enum", json!([{name: 1}, {"a": "red"}, {}, null])),
        24 => put(
            schema,
            "patternProperties",
            json!({["^x-", "^[a-z]+$"][random.below(2)]: {"type": kind}}),
        ),
        _ => put(schema, "default", json!(random.below(9))),
    }
}

fn put(schema: &mut Map<String, Value>, key: &str, value: Value) {
    schema.insert(key.to_owned(), value);
}

/// Definitions stay, because something may refer to them.
fn remove_any(schema: &mut Map<String, Value>, random: &mut Random) {
    let keys: Vec<String> = schema
        .keys()
        .filter(|key| *key != "$defs")
        .cloned()
        .collect();
    if let Some(key) = random.pick(&keys) {
        schema.remove(key);
    }
}

fn add_type(schema: &mut Map<String, Value>, kind: &str) {
    match schema.get_mut("type") {
        Some(Value::String(one)) if one != kind => {
            let both = json!([one, kind]);
            put(schema, "type", both);
        }
        Some(Value::Array(list)) if !list.contains(&json!(kind)) => list.push(json!(kind)),
        _ => {}
    }
}

fn move_limit(schema: &mut Map<String, Value>, random: &mut Random) {
    let present: Vec<&str> = LIMITS
        .into_iter()
        .filter(|key| schema.contains_key(*key))
        .collect();
    let Some(key) = random.pick(&present) else {
        return put(schema, "minLength", json!(random.below(4)));
    };
    let step = if random.chance(50) { 1 } else { -1 };
    if let Some(limit) = schema[*key].as_i64().filter(|limit| *limit > 0) {
        let next = limit
            .saturating_add(step)
            .max(i64::from(*key == "multipleOf"));
        put(schema, key, json!(next));
    }
}

fn in_list(schema: &mut Map<String, Value>, key: &str, edit: impl FnOnce(&mut Vec<Value>)) {
    if let Some(Value::Array(list)) = schema.get_mut(key) {
        edit(list);
    }
}

fn add_property(schema: &mut Map<String, Value>, random: &mut Random) {
    let name = (*random.pick(&NAMES).unwrap()).to_owned();
    let kind = *random.pick(&TYPES).unwrap();
    let named = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(named) = named {
        named.insert(name, json!({"type": kind}));
    }
}

fn require(schema: &mut Map<String, Value>, random: &mut Random) {
    let names: Vec<String> = match schema.get("properties") {
        Some(Value::Object(named)) => named.keys().cloned().collect(),
        _ => vec!["a".to_owned()],
    };
    let required = schema.entry("required").or_insert_with(|| json!([]));
    if let (Value::Array(list), Some(name)) = (required, random.pick(&names))
        && !list.contains(&json!(name))
    {
        list.push(json!(name));
    }
}

fn remove_property(schema: &mut Map<String, Value>, random: &mut Random) {
    if let Some(Value::Object(named)) = schema.get_mut("properties") {
        let names: Vec<String> = named.keys().cloned().collect();
        if let Some(name) = random.pick(&names) {
            named.remove(name);
        }
    }
}
