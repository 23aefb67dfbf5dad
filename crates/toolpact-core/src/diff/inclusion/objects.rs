//! The members of objects.

use std::collections::HashSet;

use crate::schema::Keyword;
use crate::schema::view::Part;

use super::holds::names;
use super::members::patterns;
use super::{Left, Prover};

impl<'v> Prover<'v> {
    /// Whether all members satisfy the schemas for their names.
    pub(super) fn properties_hold(&mut self, left: &Left<'v>, properties: Part<'v>) -> bool {
        let members = properties.node.members();
        let members: Vec<_> = members.collect();
        members.into_iter().all(|(name, node)| {
            let right = self.sources.view([properties.beside(node)]);
            let member = self.member(left, &name);
            self.includes(&member, &right)
        })
    }

    /// Whether all other members satisfy the schema `additionalProperties` of a part.
    pub(super) fn others_hold(
        &mut self,
        left: &Left<'v>,
        part: Part<'v>,
        others: Part<'v>,
    ) -> bool {
        let right = self.sources.view([others]);
        let known: HashSet<String> = names(&left.view, Keyword::Properties)
            .into_iter()
            .map(Into::into)
            .collect();
        for name in known {
            match self.has_schema_for(part, &name) {
                Some(true) => continue,
                Some(false) => {}
                None => return false,
            }
            let member = self.member(left, &name);
            if !self.includes(&member, &right) {
                return false;
            }
        }
        // A pattern of the left for keys that match none on the right.
        let unmatched: Vec<String> = patterns(part).into_iter().map(|(one, _)| one).collect();
        let other = self.other_member(left, &unmatched);
        if self.includes(&other, &right) {
            return true;
        }
        self.others_hold_by_pattern(left, &unmatched, part, others)
    }

    /// The same where the left has patterns: other keys match one of them, or none.
    fn others_hold_by_pattern(
        &mut self,
        left: &Left<'v>,
        unmatched: &[String],
        part: Part<'v>,
        others: Part<'v>,
    ) -> bool {
        let right = self.sources.view([others]);
        let mut all: Vec<String> = unmatched.to_vec();
        for one in left.view.parts() {
            all.extend(patterns(*one).into_iter().map(|(pattern, _)| pattern));
        }
        let own = patterns(part).len();
        if all.len() == own || all.len() > 20 {
            return false;
        }
        let matching = all[own..].to_vec();
        let none = self.other_member(left, &all);
        self.includes(&none, &right)
            && matching.iter().all(|pattern| {
                let member = self.matching_member(left, pattern);
                unmatched.contains(pattern) || self.includes(&member, &right)
            })
    }

    /// Whether all members whose names match patterns satisfy their schemas.
    pub(super) fn patterns_hold(&mut self, left: &Left<'v>, list: Part<'v>) -> bool {
        let known = names(&left.view, Keyword::Properties);
        for (pattern, node) in list.node.members() {
            let right = self.sources.view([list.beside(node)]);
            let member = self.matching_member(left, &pattern);
            if !self.includes(&member, &right) {
                return false;
            }
            let Some(regex) = self.pattern(&pattern) else {
                return false;
            };
            for name in known.iter().filter(|name| regex.is_match(name)) {
                let member = self.member(left, name);
                if !self.includes(&member, &right) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether all names satisfy a schema.
    pub(super) fn names_hold(&mut self, left: &Left<'v>, schema: Part<'v>) -> bool {
        let right = self.sources.view([schema]);
        let known = self.sources.view(left.view.all(Keyword::PropertyNames));
        if self.includes(&known, &right) {
            return true;
        }
        let closed = left.view.parts().iter().copied().find(|part| {
            let others = part.get(Keyword::AdditionalProperties);
            others.is_some_and(|others| others.node.as_bool() == Some(false))
                && part.get(Keyword::PatternProperties).is_none()
        });
        let Some(closed) = closed else {
            return false;
        };
        let properties = closed.get(Keyword::Properties);
        let keys = properties.into_iter().flat_map(|list| list.node.entries());
        let keys: Vec<_> = keys.map(|(key, _)| key).collect();
        keys.into_iter().all(|key| {
            let mut parts = right.parts().iter();
            parts.all(|part| self.accepts(*part, key) == Some(true))
        })
    }
}
