//! What was meant by a key that a config does not have.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use toolpact::core::json::{Document, Node};
use toolpact::core::violation::{Token, Violation, nearest};
use toolpact::core::{Pointer, Violations};

use super::error::is_secret;

/// What is said of a violation in the place of what the schema says, or after it.
pub(super) enum Hint {
    /// It follows from another, which says what to write.
    Implied,
    /// What to write.
    Instead(String),
    /// What was expected, where the schema has alternatives that differ by their keys.
    Expected(String),
}

/// The hints for the violations of a document, by the names that its schema has at each place.
pub(super) struct Hints<'c> {
    schema: &'c Json,
    document: &'c Document,
    /// The keys that are missing where another was written in their place.
    misspelt: BTreeSet<(String, String)>,
}

impl<'c> Hints<'c> {
    pub(super) fn new(schema: &'c Json, document: &'c Document, violations: &Violations) -> Self {
        let mut hints = Self {
            schema,
            document,
            misspelt: BTreeSet::new(),
        };
        let unknown = violations.iter().filter_map(|one| {
            let (parent, _) = split(one.pointer())?;
            Some((parent.to_string(), hints.meant_key(one)?))
        });
        hints.misspelt = unknown.collect();
        hints
    }

    pub(super) fn of(&self, violation: &Violation) -> Option<Hint> {
        match violation.code() {
            "value-unknown-key" => Some(Hint::Instead(self.of_unknown_key(violation))),
            "value-type" => self.of_one_for_a_list(violation).map(Hint::Instead),
            "value-missing-key" => {
                let place = violation.pointer().to_string();
                let mut misspelt = self.misspelt.iter();
                let is_missing = |key: &str| violation.message().contains(&format!("`{key}`"));
                misspelt
                    .any(|(parent, key)| *parent == place && is_missing(key))
                    .then_some(Hint::Implied)
            }
            "value-alternatives" => self.of_alternatives(violation),
            _ => None,
        }
    }

    fn of_unknown_key(&self, violation: &Violation) -> String {
        let key = split(violation.pointer()).map(|(_, key)| key);
        let foreign = FOREIGN.iter().find(|(foreign, needs, _)| {
            let keys = self.keys(violation);
            key.as_deref() == Some(*foreign) && keys.iter().any(|key| key == needs)
        });
        match (foreign, self.meant_key(violation)) {
            (Some((_, _, advice)), _) => (*advice).to_owned(),
            (None, Some(meant)) => format!("did you mean `{meant}`?"),
            (None, None) => format!("there are {}", listed(&self.keys(violation))),
        }
    }

    /// A string where a list of them is expected.
    fn of_one_for_a_list(&self, violation: &Violation) -> Option<String> {
        let schema = self.schema_around(violation.schema_pointer()?)?;
        let is_list = |kind: &Json| kind == "array";
        let kinds = &schema["type"];
        let takes_a_list = is_list(kinds) || kinds.as_array()?.iter().any(is_list);
        let found = at(self.document, violation.pointer())?;
        let text = found.as_str().filter(|_| takes_a_list)?;
        let is_told = !is_secret(&violation.pointer().to_string());
        is_told.then(|| as_list(violation.pointer(), &text))
    }

    /// An object of which each alternative has other keys, or something in the place of one.
    fn of_alternatives(&self, violation: &Violation) -> Option<Hint> {
        let keys = self.keys(violation);
        let found = at(self.document, violation.pointer())?;
        if let Some(text) = found.as_str().filter(|_| !keys.is_empty()) {
            let (_, key) = split(violation.pointer())?;
            return Some(Hint::Expected(match key.as_str() {
                "command" => format!(
                    "expected a list, the program and its arguments; {}",
                    as_list(violation.pointer(), &text)
                ),
                _ => format!("expected an object with {}, found a string", one_of(&keys)),
            }));
        }
        let unknown = found
            .members()
            .map(|(key, _)| key.into_owned())
            .find(|key| !keys.contains(key));
        if keys.is_empty() || found.members().next().is_none() {
            return None;
        }
        let expected = format!("expected {}", one_of(&keys));
        Some(Hint::Expected(match unknown {
            None => format!("{expected}, found several of them"),
            Some(unknown) => match nearest(&unknown, keys.iter().map(String::as_str)) {
                Some(meant) => format!("{expected}, found `{unknown}`; did you mean `{meant}`?"),
                None => format!("{expected}, found `{unknown}`"),
            },
        }))
    }

