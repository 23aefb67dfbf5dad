//! The fields of a JSON message, read by hand: a chunk is too large to be checked twice.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Node, Whole};
use crate::text::shorten;

/// Which fields a message has is looked up in the standard types.
const ADVICE: &str = "compare the value with the schema of its standard type";

pub(super) fn object<'a>(node: Node<'a>, what: &str) -> Result<Node<'a>, Error> {
    match node.kind() {
        Kind::Object => Ok(node),
        _ => Err(wrong(what, "an object", node)),
    }
}

pub(super) fn string<'a>(node: Node<'a>, place: &str) -> Result<Cow<'a, str>, Error> {
    node.as_str().ok_or_else(|| wrong(place, "a string", node))
}

pub(super) fn boolean(node: Node<'_>, place: &str) -> Result<bool, Error> {
    node.as_bool()
        .ok_or_else(|| wrong(place, "true or false", node))
}

/// A whole number from `least` to 2^63 - 1.
pub(super) fn integer(node: Node<'_>, place: &str, least: u64) -> Result<u64, Error> {
    let whole = node.as_number().map(crate::json::Number::whole);
    let number = match whole {
        Some(Whole::Integer(number)) => u64::try_from(number).ok(),
        _ => None,
    };
    number.filter(|number| *number >= least).ok_or_else(|| {
        let expected = format!("a whole number from {least} to 2^63 - 1");
        wrong(place, &expected, node)
    })
}

pub(super) fn required<'a>(object: Node<'a>, key: &str, place: &str) -> Result<Node<'a>, Error> {
    object.get(key).ok_or_else(|| {
        let message = format!("expected the required field `{key}`, found none");
        Error::stream(ErrorKind::Shape, place, message, ADVICE)
    })
}

pub(super) fn unknown(key: &str, place: &str) -> Error {
    let message = format!("expected no other fields, found `{}`", shorten(key));
    let advice = "put it into `data`, which may be any JSON";
    Error::stream(ErrorKind::Shape, place, message, advice)
}

fn wrong(place: &str, expected: &str, found: Node<'_>) -> Error {
    let message = format!("expected {expected}, found `{}`", shorten(found.text()));
    Error::stream(ErrorKind::Shape, place, message, ADVICE)
}
