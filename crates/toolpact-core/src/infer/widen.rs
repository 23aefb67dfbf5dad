//! Making a contract that exists accept what was seen.

use serde_json::{Map, Value as Json, json};

use super::schema::below;
use super::{Observed, Settings};
use crate::contract::{Contract, Parameters};
use crate::json::{Kind, Node, Value};
use crate::returns::{Level, Returns, StandardError};
use crate::schema::JsonSchema;
use crate::violation::Token;
use crate::{Pointer, Violation};

/// A contract that is widened by what was seen, and by no more than that: a type, a word, a key that is not
/// always there. Everything else of it stays.
///
/// ```
/// use toolpact_core::contract::Contract;
/// use toolpact_core::infer::Widening;
/// use toolpact_core::json::Value;
///
/// let contract = Contract::from_json(r#"{"name": "state", "description": "The state of a job.",
///     "parameters": {"type": "object"}, "text": "It is {{ state }}.",
///     "returns": {"type": "object", "required": ["state", "by"],
///         "properties": {"state": {"enum": ["new", "done"]}, "by": {"type": "string", "format": "email"}}}}"#)?;
/// let mut widening = Widening::new(contract).unwrap();
/// widening.result(Value::from_json(r#"{"state": "failed"}"#)?.root());
/// assert_eq!(
///     widening.contract().to_json(),
///     r#"{"name":"state","description":"The state of a job.","parameters":{"type":"object"},"returns":{"type":"object","required":["state"],"properties":{"state":{"enum":["new","done","failed"]},"by":{"type":"string","format":"email"}}},"text":"It is {{ state }}."}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone)]
pub struct Widening {
    contract: Contract,
    /// How many calls and results it did not accept when they were seen.
    refused: (u64, u64),
    /// How many of these could not be helped.
    hopeless: u64,
}

/// How often a schema is changed for one value, before an alternative is added for the whole.
const ROUNDS: usize = 40;
/// An enum with more words than this is none.
const MOST_WORDS: usize = 64;

impl Widening {
    /// `None` if the contract has numbers that would not be kept exactly.
    #[must_use]
    pub fn new(contract: Contract) -> Option<Self> {
        let text = contract.to_json();
        let kept: Json = serde_json::from_str(&text).ok()?;
        let kept = Value::from_json(kept.to_string()).ok()?;
        (kept == Value::from_json(&text).ok()?).then_some(Self {
            contract,
            refused: (0, 0),
            hopeless: 0,
        })
    }

    /// The contract as it is now.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// How many calls and how many results were not accepted when they were seen.
    #[must_use]
    pub fn refused(&self) -> (u64, u64) {
        self.refused
    }

    /// How many of them it still does not accept: a text is promised, and there is another value.
    #[must_use]
    pub fn hopeless(&self) -> u64 {
        self.hopeless
    }

    /// Accepts these arguments.
    pub fn arguments(&mut self, arguments: Node<'_>) {
        let schema = match self.contract.parameters() {
            Parameters::JsonSchema(schema) => schema.clone(),
            Parameters::Adm(_) => {
                let schema = JsonSchema::from_value(&self.contract.parameters().to_json_schema());
                match schema {
                    Ok(schema) => schema,
                    Err(_) => return,
                }
            }
        };
        if schema.checker().is_valid(arguments.text().as_bytes()) {
            return;
        }
        self.refused.0 += 1;
        let widened = widened(&schema, arguments);
        self.replace(widened.map(|schema| ("parameters", schema)));
    }

    /// Accepts this result. A failure is none.
    pub fn result(&mut self, result: Node<'_>) {
        let promise = self.contract.returns().enforcer(Level::Meaning);
        let is_failure = StandardError::of_failure(result).is_some();
        if is_failure || promise.is_valid(result.text().as_bytes()) {
            return;
        }
        self.refused.1 += 1;
        let widened = match self.contract.returns() {
            Returns::Custom(schema) => widened(schema, result),
            Returns::Standard {
                standard,
                refinement,
            } => {
                let returns = Returns::Standard {
                    standard: *standard,
                    refinement: None,
                };
                let is_of_type = returns
                    .enforcer(Level::Meaning)
                    .is_valid(result.text().as_bytes());
                match refinement.as_ref().filter(|_| is_of_type) {
                    Some(refinement) => widened(refinement, result),
                    None => Some(json!({"anyOf": [{"$ref": standard.uri()}, inferred(result)]})),
                }
            }
            Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => None,
        };
        self.replace(widened.map(|schema| ("returns", schema)));
    }

