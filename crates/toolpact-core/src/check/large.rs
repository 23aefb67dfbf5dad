//! Integers beyond 64 bits, compared exactly.
//!
//! The `jsonschema` crate reads values as trees of `serde_json`, in which such integers are floats: two that differ
//! in their last digits are equal there, and every large one is a multiple of 2. Values that have one are checked by
//! a second validator, whose keywords about numbers look at the text of the value instead.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

use jsonschema::{ValidationError, ValidationOptions, Validator};
use serde_json::Value as Json;

use super::options::options;
use crate::json::{Kind, Node, NodeId, Number, Value};
use crate::model::describe;
use crate::schema::{Keyword, splice, subschemas};
use crate::text::{list, shorten};

/// The keywords that compare numbers.
const COMPARING: [Keyword; 7] = [
    Keyword::MultipleOf,
    Keyword::Minimum,
    Keyword::Maximum,
    Keyword::ExclusiveMinimum,
    Keyword::ExclusiveMaximum,
    Keyword::Const,
    Keyword::Enum,
];

/// What these keywords are called in the schema of the second validator, where their values are texts.
const PREFIX: &str = "exact:";

/// The fewest characters of an integer that is beyond 64 bits.
const SHORTEST: usize = "9223372036854775808".len();

/// Whether a value has an integer beyond 64 bits in it.
pub(super) fn is_in(value: Node<'_>) -> bool {
    value.numbers().any(|number| is_large(number.text()))
}

/// Whether a schema has an integer that is another one as a float. Of such, the crate computes multiples inexactly.
pub(super) fn is_in_schema(schema: Node<'_>) -> bool {
    schema.numbers().any(|number| is_inexact(number.text()))
}

/// The same of the text of a schema, quickly: true also if a string looks like it.
pub(super) fn may_be_in_schema(json: &[u8]) -> bool {
    let mut runs = json.split(|byte| !byte.is_ascii_digit());
    runs.any(|run| is_inexact(std::str::from_utf8(run).unwrap_or_default()))
}

/// Whether a value has one beyond 64 bits, by its JSON text: true also for integers of 64 bits without a sign, and if a
/// string looks like it.
pub(super) fn may_be_in(json: &[u8]) -> bool {
    let mut runs = json.split(|byte| !byte.is_ascii_digit());
    runs.any(|run| {
        let text = std::str::from_utf8(run).unwrap_or_default();
        run.len() >= SHORTEST && text.parse::<i64>().is_err()
    })
}

fn is_large(text: &str) -> bool {
    text.len() >= SHORTEST
        && is_integer(text)
        && text.parse::<i64>().is_err()
        && text.parse::<u64>().is_err()
}

fn is_inexact(text: &str) -> bool {
    const EXACT: u64 = 1 << 53;
    let is_small = |integer: i64| integer.unsigned_abs() <= EXACT;
    is_integer(text) && !text.parse().is_ok_and(is_small)
}

fn is_integer(text: &str) -> bool {
    let mut bytes = text.bytes();
    !text.is_empty() && bytes.all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// A validator that compares large integers exactly, inside of [`exactly`].
pub(super) fn validator(bundle: &Value, formats: bool) -> Option<Validator> {
    let renamed = subschemas(bundle.root())
        .into_iter()
        .flat_map(Node::entries)
        .filter(|(key, _)| keyword(*key).is_some())
        .flat_map(|(key, value)| {
            let name = format!("\"{PREFIX}{}\"", key.as_str().unwrap_or_default());
            let text = Value::from(value.text()).text().to_owned();
            [(key.span(), name), (value.span(), text)]
        });
    let schema = splice(bundle.root(), renamed.collect());
    let options = COMPARING.into_iter().fold(options(formats), with_keyword);
    options.build(&schema.deserialize().ok()?).ok()
}

fn keyword(key: Node<'_>) -> Option<Keyword> {
    let keyword = Keyword::named(&key.as_str()?)?;
    COMPARING.contains(&keyword).then_some(keyword)
}

fn with_keyword(
    options: ValidationOptions<'static>,
    keyword: Keyword,
) -> ValidationOptions<'static> {
    let name = format!("{PREFIX}{}", keyword.name());
    options.with_keyword(name, move |_, expected, _| {
        let text = expected.as_str().unwrap_or("null");
        Ok(Box::new(Exact::new(keyword, text)))
    })
}

thread_local! {
    static CHECKED: RefCell<Option<Checked>> = const { RefCell::new(None) };
}

/// The value that is checked, and which part of it has which address in the tree.
struct Checked {
    value: Value,
    parts: HashMap<usize, NodeId>,
}

/// Runs a check of `tree`, which was made of `node`, by a [`validator`].
pub(super) fn exactly<T>(node: Node<'_>, tree: &Json, check: impl FnOnce() -> T) -> T {
    let value = node.to_value();
    let parts = parts(value.root(), tree);
    let before = CHECKED.replace(Some(Checked { value, parts }));
    let result = check();
    CHECKED.set(before);
    result
}

fn address(part: &Json) -> usize {
    std::ptr::from_ref(part).addr()
}

