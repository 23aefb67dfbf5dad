//! Types in TypeScript.

use crate::json::Writer;
use crate::stubs::types::{Literal, Tuple, Type};

/// A type in TypeScript.
pub(super) fn hint(what: &Type) -> String {
    write(what, false)
}

/// The same in a type alias, which may refer to itself in an object but not in a `Record`.
pub(super) fn hint_in_alias(what: &Type) -> String {
    write(what, true)
}

fn write(what: &Type, in_alias: bool) -> String {
    match what {
        Type::Any => "unknown".to_owned(),
        Type::Never => "never".to_owned(),
        Type::Str => "string".to_owned(),
        Type::Int | Type::Float => "number".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Literal(Literal::Str(text)) => string(text),
        Type::Literal(Literal::Int(number) | Literal::Fraction(number)) => number.clone(),
        Type::Literal(Literal::Bool(one)) => one.to_string(),
        Type::List(item) => format!("{}[]", inside(item, in_alias)),
        Type::Tuple(tuple) => self::tuple(tuple, in_alias),
        Type::Map(value) if in_alias => format!("{{ [key: string]: {} }}", write(value, true)),
        Type::Map(value) => format!("Record<string, {}>", write(value, false)),
        Type::Named(name) => name.clone(),
        Type::Union(members) => union(members, in_alias),
    }
}

fn union(members: &[Type], in_alias: bool) -> String {
    let mut seen = std::collections::HashSet::new();
    let mut hints: Vec<String> = members.iter().map(|one| write(one, in_alias)).collect();
    hints.retain(|hint| seen.insert(hint.clone()));
    hints.join(" | ")
}

/// `[string, number?, ...boolean[]]`
fn tuple(tuple: &Tuple, in_alias: bool) -> String {
    let items = tuple.items.iter().enumerate();
    let items = items.map(|(i, item)| {
        if i < tuple.least {
            write(item, in_alias)
        } else {
            format!("{}?", inside(item, in_alias))
        }
    });
    let rest = tuple.rest.iter();
    let rest = rest.map(|rest| format!("...{}[]", inside(rest, in_alias)));
    let all: Vec<String> = items.chain(rest).collect();
    format!("[{}]", all.join(", "))
}

/// In parentheses if it is a union.
fn inside(what: &Type, in_alias: bool) -> String {
    let hint = write(what, in_alias);
    match what {
        Type::Union(_) if hint.contains(" | ") => format!("({hint})"),
        _ => hint,
    }
}

/// A string literal: JSON and TypeScript have the same syntax.
pub(super) fn string(text: &str) -> String {
    let mut writer = Writer::default();
    writer.string(text);
    let json = writer.finish();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if crate::text::is_hidden(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}