    fn replace(&mut self, change: Option<(&str, Json)>) {
        let contract = change.and_then(|(field, schema)| self.with(field, schema));
        match contract {
            Some(contract) => self.contract = contract,
            None => self.hopeless += 1,
        }
    }

    /// The contract with another schema in a field, where everything beside the schema stays.
    fn with(&self, field: &str, schema: Json) -> Option<Contract> {
        let mut document: Json = serde_json::from_str(&self.contract.to_json()).ok()?;
        let place = document.as_object_mut()?.get_mut(field)?;
        match place
            .as_object_mut()
            .filter(|object| object.contains_key("schema"))
        {
            Some(object) => drop(object.insert("schema".to_owned(), schema)),
            None => *place = schema,
        }
        Contract::from_json(document.to_string()).ok()
    }
}

/// The schema of one value alone. Other keys are allowed: one example says nothing about them.
fn inferred(value: Node<'_>) -> Json {
    let mut observed = Observed::new();
    observed.add_node(value);
    let schema = observed.schema(&Settings::default().open(true)).schema;
    serde_json::from_str(schema.text()).unwrap_or(Json::Bool(true))
}

/// The schema with the changes that make it accept a value.
fn widened(schema: &JsonSchema, value: Node<'_>) -> Option<Json> {
    let mut root: Json = serde_json::from_str(schema.to_value().text()).ok()?;
    let json = value.text().as_bytes();
    let mut checked = schema.clone();
    for _ in 0..ROUNDS {
        let Err(violations) = checked.checker().check_json(json) else {
            return Some(root);
        };
        let mut next = root.clone();
        // One change may make others needless.
        let is_changed = violations
            .iter()
            .any(|violation| relax(&mut next, violation, value));
        let schema =
            Value::from_json(next.to_string()).and_then(|next| JsonSchema::from_value(&next));
        match schema {
            Ok(schema) if is_changed => (root, checked) = (next, schema),
            // A place that could not be told by its pointer.
            _ => break,
        }
    }
    Some(with_alternative(root, &inferred(value)))
}

/// The schema, or another. Its definitions stay where references find them.
fn with_alternative(mut root: Json, other: &Json) -> Json {
    let mut all = Map::new();
    for keyword in ["$schema", "$id", "$defs", "definitions"] {
        if let Some(kept) = root.as_object_mut().and_then(|root| root.remove(keyword)) {
            all.insert(keyword.to_owned(), kept);
        }
    }
    all.insert("anyOf".to_owned(), json!([root, other]));
    Json::Object(all)
}

/// Changes what a value breaks. `false` if that is not known.
fn relax(root: &mut Json, violation: &Violation, value: Node<'_>) -> bool {
    let Some(pointer) = violation.schema_pointer() else {
        return false;
    };
    let Some(found) = value.at(violation.pointer()) else {
        return false;
    };
    let Some((place, keyword)) = followed(root, pointer) else {
        return false;
    };
    let Some(schema) = root.pointer_mut(&place) else {
        return false;
    };
    let (Some(map), Some(keyword)) = (schema.as_object_mut(), keyword) else {
        // `false`, which accepts nothing.
        *schema = inferred(found);
        return true;
    };
    if !map.contains_key(&keyword) {
        return false;
    }
    if is_container(found) && ["type", "enum", "const"].contains(&&*keyword) {
        // Definitions stay where references find them.
        let old = std::mem::take(schema);
        *schema = with_alternative(old, &inferred(found));
        return true;
    }
    if keyword.ends_with("Properties") && map.get(&keyword) == Some(&Json::Bool(false)) {
        // The violation is at the key.
        let tokens = violation.pointer().tokens();
        return tokens
            .last()
            .is_some_and(|key| add_key(map, step(key), found));
    }
    relax_keyword(map, &keyword, found)
}

