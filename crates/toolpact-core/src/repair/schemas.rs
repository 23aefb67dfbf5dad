//! What schemas require, as far as repair has to know it.
//!
//! Some requirements may be overlooked here (`if`, `not`, dynamic references) without harm:
//! everything that is known must hold anyway.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use regex::Regex;

use crate::json::{Kind, Node, NodeId};
use crate::schema::{JsonType, Keyword, Resolver, keywords, pattern_regex};

use super::budget::Budget;

/// The subschemas that a value at one place must satisfy, all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Ask<'a> {
    pub(super) schemas: Vec<Node<'a>>,
    /// The lists of alternatives that are already decided; the chosen one is among the schemas.
    pub(super) decided: Vec<NodeId>,
}

/// The same, with references resolved.
#[derive(Debug, Default)]
pub(super) struct Asked<'a> {
    pub(super) constraints: Vec<Rc<Constraints<'a>>>,
}

/// What one schema requires by itself.
#[derive(Debug, Default)]
pub(super) struct Constraints<'a> {
    /// One bit for each kind.
    types: Option<u8>,
    /// `enum`, or `const`.
    literals: Option<Vec<Node<'a>>>,
    pub(super) properties: HashMap<Cow<'a, str>, Node<'a>>,
    patterns: Vec<(Option<Regex>, Node<'a>)>,
    additional: Option<Node<'a>>,
    required: HashSet<Cow<'a, str>>,
    prefix: Vec<Node<'a>>,
    items: Option<Node<'a>>,
    /// Schemas for the same value: `$ref` and `allOf`.
    also: Vec<Node<'a>>,
    pub(super) choices: Vec<Choice<'a>>,
}

/// `anyOf` or `oneOf`.
#[derive(Debug, Clone)]
pub(super) struct Choice<'a> {
    pub(super) id: NodeId,
    pub(super) is_exclusive: bool,
    pub(super) alternatives: Vec<Node<'a>>,
}

/// Reads schemas, each once.
pub(super) struct Schemas<'a> {
    resolver: Resolver<'a>,
    known: HashMap<NodeId, Rc<Constraints<'a>>>,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(root: Node<'a>) -> Self {
        Self {
            resolver: Resolver::new(root),
            known: HashMap::new(),
        }
    }

    /// All requirements, each schema once. `None` if the budget is exceeded.
    pub(super) fn asked(&mut self, ask: &Ask<'a>, budget: &mut Budget) -> Option<Asked<'a>> {
        let (mut asked, mut seen) = (Asked::default(), HashSet::new());
        let mut todo = ask.schemas.clone();
        while let Some(schema) = todo.pop() {
            if !seen.insert(schema.id()) {
                continue;
            }
            let constraints = self.constraints(schema, budget)?;
            todo.extend(&constraints.also);
            asked.constraints.push(constraints);
        }
        Some(asked)
    }

    fn constraints(
        &mut self,
        schema: Node<'a>,
        budget: &mut Budget,
    ) -> Option<Rc<Constraints<'a>>> {
        if let Some(known) = self.known.get(&schema.id()) {
            return budget.spend(1).then(|| Rc::clone(known));
        }
        if !budget.spend(schema.text().len()) {
            return None;
        }
        let constraints = Rc::new(Constraints::of(schema, &self.resolver));
        self.known.insert(schema.id(), Rc::clone(&constraints));
        Some(constraints)
    }
}

impl<'a> Asked<'a> {
    /// Whether values of this kind are allowed, though perhaps not this one. A string that is
    /// missing from a list of literals is not: it can only be meant as something else.
    pub(super) fn allows(&self, value: Node<'_>) -> bool {
        self.allows_kind(value.kind())
            && self
                .constraints
                .iter()
                .all(|constraints| constraints.lists(value))
    }

    pub(super) fn allows_kind(&self, kind: Kind) -> bool {
        { self.constraints.iter() }
            .all(|constraints| constraints.types.is_none_or(|types| types & bit(kind) != 0))
    }

