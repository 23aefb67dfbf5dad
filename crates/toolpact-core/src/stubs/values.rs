//! Values that are listed: `const` and `enum`.

use crate::json::{Kind, Node, Whole};

use super::build::Builder;
use super::names::pascal;
use super::types::{Field, Literal, Object, Tuple, Type};

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
