//! What policies use of a call, as values of Cedar.

use std::borrow::Cow;

use cedar_policy::{Context, RestrictedExpression};
use jiff::Timestamp;
use toolpact::session::ClientInfo;
use toolpact_core::json::{Kind, Node};

use super::CallFacts;
use super::number;
use crate::shape::{Field, Shape};

/// A value of Cedar.
#[derive(Debug, Clone)]
pub(super) enum CedarValue<'a> {
    Bool(bool),
    Long(i64),
    /// A `decimal`, in ten-thousandths.
    Decimal(i64),
    Text(Cow<'a, str>),
    /// A `datetime`, in milliseconds since 1970.
    Time(i64),
    /// In the order of the array, which has no meaning.
    Set(Vec<CedarValue<'a>>),
    /// By the places of the fields in the shape. What is not there is `None`.
    Record(Vec<Option<CedarValue<'a>>>),
}

/// A value that Cedar cannot hold, at this path.
#[derive(Debug)]
pub(super) struct Unreadable(Vec<String>);

impl Unreadable {
    fn inside(mut self, name: &str) -> Self {
        self.0.push(name.to_owned());
        self
    }

    pub(super) fn path(mut self) -> String {
        self.0.reverse();
        self.0.join(".")
    }
}

/// The context of a call, as far as `shape` has it. What no policy uses costs nothing, and may be anything.
pub(super) fn read<'a>(shape: &Shape, call: &CallFacts<'a>) -> Result<CedarValue<'a>, Unreadable> {
    let Shape::Record(fields) = shape else {
        return Err(Unreadable(Vec::new()));
    };
    let member = |(name, field): (&String, &Field)| {
        Ok(match name.as_str() {
            "input" => {
                let input = value(&field.shape, call.args.root());
                Some(input.map_err(|unreadable| unreadable.inside("input"))?)
            }
            "session" => Some(CedarValue::Long(
                i64::try_from(call.session).unwrap_or(i64::MAX),
            )),
            "time" => Some(CedarValue::Time(Timestamp::now().as_millisecond())),
            "client" => call.client.map(|info| client(&field.shape, info)),
            _ => None,
        })
    };
    let members: Result<_, _> = fields.iter().map(member).collect();
    members.map(CedarValue::Record)
}

fn client<'a>(shape: &Shape, info: &'a ClientInfo) -> CedarValue<'a> {
    let text = |text: &'a str| CedarValue::Text(Cow::Borrowed(text));
    let Shape::Record(fields) = shape else {
        return CedarValue::Record(Vec::new());
    };
    let members = fields.keys().map(|name| match name.as_str() {
        "name" => Some(text(info.name())),
        "version" => info.version().map(text),
        _ => None,
    });
    CedarValue::Record(members.collect())
}

fn value<'a>(shape: &Shape, node: Node<'a>) -> Result<CedarValue<'a>, Unreadable> {
    let made = match shape {
        Shape::Bool => node.as_bool().map(CedarValue::Bool),
        Shape::Text => node.as_str().map(CedarValue::Text),
        Shape::Long => { node.as_number() }
            .and_then(|number| number::long(number.text()))
            .map(CedarValue::Long),
        Shape::Decimal => { node.as_number() }
            .and_then(|number| number::decimal(number.text()))
            .map(CedarValue::Decimal),
        Shape::Set(items) if node.kind() == Kind::Array => {
            let items: Result<_, _> = node.items().map(|item| value(items, item)).collect();
            Some(CedarValue::Set(items?))
        }
        Shape::Record(fields) if node.kind() == Kind::Object => {
            let member = |(name, field): (&String, &Field)| {
                let member = node.get(name).filter(|node| node.kind() != Kind::Null);
                let member = member.map(|member| value(&field.shape, member));
                member
                    .transpose()
                    .map_err(|unreadable| unreadable.inside(name))
            };
            let members: Result<_, _> = fields.iter().map(member).collect();
            Some(CedarValue::Record(members?))
        }
        Shape::Set(_) | Shape::Record(_) | Shape::Time => None,
    };
    made.ok_or_else(|| Unreadable(Vec::new()))
}

/// The same for Cedar.
pub(super) fn to_cedar(shape: &Shape, context: &CedarValue<'_>) -> Result<Context, String> {
    let (Shape::Record(fields), CedarValue::Record(members)) = (shape, context) else {
        return Ok(Context::empty());
    };
    let pairs = pairs(fields.iter().zip(members));
    Context::from_pairs(pairs?).map_err(|error| error.to_string())
}

fn pairs<'p, 'a: 'p>(
    members: impl Iterator<Item = ((&'p String, &'p Field), &'p Option<CedarValue<'a>>)>,
) -> Result<Vec<(String, RestrictedExpression)>, String> {
    let there = members.filter_map(|(field, value)| Some((field, value.as_ref()?)));
    let pairs =
        there.map(|((name, field), value)| Ok((name.clone(), expression(&field.shape, value)?)));
    pairs.collect()
}

fn expression(shape: &Shape, value: &CedarValue<'_>) -> Result<RestrictedExpression, String> {
    Ok(match value {
        CedarValue::Bool(value) => RestrictedExpression::new_bool(*value),
        CedarValue::Long(value) => RestrictedExpression::new_long(*value),
        CedarValue::Decimal(value) => {
            RestrictedExpression::new_decimal(number::decimal_text(*value))
        }
        CedarValue::Text(text) => RestrictedExpression::new_string(text.clone().into_owned()),
        CedarValue::Time(time) => {
            let time = Timestamp::from_millisecond(*time).map_err(|error| error.to_string())?;
            RestrictedExpression::new_datetime(time.strftime(TIME).to_string())
        }
        CedarValue::Set(values) => {
            let Shape::Set(items) = shape else {
                return Err(NO_SUCH_VALUE.to_owned());
            };
            let values = values.iter().map(|value| expression(items, value));
            RestrictedExpression::new_set(values.collect::<Result<Vec<_>, _>>()?)
        }
        CedarValue::Record(members) => {
            let Shape::Record(fields) = shape else {
                return Err(NO_SUCH_VALUE.to_owned());
            };
            let pairs = pairs(fields.iter().zip(members))?;
            RestrictedExpression::new_record(pairs).map_err(|error| error.to_string())?
        }
    })
}

/// How Cedar writes times.
pub(super) const TIME: &str = "%Y-%m-%dT%H:%M:%S%.3fZ";

/// It does not happen, since values are read by their shapes.
const NO_SUCH_VALUE: &str = "a value is of another shape than it was read by";