    pub(super) fn requires(&self, key: &str) -> bool {
        self.constraints
            .iter()
            .any(|constraints| constraints.required.contains(key))
    }

    /// Whether a schema forbids a key.
    pub(super) fn forbids(&self, key: &str) -> bool {
        { self.constraints.iter() }.any(|constraints| {
            let is_closed = constraints.additional.and_then(Node::as_bool) == Some(false);
            is_closed && !constraints.names(key)
        })
    }

    pub(super) fn of_member(&self, key: &str) -> Ask<'a> {
        self.inner(|constraints, inner| {
            inner.extend(constraints.properties.get(key));
            let patterns = constraints
                .patterns
                .iter()
                .filter(|(regex, _)| matches(regex.as_ref(), key));
            inner.extend(patterns.map(|(_, schema)| schema));
            if !constraints.names(key) {
                inner.extend(constraints.additional);
            }
        })
    }

    pub(super) fn of_element(&self, place: usize) -> Ask<'a> {
        self.inner(|constraints, inner| {
            inner.extend(constraints.prefix.get(place).or(constraints.items.as_ref()));
        })
    }

    fn inner(&self, add: impl Fn(&Constraints<'a>, &mut Vec<Node<'a>>)) -> Ask<'a> {
        let mut ask = Ask::default();
        for constraints in &self.constraints {
            add(constraints, &mut ask.schemas);
        }
        ask
    }
}

impl<'a> Constraints<'a> {
    fn of(schema: Node<'a>, resolver: &Resolver<'a>) -> Self {
        let mut constraints = Self::default();
        if schema.as_bool() == Some(false) {
            constraints.types = Some(0);
        }
        for (keyword, value) in keywords(schema) {
            constraints.keyword(keyword, value);
            if keyword == Keyword::Ref {
                let reference = value.as_str().unwrap_or_default();
                constraints
                    .also
                    .extend(resolver.resolve(schema, &reference));
            }
        }
        constraints
    }

    fn keyword(&mut self, keyword: Keyword, value: Node<'a>) {
        match keyword {
            Keyword::Type => {
                let bits = JsonType::listed(value).map(|one| bit(one.kind()));
                self.types = Some(bits.fold(0, |types, bit| types | bit));
            }
            Keyword::Enum => self.literals = Some(value.items().collect()),
            Keyword::Const => self.literals = Some(vec![value]),
            Keyword::Properties => self.properties = value.members().collect(),
            Keyword::PatternProperties => {
                let patterns = value
                    .members()
                    .map(|(p, schema)| (pattern_regex(&p), schema));
                self.patterns = patterns.collect();
            }
            Keyword::AdditionalProperties => self.additional = Some(value),
            Keyword::Required => self.required = value.items().filter_map(Node::as_str).collect(),
            Keyword::PrefixItems => self.prefix = value.items().collect(),
            Keyword::Items => self.items = Some(value),
            Keyword::AllOf => self.also.extend(value.items()),
            Keyword::AnyOf | Keyword::OneOf => self.choices.push(Choice {
                id: value.id(),
                is_exclusive: keyword == Keyword::OneOf,
                alternatives: value.items().collect(),
            }),
            _ => {}
        }
    }

    /// Whether the schema names a key.
    fn names(&self, key: &str) -> bool {
        self.properties.contains_key(key)
            || self
                .patterns
                .iter()
                .any(|(regex, _)| matches(regex.as_ref(), key))
    }

    fn lists(&self, value: Node<'_>) -> bool {
        let Some(literals) = &self.literals else {
            return true;
        };
        { literals.iter() }.any(|literal| match value.as_str() {
            Some(text) => literal.as_str().is_some_and(|literal| literal == text),
            None => literal.kind() == value.kind(),
        })
    }
}

fn bit(kind: Kind) -> u8 {
    1 << kind as u8
}

/// Patterns of a checked schema compile; one that did not would match everything, so that it makes
/// no key unknown.
fn matches(regex: Option<&Regex>, key: &str) -> bool {
    regex.is_none_or(|regex| regex.is_match(key))
}
