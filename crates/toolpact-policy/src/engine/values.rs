//! Arguments as values of Cedar.

use cedar_policy::RestrictedExpression;
use toolpact_core::json::{Kind, Node};

use super::number;
use super::uses::Uses;
use crate::shape::Shape;

/// A value that Cedar cannot hold, at this path.
#[derive(Debug)]
pub(super) struct Unreadable(pub(super) String);

/// The arguments that policies use. What they do not use costs nothing, and may be anything.
pub(super) fn input(
    shape: &Shape,
    args: Node<'_>,
    uses: &Uses,
) -> Result<RestrictedExpression, Unreadable> {
    value(shape, args, &mut vec!["input"], uses)
}

fn value<'a>(
    shape: &'a Shape,
    node: Node<'_>,
    path: &mut Vec<&'a str>,
    uses: &Uses,
) -> Result<RestrictedExpression, Unreadable> {
    let made = match shape {
        Shape::Bool => node.as_bool().map(RestrictedExpression::new_bool),
        Shape::Text => {
            { node.as_str() }.map(|text| RestrictedExpression::new_string(text.into_owned()))
        }
        Shape::Long => { node.as_number() }
            .and_then(|number| number::long(number.text()))
            .map(RestrictedExpression::new_long),
        Shape::Decimal => { node.as_number() }
            .and_then(|number| number::decimal(number.text()))
            .map(RestrictedExpression::new_decimal),
        Shape::Set(items) if node.kind() == Kind::Array => {
            let items = node.items().map(|item| value(items, item, path, uses));
            let items: Result<Vec<_>, _> = items.collect();
            Some(RestrictedExpression::new_set(items?))
        }
        Shape::Record(fields) if node.kind() == Kind::Object => {
            let mut members = Vec::new();
            for (name, field) in fields {
                path.push(name);
                let member = node.get(name).filter(|node| node.kind() != Kind::Null);
                if let Some(member) = member.filter(|_| uses.touches(path)) {
                    members.push((name.clone(), value(&field.shape, member, path, uses)?));
                }
                path.pop();
            }
            RestrictedExpression::new_record(members).ok()
        }
        Shape::Set(_) | Shape::Record(_) => None,
    };
    made.ok_or_else(|| Unreadable(path.join(".")))
}
