use super::merge::names;
use super::type_names;
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;
use crate::schema::{JsonType, Keyword, is_annotation};

/// For dialects with a single `type`: several types become alternatives.
pub(in crate::dialect) const LIST_TYPES: Step = Step {
    name: "types",
    about: "writes a list of types as alternatives of one type each",
    apply: |tree, log| bottom_up(tree, &mut |map| split(map, log)),
};

/// Some dialects require a type in every schema.
pub(in crate::dialect) const ONE_TYPE: Step = Step {
    name: "type",
    about: "adds the type that the keywords of a schema imply, and `items` to arrays",
    apply: |tree, log| bottom_up(tree, &mut |map| complete(map, log)),
};

/// Keywords without effect are confusing, and some readers refuse them.
pub(in crate::dialect) const NO_EFFECT: Step = Step {
    name: "no-effect",
    about: "removes keywords that have no effect on the schema's type",
    apply: |tree, log| {
        bottom_up(tree, &mut |map| {
            let types = type_names(map);
            let idle =
                |key: &&str| !types.is_empty() && !types.iter().any(|name| is_about(key, name));
            let idle: Vec<String> = map.keys().filter(idle).map(str::to_owned).collect();
            for keyword in idle {
                map.take(&keyword);
                let lost = format!("`{keyword}`, which has no effect on the type");
                log.rewritten(map, &keyword, &lost, "it was left out");
            }
        });
    },
};

/// Upper-case types, as in the enums of ADM and Gemini.
pub(in crate::dialect) const UPPER_CASE: Step = Step {
    name: "upper-case",
    about: "writes type names in upper case",
    apply: |tree, _| {
        bottom_up(tree, &mut |map| {
            if let Some(name) = map.text("type").map(str::to_ascii_uppercase) {
                map.set("type", Tree::string(name));
            }
        });
    },
};

/// A JSON Schema contract that is converted to ADM becomes a different contract.
pub(in crate::dialect) const ADM_WORDS: Step = Step {
    name: "words",
    about: "writes JSON Schema in the words of ADM",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            log.rewritten(
                map,
                "",
                "the words of JSON Schema",
                "written in those of ADM",
            );
        }
    },
};

fn split(map: &mut Map, log: &mut Log) {
    let Some(Tree::Array(_)) = map.get("type") else {
        return;
    };
    let types = map.take("type").unwrap_or(Tree::Null);
    let types: Vec<String> = names(&types).into_iter().map(str::to_owned).collect();
    log.rewritten(map, "type", "a list of types", "written as alternatives");
    if let [one] = &types[..] {
        map.set_first("type", Tree::string(one.as_str()));
        return;
    }
    if map.has("anyOf") {
        // Both are alternatives, and a value must match one of each; `anyOf` is more specific.
        let lost = "a list of types beside `anyOf`";
        log.wider(map, "type", LossKind::Union, lost, "it was left out");
        return;
    }
    // Definitions stay at the root, where references look for them.
    let own = map.take_all(|key| !is_annotation(key) && key != Keyword::Defs.name());
    let alternatives = types.iter().filter_map(|name| alternative(map, name, &own));
    let mut alternatives: Vec<Tree> = alternatives.collect();
    if alternatives.is_empty() {
        let lost = "choices of which none is of the types";
        log.wider(map, "enum", LossKind::Enum, lost, "they were left out");
        let others: Vec<_> = own
            .into_iter()
            .filter(|(k, _)| !matches!(&**k, "enum" | "const"))
            .collect();
        alternatives = types
            .iter()
            .filter_map(|name| alternative(map, name, &others))
            .collect();
    }
    map.set("anyOf", Tree::Array(alternatives));
}

/// The part of a schema that applies to one type.
fn alternative(map: &Map, name: &str, keywords: &[(Box<str>, Tree)]) -> Option<Tree> {
    let mut one = Map::at(map.place());
    one.set("type", Tree::string(name));
    for (keyword, value) in keywords {
        match &**keyword {
            "enum" => {
                let values = value.as_array().unwrap_or_default().iter();
                let values: Vec<Tree> = values.filter(|v| is_of(v, name)).cloned().collect();
                if values.is_empty() {
                    return None;
                }
                if name != "null" {
                    one.set("enum", Tree::Array(values));
                }
            }
            "const" if !is_of(value, name) => return None,
            keyword if is_about(keyword, name) => {
                one.set(keyword, value.clone());
            }
            _ => {}
        }
    }
    Some(Tree::Object(one))
}

/// The types that a keyword applies to; `None` if it applies to all.
fn about(keyword: &str) -> Option<&'static [JsonType]> {
    Keyword::named(keyword)?.about().types()
}

/// Whether a keyword has an effect on values of a type.
fn is_about(keyword: &str, name: &str) -> bool {
    about(keyword).is_none_or(|types| types.iter().any(|one| one.name() == name))
}

/// Whether a value is of a type.
pub(super) fn is_of(value: &Tree, name: &str) -> bool {
    match value {
        Tree::Null => name == "null",
        Tree::Bool(_) => name == "boolean",
        Tree::Number(text) => {
            let number = crate::json::Number::new(text);
            let whole = !matches!(number.whole(), crate::json::Whole::Fraction);
            name == "number" || name == "integer" && whole
        }
        Tree::String(_) => name == "string",
        Tree::Array(_) => name == "array",
        Tree::Object(_) => name == "object",
    }
}

fn complete(map: &mut Map, log: &mut Log) {
    let settled = ["type", "anyOf", "oneOf", "$ref", "const", "enum"];
    if !settled.iter().any(|keyword| map.has(keyword)) {
        let types = map.keys().find_map(about);
        if let Some(name) = types.and_then(|types| types.first()).map(|one| one.name()) {
            let lost = "values of other types, of which the schema says nothing";
            log.narrower(
                map,
                "",
                LossKind::AnyValue,
                lost,
                &format!("the type is {name}"),
            );
            map.set_first("type", Tree::string(name));
        }
    }
    let is_array = map
        .get("type")
        .is_some_and(|types| names(types).contains(&"array"));
    if is_array && !map.has("items") && !map.has("prefixItems") {
        map.set("items", Tree::Object(Map::at(map.place())));
    }
}
