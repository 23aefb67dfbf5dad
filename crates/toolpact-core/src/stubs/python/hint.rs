//! Types as Python type hints.

use std::collections::{BTreeSet, HashSet};

use crate::stubs::types::{Literal, Type};
use crate::text::is_hidden;

/// Writes hints, and records what they need from `typing`.
#[derive(Default)]
pub(super) struct Hints {
    pub(super) uses: BTreeSet<&'static str>,
    /// Whether they are in a module, where a type has to be declared before it is used.
    pub(super) is_module: bool,
}

impl Hints {
    /// A hint that is part of an expression. In a module, it may name types that come later only in quotes.
    pub(super) fn in_expression(&mut self, what: &Type) -> String {
        let hint = self.of(what);
        let mut names = HashSet::new();
        what.add_names(&mut names);
        // There is no way to write these in quotes that every checker reads.
        let is_plain = !hint.contains(['\'', '\\']);
        match self.is_module && !names.is_empty() && is_plain {
            true => format!("'{hint}'"),
            false => hint,
        }
    }

    pub(super) fn of(&mut self, what: &Type) -> String {
        match what {
            Type::Any => self.typing("Any").to_owned(),
            Type::Never => self.typing("Never").to_owned(),
            Type::Str => "str".to_owned(),
            Type::Float | Type::Literal(Literal::Fraction(_)) => "float".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Null => "None".to_owned(),
            Type::Literal(literal) if is_literal(literal) => self.literals([literal]),
            Type::Int | Type::Literal(_) => "int".to_owned(),
            Type::List(item) => format!("list[{}]", self.of(item)),
            // JSON has arrays only, so a tuple of the schema is a list in a script.
            Type::Tuple(tuple) => {
                let all = tuple.items.iter().chain(tuple.rest.as_deref());
                let item = Type::union(all.cloned());
                format!("list[{}]", self.of(&item))
            }
            Type::Map(value) => format!("dict[str, {}]", self.of(value)),
            Type::Named(name) => name.clone(),
            Type::Union(members) => self.union(members),
        }
    }

    /// Each hint once, and all values in one `Literal`.
    fn union(&mut self, members: &[Type]) -> String {
        let value = |one: &'_ Type| match one {
            Type::Literal(value) if is_literal(value) => Some(value.clone()),
            _ => None,
        };
        let values: Vec<Literal> = members.iter().filter_map(value).collect();
        let beside_object = members.iter().any(|one| matches!(one, Type::Named(_)));
        let mut hints: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        let mut told = false;
        for one in members {
            let hint = match (value(one).is_some(), told) {
                (true, true) => continue,
                (true, false) => {
                    told = true;
                    self.literals(&values)
                }
                (false, _) => match one {
                    // Beside a `TypedDict`, the checker of scripts infers the type of a list or an object
                    // in a dictionary without regard to this hint, and then refuses what fits it.
                    Type::Map(_) if beside_object => self.of(&one.clone().without_collections()),
                    one => self.of(one),
                },
            };
            if seen.insert(hint.clone()) {
                hints.push(hint);
            }
        }
        hints.join(" | ")
    }

    fn literals<'l>(&mut self, values: impl IntoIterator<Item = &'l Literal>) -> String {
        let values = values.into_iter().map(|value| match value {
            Literal::Str(text) => string(text),
            Literal::Int(number) | Literal::Fraction(number) => number.clone(),
            Literal::Bool(true) => "True".to_owned(),
            Literal::Bool(false) => "False".to_owned(),
        });
        let values: Vec<String> = values.collect();
        format!("{}[{}]", self.typing("Literal"), values.join(", "))
    }

    pub(super) fn typing(&mut self, name: &'static str) -> &'static str {
        self.uses.insert(name);
        name
    }
}

/// Whether `Literal` can hold a value: no fractions, and for mypy only integers whose magnitude
/// fits in 64 bits.
fn is_literal(value: &Literal) -> bool {
    match value {
        Literal::Str(_) | Literal::Bool(_) => true,
        Literal::Int(number) => number.parse().is_ok_and(|number: i64| number != i64::MIN),
        Literal::Fraction(_) => false,
    }
}

/// A string literal in Python.
pub(super) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