fn relax_keyword(map: &mut Map<String, Json>, keyword: &str, found: Node<'_>) -> bool {
    let json: Json = serde_json::from_str(found.text()).unwrap_or_default();
    match keyword {
        "type" => add_type(map, &json),
        "const" => {
            let old = map.remove("const").unwrap_or_default();
            map.insert("enum".to_owned(), json!([old, json]));
        }
        "enum" => {
            let list = map.get_mut("enum").and_then(Json::as_array_mut);
            let is_long = list.is_none_or(|list| {
                list.push(json);
                list.len() > MOST_WORDS
            });
            if is_long {
                map.remove("enum");
            }
        }
        "required" => {
            if let Some(list) = map.get_mut("required").and_then(Json::as_array_mut) {
                list.retain(|key| key.as_str().is_some_and(|key| found.get(key).is_some()));
                if list.is_empty() {
                    map.remove("required");
                }
            }
        }
        "anyOf" | "oneOf" => {
            let Some(Json::Array(mut list)) = map.remove(keyword) else {
                return false;
            };
            list.push(inferred(found));
            map.insert("anyOf".to_owned(), Json::Array(list));
        }
        "minimum" | "exclusiveMinimum" => limit(map, keyword, "minimum", json),
        "maximum" | "exclusiveMaximum" => limit(map, keyword, "maximum", json),
        "minLength" | "maxLength" => {
            let length = found.as_str().map_or(0, |text| text.chars().count());
            map.insert(keyword.to_owned(), json!(length));
        }
        "minItems" | "maxItems" => {
            drop(map.insert(keyword.to_owned(), json!(found.items().count())));
        }
        "minProperties" | "maxProperties" => {
            map.insert(keyword.to_owned(), json!(found.members().count()));
        }
        _ => drop(map.remove(keyword)),
    }
    true
}

fn add_type(map: &mut Map<String, Json>, value: &Json) {
    let word = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let Some(types) = map.get_mut("type") else {
        return;
    };
    let mut words: Vec<Json> = match std::mem::take(types) {
        Json::Array(words) => words,
        one => vec![one],
    };
    if word == "number" {
        words.retain(|known| known != "integer");
    }
    words.push(json!(word));
    *types = match words.len() {
        1 => words.remove(0),
        _ => Json::Array(words),
    };
}

fn add_key(map: &mut Map<String, Json>, key: String, value: Node<'_>) -> bool {
    let known = map.entry("properties").or_insert_with(|| json!({}));
    let Some(known) = known
        .as_object_mut()
        .filter(|known| !known.contains_key(&key))
    else {
        return false;
    };
    known.insert(key, inferred(value));
    true
}

fn limit(map: &mut Map<String, Json>, keyword: &str, inclusive: &str, value: Json) {
    map.remove(keyword);
    map.insert(inclusive.to_owned(), value);
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Array | Kind::Object)
}

/// The place of the schema that has the keyword, with references followed, and the keyword. Where a schema is
/// `false`, its own place, and none.
fn followed(root: &Json, pointer: &Pointer) -> Option<(String, Option<String>)> {
    let steps: Vec<String> = pointer.tokens().into_iter().map(step).collect();
    let (last, before) = steps.split_last()?;
    let (mut place, mut at) = (String::new(), root);
    for step in before {
        if step == "$ref" {
            let target = at.get("$ref")?.as_str()?.strip_prefix('#')?;
            target.clone_into(&mut place);
            at = root.pointer(&place)?;
        } else {
            place = below(&place, step);
            at = root.pointer(&place)?;
        }
    }
    let is_false = at.get(last) == Some(&Json::Bool(false));
    match is_false && !last.ends_with("Properties") {
        true => Some((below(&place, last), None)),
        false => Some((place, Some(last.clone()))),
    }
}

fn step(token: &Token) -> String {
    match token {
        Token::Key(key) => key.to_string(),
        Token::Index(index) => index.to_string(),
    }
}
