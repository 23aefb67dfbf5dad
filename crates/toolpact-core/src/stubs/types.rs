//! The types of values, independent of a language.

use std::collections::HashSet;

use crate::json::Value;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// Anything.
    Any,
    /// No value at all.
    Never,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Literal(Literal),
    List(Box<Type>),
    Tuple(Tuple),
    /// An object whose values all have this type.
    Map(Box<Type>),
    /// A declared type.
    Named(String),
    Union(Vec<Type>),
}

/// One value. Numbers are as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Literal {
    Str(String),
    Int(String),
    Fraction(String),
    Bool(bool),
}

/// An array whose first items have types of their own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Tuple {
    pub(super) items: Vec<Type>,
    /// How many of them are required.
    pub(super) least: usize,
    /// The type of further items, if they are allowed.
    pub(super) rest: Option<Box<Type>>,
}

/// A type with a name.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) about: Option<String>,
    pub(super) what: What,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    Object(Object),
    /// An alias for a type that refers to itself or is long.
    Alias(Type),
}

/// An object with known keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    pub(super) fields: Vec<Field>,
    /// The type of all other keys, if the schema gives one.
    pub(super) rest: Option<Type>,
}

#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) key: String,
    pub(super) what: Type,
    pub(super) required: bool,
    pub(super) about: Option<String>,
    pub(super) default: Option<Value>,
}

impl Type {
    /// Any of these, each once, null last.
    pub(super) fn union(types: impl IntoIterator<Item = Type>) -> Type {
        let mut all = Members::default();
        types.into_iter().for_each(|one| all.add(one));
        all.finish()
    }

    /// The same or null.
    pub(super) fn or_null(self) -> Type {
        Type::union([self, Type::Null])
    }

    /// Whether it accepts null.
    pub(super) fn takes_null(&self) -> bool {
        match self {
            Type::Any | Type::Null => true,
            Type::Union(members) => members.iter().any(Type::takes_null),
            _ => false,
        }
    }

    /// The same, but a map of lists or objects is one of anything.
    pub(super) fn without_collections(self) -> Type {
        match self {
            Type::Map(value) if value.holds_collections() => Type::Map(Box::new(Type::Any)),
            other => other,
        }
    }

    /// Whether some of its values are lists or objects.
    fn holds_collections(&self) -> bool {
        match self {
            Type::List(_) | Type::Tuple(_) | Type::Map(_) | Type::Named(_) => true,
            Type::Union(members) => members.iter().any(Type::holds_collections),
            _ => false,
        }
    }

    /// About how many bytes it takes when written.
    pub(super) fn size(&self) -> usize {
        let inside = match self {
            Type::Literal(Literal::Str(text) | Literal::Int(text) | Literal::Fraction(text))
            | Type::Named(text) => text.len(),
            Type::List(one) | Type::Map(one) => one.size(),
            Type::Tuple(tuple) => {
                let rest = tuple.rest.iter().map(|rest| rest.size()).sum::<usize>();
                tuple.items.iter().map(Type::size).sum::<usize>() + rest
            }
            Type::Union(members) => members.iter().map(Type::size).sum(),
            _ => 0,
        };
        8 + inside
    }

    /// Adds the names of the declared types in it.
    pub(super) fn add_names<'t>(&'t self, names: &mut HashSet<&'t str>) {
        match self {
            Type::Named(name) => drop(names.insert(name)),
            Type::List(one) | Type::Map(one) => one.add_names(names),
            Type::Tuple(tuple) => {
                let all = tuple.items.iter().chain(tuple.rest.as_deref());
                all.for_each(|one| one.add_names(names));
            }
            Type::Union(members) => members.iter().for_each(|one| one.add_names(names)),
            _ => {}
        }
    }
}

/// The members of a union that is being built.
#[derive(Default)]
struct Members {
    list: Vec<Type>,
    seen: HashSet<Type>,
}

impl Members {
    fn add(&mut self, one: Type) {
        match one {
            Type::Union(members) => members.into_iter().for_each(|one| self.add(one)),
            Type::Never => {}
            one if self.seen.insert(one.clone()) => self.list.push(one),
            _ => {}
        }
    }

    fn finish(mut self) -> Type {
        if self.seen.contains(&Type::Any) {
            return Type::Any;
        }
        let [yes, no] = [true, false].map(|one| Type::Literal(Literal::Bool(one)));
        if self.seen.contains(&yes)
            && self.seen.contains(&no)
            && let Some(first) = self.list.iter().position(|one| *one == yes || *one == no)
        {
            let had = !self.seen.insert(Type::Bool);
            self.list.retain(|one| !had || *one != Type::Bool);
            self.list.insert(first, Type::Bool);
        }
        let seen = self.seen;
        self.list.retain(|one| !is_told(one, &seen));
        self.list.sort_by_key(|one| *one == Type::Null);
        match self.list.len() {
            0 => Type::Never,
            1 => self.list.pop().unwrap_or(Type::Never),
            _ => Type::Union(self.list),
        }
    }
}

/// Whether another member includes this one: `"a"` beside any string.
fn is_told(one: &Type, all: &HashSet<Type>) -> bool {
    let Type::Literal(literal) = one else {
        return false;
    };
    match literal {
        Literal::Str(_) => all.contains(&Type::Str),
        Literal::Int(_) => all.contains(&Type::Int) || all.contains(&Type::Float),
        Literal::Fraction(_) => all.contains(&Type::Float),
        Literal::Bool(_) => all.contains(&Type::Bool),
    }
}
