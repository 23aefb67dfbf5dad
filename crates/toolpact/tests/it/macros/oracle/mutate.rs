//! Values that are near to others.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

/// Most values, so that the test ends soon.
const ONCE: usize = 1500;
const TWICE: usize = 500;

/// Those that are one change away, and some that are two changes away.
pub(super) fn near(valid: &[Json]) -> Vec<Json> {
    let mut stock = Stock::default();
    for value in valid {
        stock.learn(value);
    }
    let once: Vec<Json> = valid.iter().flat_map(|value| stock.change(value)).collect();
    let start = share(once.clone(), 40);
    let twice = start.iter().flat_map(|value| stock.change(value)).collect();
    let mut seen = BTreeSet::new();
    let all = [valid.to_vec(), share(once, ONCE), share(twice, TWICE)];
    (all.into_iter().flatten())
        .filter(|value| seen.insert(value.to_string()))
        .collect()
}

/// A part of them that is spread over all.
fn share(values: Vec<Json>, most: usize) -> Vec<Json> {
    let step = values.len().div_ceil(most).max(1);
    values.into_iter().step_by(step).collect()
}

/// What changed values are made of.
#[derive(Default)]
struct Stock {
    keys: BTreeSet<String>,
    /// Values by their text.
    values: Vec<Json>,
}

impl Stock {
    fn learn(&mut self, value: &Json) {
        for odd in [
            json!(null),
            json!(true),
            json!(7),
            json!("?"),
            json!([]),
            json!({}),
        ] {
            self.add(&odd);
        }
        self.keys.insert("unknown".to_owned());
        self.add(value);
        match value {
            Json::Object(members) => {
                for (key, value) in members {
                    self.keys.insert(key.clone());
                    self.learn(value);
                }
            }
            Json::Array(items) => items.iter().for_each(|item| self.learn(item)),
            _ => {}
        }
    }

    /// Small values are enough: they can be wrong in the same ways.
    fn add(&mut self, value: &Json) {
        if value.to_string().len() < 24 && !self.values.contains(value) {
            self.values.push(value.clone());
        }
    }

    /// The value with one change, in each way there is.
    fn change(&self, value: &Json) -> Vec<Json> {
        let mut changed: Vec<Json> = self.values.clone();
        match value {
            Json::Object(members) => self.change_object(members, &mut changed),
            Json::Array(items) => self.change_array(items, &mut changed),
            _ => {}
        }
        changed
    }

    fn change_object(&self, members: &Map<String, Json>, changed: &mut Vec<Json>) {
        for (key, value) in members {
            let mut without = members.clone();
            without.remove(key);
            changed.push(without.into());
            for value in self.change(value) {
                changed.push(with(members, key, value));
            }
        }
        for key in self.keys.iter().filter(|key| !members.contains_key(*key)) {
            for value in &self.values {
                changed.push(with(members, key, value.clone()));
            }
        }
    }

    fn change_array(&self, items: &[Json], changed: &mut Vec<Json>) {
        changed.push(items.iter().skip(1).cloned().collect());
        for (index, item) in items.iter().enumerate() {
            for value in self.change(item) {
                let mut items = items.to_vec();
                items[index] = value;
                changed.push(items.into());
            }
        }
    }
}

fn with(members: &Map<String, Json>, key: &str, value: Json) -> Json {
    let mut members = members.clone();
    members.insert(key.to_owned(), value);
    members.into()
}
