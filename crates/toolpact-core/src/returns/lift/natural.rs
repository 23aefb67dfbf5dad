//! What the output of a tool looks like that knows nothing of return types: one row for each type.

use crate::json::{Kind, Node, Value};
use crate::violation::{Pointer, Token};

use super::assemble::Move;
use super::{Lifted, StandardType};

/// The natural form of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Natural {
    /// The object under the key of the payload.
    Object,
    /// The list under `data`, alone or in an object with nothing but fields of `pagination` beside it.
    List,
    /// The string, the number or the boolean itself.
    Scalar,
    /// One word.
    Word,
    /// No output, or null.
    Nothing,
    /// The type itself: it has no envelope that could be missing.
    Itself,
}

fn natural(standard: StandardType) -> Natural {
    match standard {
        StandardType::ObjectResult | StandardType::FileResult | StandardType::MediaResult => {
            Natural::Object
        }
        StandardType::ListResult => Natural::List,
        StandardType::StringValue | StandardType::NumberValue | StandardType::BooleanValue => {
            Natural::Scalar
        }
        StandardType::IdentifierValue => Natural::Word,
        StandardType::VoidResult => Natural::Nothing,
        StandardType::EntityResult
        | StandardType::OperationStatus
        | StandardType::BatchResult
        | StandardType::EventStream
        | StandardType::ChunkedData => Natural::Itself,
    }
}

impl StandardType {
    /// What output is lifted into this type by default, in words; `None` if it has no other form.
    #[must_use]
    pub fn natural_form(self) -> Option<&'static str> {
        Some(match natural(self) {
            Natural::Object => match self {
                StandardType::FileResult => "the object of the file",
                StandardType::MediaResult => "the object of the media",
                _ => "an object",
            },
            Natural::List => "a list of objects",
            Natural::Scalar => match self {
                StandardType::StringValue => "text",
                StandardType::NumberValue => "a number",
                _ => "true or false",
            },
            Natural::Word => "the identifier",
            Natural::Nothing => "no output",
            Natural::Itself => return None,
        })
    }

    /// Whether its schema describes the value at this path. Below an object that may have any keys,
    /// everything is described.
    pub(crate) fn has_property(self, path: &[&str]) -> bool {
        let schema = self.schema().to_value();
        objects(schema.root()).any(|object| {
            let mut object = object;
            path.iter().all(|key| match object.get("properties") {
                Some(properties) => {
                    let found = properties.get(key);
                    object = found.unwrap_or(object);
                    found.is_some()
                }
                None => true,
            })
        })
    }

    /// The keys that its schema describes.
    pub(crate) fn properties(self) -> Vec<String> {
        let schema = self.schema().to_value();
        let objects = objects(schema.root());
        let all = objects.filter_map(|object| object.get("properties"));
        let keys = all.flat_map(Node::members).map(|(key, _)| key.into_owned());
        keys.collect()
    }
}

/// The schemas of objects among the alternatives of a standard type.
fn objects(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let alternatives = root.get("oneOf").into_iter().flat_map(Node::items);
    let all = std::iter::once(root).chain(alternatives);
    all.filter(|schema| schema.get("properties").is_some())
}

/// Text as a result of this type, if that is one of its forms.
pub(super) fn of_text(standard: StandardType, text: &str) -> Option<Lifted> {
    match natural(standard) {
        Natural::Nothing if text.trim().is_empty() => of_json(standard, Value::from(()).root()),
        Natural::Word if text.split_whitespace().count() == 1 => {
            of_json(standard, Value::from(text.trim()).root())
        }
        Natural::Scalar if standard == StandardType::StringValue => {
            Some(Lifted::as_it_is(Value::from(text)))
        }
        Natural::Scalar => {
            let value = Value::from_json(text.trim()).ok()?;
            let kind = match standard {
                StandardType::NumberValue => Kind::Number,
                _ => Kind::Bool,
            };
            (value.kind() == kind).then(|| Lifted::as_it_is(value))
        }
        _ => None,
    }
}

/// The value in the envelope of this type, if there is exactly one way to put it there. An object
/// with `success` or `error` has an envelope, right or wrong.
pub(super) fn of_json(standard: StandardType, output: Node<'_>) -> Option<Lifted> {
    let has = |key: &str| output.get(key).is_some();
    if has("success") || has("error") {
        return None;
    }
    let payload = standard.envelope().payload();
    let whole = || Some(vec![Move::new([payload?], Pointer::root())]);
    let moves = match (natural(standard), output.kind()) {
        // With the key of the payload, it may be the payload or its envelope.
        (Natural::Object, Kind::Object) if !has(payload?) => whole(),
        (Natural::List, Kind::Array) | (Natural::Word, Kind::String) => whole(),
        (Natural::List, Kind::Object) => page(output),
        (Natural::Scalar | Natural::Word, Kind::Object) if has(payload?) => {
            fields(standard, output)
        }
        (Natural::Nothing, Kind::Null) => Some(Vec::new()),
        _ => None,
    };
    Some(Lifted::of(Some(standard), output, moves?))
}

/// An object with one list, and nothing beside it but what `pagination` has: all of it has a place.
fn page(output: Node<'_>) -> Option<Vec<Move>> {
    let mut lists = output
        .members()
        .filter(|(_, value)| value.kind() == Kind::Array);
    let (list, _) = lists.next()?;
    if lists.next().is_some() {
        return None;
    }
    let others = output.members().filter(|(key, _)| *key != list);
    let others = others.map(|(key, value)| {
        let is_whole = key == "pagination" && value.kind() == Kind::Object;
        let is_field = StandardType::ListResult.has_property(&["pagination", &key]);
        let to: Vec<&str> = match is_field {
            true => vec!["pagination", &key],
            false => vec![&key],
        };
        (is_whole || is_field).then(|| Move::new(to, Pointer::root().key(&key)))
    });
    let others: Option<Vec<Move>> = others.collect();
    let mut moves = vec![Move::new(["data"], Pointer::root().key(&list))];
    moves.extend(others?);
    // A field beside the whole would be in two places.
    let is_twice = moves.len() > 2 && output.get("pagination").is_some();
    (!is_twice).then_some(moves)
}

/// The envelope without `success`, with no other keys than the type has.
fn fields(standard: StandardType, output: Node<'_>) -> Option<Vec<Move>> {
    let moves = output.members().map(|(key, _)| {
        let known = standard.has_property(&[&key]);
        known.then(|| Move::new([&*key], Pointer::root().key(&key)))
    });
    moves.collect()
}

impl Move {
    /// The place in the output of a place in the result.
    pub(super) fn origin(&self, place: &Pointer) -> Option<Pointer> {
        let tokens = place.tokens();
        let is_inside = tokens.len() >= self.to.len()
            && std::iter::zip(&tokens, &self.to)
                .all(|(token, key)| matches!(token, Token::Key(found) if found == key));
        is_inside.then(|| place.moved(self.to.len(), &self.from))
    }
}