    /// The key that was meant by one that is not known.
    fn meant_key(&self, violation: &Violation) -> Option<String> {
        if violation.code() != "value-unknown-key" {
            return None;
        }
        let (_, key) = split(violation.pointer())?;
        let keys = self.keys(violation);
        nearest(&key, keys.iter().map(String::as_str)).map(str::to_owned)
    }

    /// The keys that an object may have where a violation is, by the schema that it breaks.
    fn keys(&self, violation: &Violation) -> Vec<String> {
        let schema = violation.schema_pointer();
        let schema = schema.and_then(|pointer| self.schema_around(pointer));
        schema.map_or_else(Vec::new, |schema| self.keys_of(schema))
    }

    fn keys_of(&self, schema: &Json) -> Vec<String> {
        let own = schema["properties"].as_object().into_iter().flatten();
        let mut keys: Vec<String> = own.map(|(key, _)| key.clone()).collect();
        for alternatives in ["oneOf", "anyOf"] {
            for schema in schema[alternatives].as_array().into_iter().flatten() {
                keys.extend(self.keys_of(self.followed(schema)));
            }
        }
        keys
    }

    /// The schema with the keyword that a pointer leads to.
    fn schema_around(&self, pointer: &Pointer) -> Option<&Json> {
        let tokens = pointer.tokens();
        let (_, path) = tokens.split_last()?;
        let mut schema = self.schema;
        for token in path {
            schema = match token {
                Token::Key(key) if &**key == "$ref" => continue,
                Token::Key(key) => schema.get(&**key)?,
                Token::Index(index) => schema.get(*index)?,
            };
            schema = self.followed(schema);
        }
        Some(schema)
    }

    /// What a schema refers to, or itself.
    fn followed<'s>(&'s self, schema: &'s Json) -> &'s Json {
        let target = schema["$ref"].as_str();
        let target = target.and_then(|target| target.strip_prefix('#'));
        target
            .and_then(|target| self.schema.pointer(target))
            .unwrap_or(schema)
    }
}

/// Keys of other configs: the key, one that stands where it was written, and what to write.
const FOREIGN: [(&str, &str, &str); 5] = [
    ("port", "listen", "write `listen: 9000`"),
    ("host", "listen", "write `listen: 127.0.0.1:7878`"),
    (
        "mcpServers",
        "sources",
        "each server is one of the `sources`: `- mcp: { name: …, command: [program, argument] }`",
    ),
    (
        "args",
        "command",
        "arguments follow the program: `command: [program, argument]`",
    ),
    ("run", "command", "write its `command` here"),
];

/// What to write for a string that should be a list; a command line is split where no quotes need a
/// shell to be understood.
fn as_list(pointer: &Pointer, text: &str) -> String {
    let is_command = split(pointer).is_some_and(|(_, key)| key == "command");
    let is_plain = |text: &str| {
        let plain = |c: char| c.is_alphanumeric() || " _-./@+".contains(c);
        !text.trim().is_empty() && text.chars().all(plain)
    };
    match (is_plain(text), is_command) {
        (true, true) => {
            let words: Vec<&str> = text.split_whitespace().collect();
            format!("write `[{}]`", words.join(", "))
        }
        (true, false) => format!("write `[{text}]`"),
        (false, _) => "write a list: `[…]`".to_owned(),
    }
}

/// Where a pointer leads to in a document.
fn at<'d>(document: &'d Document, pointer: &Pointer) -> Option<Node<'d>> {
    let mut node = document.root()?;
    for token in pointer.tokens() {
        node = match token {
            Token::Key(key) => node.get(key)?,
            Token::Index(index) => node.items().nth(*index)?,
        };
    }
    Some(node)
}

/// The object and the key that a pointer leads to.
fn split(pointer: &Pointer) -> Option<(Pointer, String)> {
    let tokens = pointer.tokens();
    let (last, before) = tokens.split_last()?;
    let step = |pointer: Pointer, token: &&Token| match token {
        Token::Key(key) => pointer.key(key),
        Token::Index(index) => pointer.index(*index),
    };
    match last {
        Token::Key(key) => Some((before.iter().fold(Pointer::root(), step), key.to_string())),
        Token::Index(_) => None,
    }
}

/// `` `a`, `b` and `c` ``.
fn listed(keys: &[String]) -> String {
    let words: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match words.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn one_of(keys: &[String]) -> String {
    match keys {
        [one] => format!("`{one}`"),
        _ => format!("one of {}", listed(keys)),
    }
}