fn parts(value: Node<'_>, tree: &Json) -> HashMap<usize, NodeId> {
    let (mut parts, mut todo) = (HashMap::new(), vec![(value, tree)]);
    while let Some((node, tree)) = todo.pop() {
        parts.insert(address(tree), node.id());
        let members = node.members();
        todo.extend(members.filter_map(|(name, child)| Some((child, tree.get(&*name)?))));
        todo.extend(node.items().zip(tree.as_array().into_iter().flatten()));
    }
    parts
}

/// A keyword that compares large integers by their texts.
struct Exact {
    keyword: Keyword,
    expected: Value,
    is_large: bool,
    /// Decides where nothing is large, as everywhere else.
    usual: Option<Validator>,
}

impl Exact {
    fn new(keyword: Keyword, text: &str) -> Self {
        let expected = Value::from_json(text).unwrap_or_else(|_| Value::from(()));
        let schema = serde_json::from_str(&format!(r#"{{"{}":{text}}}"#, keyword.name()));
        let usual = schema
            .ok()
            .and_then(|schema| options(false).build(&schema).ok());
        Self {
            keyword,
            is_large: is_in_schema(expected.root()),
            expected,
            usual,
        }
    }

    fn accepts(&self, part: &Json) -> bool {
        self.ask(part, |this, node| match &this.usual {
            Some(usual) if !this.is_large && !is_in(node) => usual.is_valid(part),
            _ => this.holds(node),
        })
    }

    /// Asks about the part of the value that `part` was made of.
    fn ask<T>(&self, part: &Json, ask: impl FnOnce(&Self, Node<'_>) -> T) -> T {
        CHECKED.with_borrow(|checked| {
            let known = checked.as_ref().and_then(|checked| {
                let id = checked.parts.get(&address(part))?;
                Some(Node::new(&checked.value.0, *id))
            });
            match known {
                Some(node) => ask(self, node),
                // Names of properties are not in the tree.
                None => {
                    let value = Value::from_json(part.to_string());
                    ask(self, value.unwrap_or_else(|_| Value::from(())).root())
                }
            }
        })
    }

    fn holds(&self, node: Node<'_>) -> bool {
        let expected = self.expected.root();
        match self.keyword {
            Keyword::Const => is_equal(node, expected),
            Keyword::Enum => expected.items().any(|one| is_equal(node, one)),
            keyword => match (node.as_number(), expected.as_number()) {
                (Some(number), Some(limit)) => is_within(keyword, number, limit),
                _ => true,
            },
        }
    }

    fn message(&self, node: Node<'_>) -> String {
        let (expected, found) = (self.expected.root(), describe(node));
        let limit = shorten(expected.text());
        match self.keyword {
            Keyword::MultipleOf => format!("expected a multiple of {limit}, found {found}"),
            Keyword::Minimum => format!("expected at least {limit}, found {found}"),
            Keyword::Maximum => format!("expected at most {limit}, found {found}"),
            Keyword::ExclusiveMinimum => format!("expected more than {limit}, found {found}"),
            Keyword::ExclusiveMaximum => format!("expected less than {limit}, found {found}"),
            Keyword::Enum => {
                let all: Vec<&str> = expected.items().map(Node::text).collect();
                format!("expected one of {}, found {found}", list(all.into_iter()))
            }
            _ => format!("expected {limit}, found {found}"),
        }
    }
}

impl<'i> jsonschema::Keyword<'i> for Exact {
    fn validate(&self, part: &'i Json) -> Result<(), ValidationError<'i>> {
        match self.accepts(part) {
            true => Ok(()),
            false => Err(ValidationError::custom(self.ask(part, Self::message))),
        }
    }

    fn is_valid(&self, part: &'i Json) -> bool {
        self.accepts(part)
    }
}

/// The keyword of the schema that a keyword of the second validator stands for.
pub(super) fn stands_for(name: &str) -> Option<Keyword> {
    Keyword::named(name.strip_prefix(PREFIX)?)
}

fn is_within(keyword: Keyword, number: Number<'_>, limit: Number<'_>) -> bool {
    let order = number.compare(limit);
    match keyword {
        Keyword::Minimum => order != Ordering::Less,
        Keyword::Maximum => order != Ordering::Greater,
        Keyword::ExclusiveMinimum => order == Ordering::Greater,
        Keyword::ExclusiveMaximum => order == Ordering::Less,
        _ => number.is_multiple_of(limit),
    }
}

/// Equality as JSON Schema has it, with all digits of numbers.
fn is_equal(a: Node<'_>, b: Node<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Number, Kind::Number) => {
            let numbers = a.as_number().zip(b.as_number());
            numbers.is_some_and(|(a, b)| a.compare(b).is_eq())
        }
        (Kind::Array, Kind::Array) => {
            a.items().count() == b.items().count()
                && a.items().zip(b.items()).all(|(a, b)| is_equal(a, b))
        }
        (Kind::Object, Kind::Object) => {
            a.members().count() == b.members().count() && { a.members() }
                .all(|(name, a)| b.get(&name).is_some_and(|b| is_equal(a, b)))
        }
        (one, other) => one == other && a.to_value() == b.to_value(),
    }
}
