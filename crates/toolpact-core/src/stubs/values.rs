//! Values that are named one by one: `const` and `enum`.

use crate::docs::words;
use crate::json::{Kind, Node, Whole};

use super::build::Builder;
use super::names::pascal;
use super::place::Place;
use super::types::{Field, Literal, Object, Tuple, Type};

/// The values that are allowed, if they are named.
pub(super) fn of<'v>(place: &Place<'v>) -> Option<Vec<Node<'v>>> {
    let view = &place.view;
    let consts = view.all("const").map(|part| vec![part.node]);
    let enums = view.all("enum").map(|part| part.node.items().collect());
    let mut lists: Vec<Vec<Node<'v>>> = consts.chain(enums).collect();
    if lists.is_empty() {
        return None;
    }
    let mut values = lists.remove(0);
    let written = |list: &Vec<Node<'v>>| {
        let texts = list.iter().map(|value| value.to_value().to_canonical());
        texts.collect::<std::collections::HashSet<String>>()
    };
    let others: Vec<_> = lists.iter().map(written).collect();
    values.retain(|value| {
        let text = || value.to_value().to_canonical();
        others.iter().all(|other| other.contains(&text()))
    });
    if view.get("type").is_some() {
        let types = words::types(view);
        values.retain(|value| is_one_of(*value, &types));
    }
    Some(values)
}

fn is_one_of(value: Node<'_>, types: &[&str]) -> bool {
    let word = match value.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
        Kind::Number => {
            let whole = value.as_number().map(crate::json::Number::whole);
            let is_integer = whole != Some(Whole::Fraction);
            return types.contains(&"number") || is_integer && types.contains(&"integer");
        }
    };
    types.contains(&word)
}

impl<'v> Builder<'_, 'v> {
    /// The type that only this value has.
    pub(super) fn value(&mut self, value: Node<'v>, name: &str) -> Type {
        if !self.spend(8) {
            return Type::Any;
        }
        match value.kind() {
            Kind::Null => Type::Null,
            Kind::Bool => Type::Literal(Literal::Bool(value.as_bool() == Some(true))),
            Kind::String => {
                let text = value.as_str().unwrap_or_default();
                Type::Literal(Literal::Str(text.into_owned()))
            }
            Kind::Number => Type::Literal(number(value)),
            Kind::Array => {
                let name = format!("{name}Item");
                let items = value.items().map(|item| self.value(item, &name));
                let items: Vec<Type> = items.collect();
                Type::Tuple(Tuple {
                    least: items.len(),
                    items,
                    rest: None,
                })
            }
            Kind::Object => self.object_value(value, name),
        }
    }

    fn object_value(&mut self, value: Node<'v>, name: &str) -> Type {
        if value.members().next().is_none() {
            return Type::Map(Box::new(Type::Any));
        }
        let name = self.new_name(name);
        let fields = value.members().map(|(key, value)| Field {
            what: self.value(value, &format!("{name}{}", pascal(&key))),
            key: key.into_owned(),
            required: true,
            about: None,
            default: None,
        });
        let fields = fields.collect();
        self.declare(None, name, Object { fields, rest: None })
    }
}

/// As an integer where it is one, so that `1.0` and `1` are the same.
fn number(value: Node<'_>) -> Literal {
    let text = value.text();
    let whole = value.as_number().map(crate::json::Number::whole);
    match whole {
        Some(Whole::Integer(integer)) => Literal::Int(integer.to_string()),
        Some(Whole::TooLarge)
            if text
                .trim_start_matches('-')
                .bytes()
                .all(|b| b.is_ascii_digit()) =>
        {
            Literal::Int(text.to_owned())
        }
        _ => Literal::Fraction(text.to_owned()),
    }
}
