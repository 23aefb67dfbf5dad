//! The members of objects: which schemas apply to a key.

use std::collections::HashMap;
use std::rc::Rc;

use regex::Regex;

use crate::json::Node;
use crate::schema::view::{Part, View};
use crate::schema::{Keyword, pattern_regex};

use super::{Left, Prover};

/// The schemas for members by their names.
pub(super) type Named<'v> = HashMap<String, Part<'v>>;

impl Left<'_> {
    /// The most members that an object can have.
    pub(super) fn most_members(&self) -> usize {
        let closed = self.view.parts().iter().filter_map(|part| {
            let others = part.get(Keyword::AdditionalProperties)?;
            let is_closed = others.node.as_bool() == Some(false)
                && part.get(Keyword::PatternProperties).is_none();
            let named = part.get(Keyword::Properties);
            is_closed.then(|| named.map_or(0, |named| named.node.members().count()))
        });
        let counted = self.counts(Keyword::MaxProperties);
        counted.chain(closed).min().unwrap_or(usize::MAX)
    }
}

impl<'v> Prover<'v> {
    /// What is known of the member of this name.
    pub(super) fn member(&mut self, left: &Left<'v>, name: &str) -> View<'v> {
        let mut schemas = Vec::new();
        for part in left.view.parts() {
            self.member_of(*part, name, &mut schemas);
        }
        self.sources.view(schemas)
    }

    fn member_of(&mut self, part: Part<'v>, name: &str, schemas: &mut Vec<Part<'v>>) {
        let before = schemas.len();
        schemas.extend(self.named(part).get(name));
        let mut is_known = true;
        for (pattern, schema) in patterns(part) {
            match self.pattern(&pattern) {
                Some(regex) if regex.is_match(name) => schemas.push(schema),
                Some(_) => {}
                None => is_known = false,
            }
        }
        if is_known && schemas.len() == before {
            schemas.extend(part.get(Keyword::AdditionalProperties));
        }
    }

    /// Whether a part names a key, or has a pattern for it; `None` if that is not known.
    pub(super) fn has_schema_for(&mut self, part: Part<'v>, name: &str) -> Option<bool> {
        if self.named(part).contains_key(name) {
            return Some(true);
        }
        for (pattern, _) in patterns(part) {
            if self.pattern(&pattern)?.is_match(name) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the schemas describe an object, and neither name a key nor say anything of keys that they do
    /// not name. Such a key is no part of what is described: another version may come to name it.
    pub(super) fn is_unheard_of(&mut self, left: &Left<'v>, name: &str) -> bool {
        let describes = |part: &Part<'v>| {
            let is_object = |list: Part<'v>| list.node().as_str().as_deref() == Some("object");
            part.get(Keyword::Properties).is_some()
                || part.get(Keyword::Type).is_some_and(is_object)
        };
        if self.is_literal || !left.is_decided() || !left.view.parts().iter().any(describes) {
            return false;
        }
        // The other alternatives may have heard of it.
        let all = self.with_alternatives(&left.view);
        self.spend(all.len()) && { all.into_iter() }
            .all(|part| !mentions(part, name) && self.has_schema_for(part, name) == Some(false))
    }

    /// The schemas, with those of all alternatives, and of theirs.
    fn with_alternatives(&self, view: &View<'v>) -> Vec<Part<'v>> {
        let mut all = view.clone();
        loop {
            let branches = all.choices().into_iter().flat_map(Part::items);
            let more = self
                .sources
                .view(all.parts().iter().copied().chain(branches));
            if more.parts().len() == all.parts().len() {
                return all.parts().to_vec();
            }
            all = more;
        }
    }

    /// What is known of a member whose name is not named, and that matches none of these patterns.
    pub(super) fn other_member(&self, left: &Left<'v>, unmatched: &[String]) -> View<'v> {
        let schemas = left.view.parts().iter().filter_map(|part| {
            let others = part.get(Keyword::AdditionalProperties)?;
            let mut patterns = patterns(*part).into_iter();
            patterns
                .all(|(pattern, _)| unmatched.contains(&pattern))
                .then_some(others)
        });
        self.sources.view(schemas)
    }

    /// What is known of a member whose name is not named, and that matches a pattern.
    pub(super) fn matching_member(&self, left: &Left<'v>, pattern: &str) -> View<'v> {
        let mut schemas = Vec::new();
        for part in left.view.parts() {
            let patterns = patterns(*part);
            match patterns.iter().find(|(one, _)| one == pattern) {
                Some((_, schema)) => schemas.push(*schema),
                None if patterns.is_empty() => {
                    schemas.extend(part.get(Keyword::AdditionalProperties));
                }
                None => {}
            }
        }
        self.sources.view(schemas)
    }

    pub(super) fn named(&mut self, part: Part<'v>) -> Rc<Named<'v>> {
        let named = self.named.entry(part.id()).or_insert_with(|| {
            let list = part.get(Keyword::Properties);
            let members = list.into_iter().flat_map(|list| {
                let members = list.node.members();
                members.map(move |(name, node)| (name.into_owned(), list.beside(node)))
            });
            Rc::new(members.collect())
        });
        Rc::clone(named)
    }

    pub(super) fn pattern(&mut self, pattern: &str) -> Option<Rc<Regex>> {
        if let Some(known) = self.patterns.get(pattern) {
            return known.clone();
        }
        let work = 10 + pattern.len();
        let regex = self
            .spend(work)
            .then(|| pattern_regex(pattern))
            .flatten()
            .map(Rc::new);
        self.patterns.insert(pattern.to_owned(), regex.clone());
        regex
    }
}

/// Whether a part says something of a key, or of all keys, without a schema for it under its name: the key is
/// required, brings others with it or comes with them, or is in a listed value.
pub(in crate::diff) fn mentions(part: Part<'_>, name: &str) -> bool {
    const SAYS: [Keyword; 7] = [
        Keyword::AdditionalProperties,
        Keyword::UnevaluatedProperties,
        Keyword::PropertyNames,
        Keyword::DependentSchemas,
        Keyword::Dependencies,
        Keyword::If,
        Keyword::Not,
    ];
    let lists = |names: Node<'_>| {
        let mut names = names.items().filter_map(Node::as_str);
        names.any(|one| one == name)
    };
    let has = |keyword, test: &dyn Fn(Node<'_>) -> bool| {
        part.get(keyword).is_some_and(|value| test(value.node))
    };
    SAYS.iter().any(|keyword| part.get(*keyword).is_some())
        || has(Keyword::Required, &lists)
        || has(Keyword::DependentRequired, &|all| {
            let mut all = all.members();
            all.any(|(key, names)| key == name || lists(names))
        })
        || has(Keyword::Const, &|value| value.get(name).is_some())
        || has(Keyword::Enum, &|values| {
            let mut values = values.items();
            values.any(|value| value.get(name).is_some())
        })
}

/// The patterns for names of a part, with their schemas.
pub(super) fn patterns(part: Part<'_>) -> Vec<(String, Part<'_>)> {
    let list = part.get(Keyword::PatternProperties);
    let members = list.into_iter().flat_map(|list| {
        let members = list.node.members();
        members.map(move |(pattern, node)| (pattern.into_owned(), list.beside(node)))
    });
    members.collect()
}
