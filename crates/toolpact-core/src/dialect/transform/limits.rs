use std::collections::HashSet;

use crate::dialect::step::Step;
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// The provider refuses the whole request if a tool exceeds them.
pub(in crate::dialect) const OPENAI_LIMITS: Step = Step {
    name: "limits",
    about: "refuses tools that are deeper or larger than the provider allows",
    apply: |tree, log| {
        let depth = depth(tree);
        if depth > DEPTH {
            log.refuse(format!(
                "it is nested {depth} levels deep, and at most {DEPTH} are allowed"
            ));
        }
        let (mut keys, mut choices, mut text) = (0, 0, 0);
        bottom_up(tree, &mut |map| {
            let (k, c, t) = sizes(map);
            keys += k;
            choices += c;
            text += t;
        });
        if keys > KEYS {
            log.refuse(format!(
                "it has {keys} keys, and at most {KEYS} are allowed"
            ));
        }
        if choices > CHOICES {
            log.refuse(format!(
                "it has {choices} choices, and at most {CHOICES} are allowed"
            ));
        }
        if text > TEXT {
            log.refuse(format!(
                "its names and choices have {text} characters, and at most {TEXT} are allowed"
            ));
        }
    },
};

/// A request may have this much in all strict tools together, so a tool that has more can never be sent.
pub(in crate::dialect) const ANTHROPIC_LIMITS: Step = Step {
    name: "limits",
    about: "refuses tools with more optional keys or alternatives than a request may have",
    apply: |tree, log| {
        let (mut optional, mut unions) = (0, 0);
        bottom_up(tree, &mut |map| {
            optional += optional_keys(map);
            unions += usize::from(map.has("anyOf"));
        });
        for (found, most, what) in [
            (optional, OPTIONAL, "optional keys"),
            (unions, UNIONS, "values with alternatives"),
        ] {
            if found > most {
                log.refuse(format!(
                    "it has {found} {what}, and a request may have {most} in its strict tools; \
                     the dialect `anthropic` has no such limit"
                ));
            }
        }
    },
};

const OPTIONAL: usize = 24;
const UNIONS: usize = 16;

fn optional_keys(map: &Map) -> usize {
    let required = map.array("required").unwrap_or_default().iter();
    let required: HashSet<&str> = required.filter_map(Tree::as_str).collect();
    let keys = map.map("properties").into_iter().flat_map(Map::keys);
    keys.filter(|key| !required.contains(key)).count()
}

const DEPTH: usize = 10;
const KEYS: usize = 5_000;
const CHOICES: usize = 1_000;
const TEXT: usize = 120_000;

/// The nesting depth of objects and arrays.
fn depth(tree: &Tree) -> usize {
    let Tree::Object(map) = tree else { return 0 };
    let own = usize::from(map.has("properties") || map.has("items"));
    let named = ["properties", "$defs"]
        .into_iter()
        .filter_map(|key| map.map(key));
    let named = named.flat_map(Map::iter).map(|(_, schema)| schema);
    let listed = map.array("anyOf").unwrap_or_default().iter();
    let inner = named.chain(listed).chain(map.get("items")).map(depth);
    own + inner.max().unwrap_or(0)
}

/// The number of keys, choices and characters of one schema.
fn sizes(map: &Map) -> (usize, usize, usize) {
    let keys = map.map("properties");
    let values = map.array("enum").unwrap_or_default();
    let names = ["properties", "$defs"]
        .into_iter()
        .filter_map(|key| map.map(key));
    let names = names.flat_map(Map::keys).map(|name| name.chars().count());
    let choices = values
        .iter()
        .chain(map.get("const"))
        .filter_map(Tree::as_str);
    let text = names.sum::<usize>() + choices.map(|c| c.chars().count()).sum::<usize>();
    (keys.map_or(0, Map::len), values.len(), text)
}
