//! Defaults of parameters.

use crate::json::{Kind, Node, Whole};
use crate::stubs::types::{Declaration, Literal, Type, What};

use super::hint::string;

/// Longer defaults are not shown.
const LONGEST: usize = 120;

/// The default of a parameter as a Python expression, if it has the type of the parameter, which no
/// schema guarantees.
pub(super) fn expression(value: Node<'_>, what: &Type, declared: &[Declaration]) -> Option<String> {
    if !fits(value, what, declared) {
        return None;
    }
    if value.text().len() > LONGEST {
        return Some("...".to_owned());
    }
    Some(written(value))
}

fn written(value: Node<'_>) -> String {
    match value.kind() {
        Kind::Null => "None".to_owned(),
        Kind::Bool if value.as_bool() == Some(true) => "True".to_owned(),
        Kind::Bool => "False".to_owned(),
        Kind::Number => match value.as_number().map(crate::json::Number::whole) {
            Some(Whole::Integer(integer)) => integer.to_string(),
            _ => value.text().to_owned(),
        },
        Kind::String => string(&value.as_str().unwrap_or_default()),
        Kind::Array => {
            let items: Vec<String> = value.items().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Object => {
            let member = |(key, value): (_, Node<'_>)| {
                let key: std::borrow::Cow<'_, str> = key;
                format!("{}: {}", string(&key), written(value))
            };
            let members: Vec<String> = value.members().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn fits(value: Node<'_>, what: &Type, declared: &[Declaration]) -> bool {
    let kind = value.kind();
    let whole = || value.as_number().map(crate::json::Number::whole);
    match what {
        Type::Any => true,
        Type::Never => false,
        Type::Str => kind == Kind::String,
        Type::Int => matches!(whole(), Some(Whole::Integer(_))),
        Type::Float | Type::Literal(Literal::Fraction(_)) => kind == Kind::Number,
        Type::Bool => kind == Kind::Bool,
        Type::Null => kind == Kind::Null,
        Type::Literal(literal) => is(value, literal),
        Type::List(item) => {
            kind == Kind::Array && value.items().all(|one| fits(one, item, declared))
        }
        Type::Tuple(tuple) => {
            let item = Type::union(tuple.items.iter().chain(tuple.rest.as_deref()).cloned());
            kind == Kind::Array && value.items().all(|one| fits(one, &item, declared))
        }
        Type::Map(of) => {
            kind == Kind::Object && value.members().all(|(_, one)| fits(one, of, declared))
        }
        Type::Named(name) => declared
            .iter()
            .find(|declaration| declaration.name == *name)
            .is_some_and(|declaration| fits_declared(value, declaration, declared)),
        Type::Union(members) => members.iter().any(|one| fits(value, one, declared)),
    }
}

fn fits_declared(value: Node<'_>, declaration: &Declaration, declared: &[Declaration]) -> bool {
    let object = match &declaration.what {
        What::Alias(what) => return fits(value, what, declared),
        What::Object(object) => object,
    };
    let known = |(key, value): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let field = object.fields.iter().find(|field| field.key == *key);
        field.is_some_and(|field| fits(value, &field.what, declared))
    };
    let mut required = object.fields.iter().filter(|field| field.required);
    value.kind() == Kind::Object
        && value.members().all(known)
        && required.all(|field| value.get(&field.key).is_some())
}

fn is(value: Node<'_>, literal: &Literal) -> bool {
    match literal {
        Literal::Str(text) => value.as_str().is_some_and(|value| value == *text),
        Literal::Bool(one) => value.as_bool() == Some(*one),
        Literal::Int(number) | Literal::Fraction(number) => match value.as_number() {
            Some(value) => match value.whole() {
                Whole::Integer(integer) => integer.to_string() == *number,
                _ => value.text() == number,
            },
            None => false,
        },
    }
}
