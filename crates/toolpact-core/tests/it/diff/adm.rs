//! Random schemas of ADM, and small changes of them.

use serde_json::{Map, Value, json};
use toolpact_core::sample::Random;

const NAMES: [&str; 5] = ["city", "unit", "days", "tags", "note"];
const WORDS: [&str; 4] = ["C", "F", "K", "none"];
const SCALARS: [&str; 4] = ["STRING", "INTEGER", "NUMBER", "BOOLEAN"];

/// Parameters, and the same after a change or two.
pub(super) fn pair(random: &mut Random) -> (Value, Value) {
    let old = object(random, 2);
    let mut new = old.clone();
    for _ in 0..=random.below(2) {
        change(&mut new, random);
    }
    (old, new)
}

fn schema(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 8 }) {
        4 => json!({"type": "STRING", "enum": words(random)}),
        5 => json!({"type": "ARRAY", "items": schema(random, depth - 1)}),
        6 | 7 => object(random, depth - 1),
        scalar => json!({"type": SCALARS[scalar]}),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    for name in NAMES {
        if random.chance(50) {
            properties.insert(name.to_owned(), schema(random, depth));
        }
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    let required: Vec<String> = { names.into_iter() }
        .filter(|_| random.chance(40))
        .collect();
    json!({"type": "OBJECT", "properties": properties, "required": required})
}

fn words(random: &mut Random) -> Vec<&'static str> {
    let some: Vec<_> = { WORDS.into_iter() }
        .filter(|_| random.chance(60))
        .collect();
    if some.is_empty() {
        vec![WORDS[0]]
    } else {
        some
    }
}

/// Changes one place.
fn change(at: &mut Value, random: &mut Random) {
    if at["type"] == "ARRAY" && random.chance(60) {
        return change(&mut at["items"], random);
    }
    if at["type"] != "OBJECT" {
        *at = schema(random, 1);
        return;
    }
    let properties = at["properties"].as_object_mut().unwrap();
    let names: Vec<String> = properties.keys().cloned().collect();
    let Some(name) = names.get(random.below(names.len().max(1))).cloned() else {
        properties.insert(NAMES[0].to_owned(), schema(random, 1));
        return;
    };
    match random.below(5) {
        0 => {
            properties.remove(&name);
            let required = at["required"].as_array_mut().unwrap();
            required.retain(|one| *one != name);
        }
        1 => {
            let new = NAMES[random.below(NAMES.len())];
            properties.insert(new.to_owned(), schema(random, 1));
        }
        2 => {
            let required = at["required"].as_array_mut().unwrap();
            match required.iter().position(|one| *one == name) {
                Some(place) => drop(required.remove(place)),
                None => required.push(name.into()),
            }
        }
        3 => properties[&name]["description"] = "In other words.".into(),
        _ => change(&mut properties[&name], random),
    }
}
