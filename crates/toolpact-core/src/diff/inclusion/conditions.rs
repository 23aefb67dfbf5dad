//! Requirements that depend on others.

use crate::json::Node;
use crate::schema::Keyword;
use crate::schema::view::Part;

use super::holds::same_group;
use super::{Left, Prover};

impl<'v> Prover<'v> {
    /// Whether `then` and `else` hold where they apply.
    pub(super) fn condition_holds(
        &mut self,
        left: &Left<'v>,
        part: Part<'v>,
        condition: Part<'v>,
    ) -> bool {
        if same_group(left, part, &[Keyword::If, Keyword::Then, Keyword::Else]) {
            return true;
        }
        let with = left.and(self.sources, condition);
        let then = part.get(Keyword::Then);
        let otherwise = part.get(Keyword::Else);
        then.is_none_or(|then| self.implies(&with, then))
            && otherwise.is_none_or(|otherwise| {
                self.implies(left, otherwise) || self.implies_literally(left, condition)
            })
    }

    /// Whether the names that others bring with them are there.
    pub(super) fn dependent_names_hold(&mut self, left: &Left<'v>, list: Part<'v>) -> bool {
        let required = left.view.required();
        let known: Vec<Part<'v>> = left.view.all(Keyword::DependentRequired).collect();
        list.node.members().all(|(key, names)| {
            let is_known = |name: &str| {
                required.contains(name)
                    || known.iter().any(|part| {
                        let names = part.node.get(&key);
                        let mut names = names.into_iter().flat_map(Node::items);
                        names.any(|one| one.as_str().as_deref() == Some(name))
                    })
            };
            let mut names = names.items().filter_map(Node::as_str);
            names.all(|name| is_known(&name)) || self.member(left, &key).is_impossible()
        })
    }

    /// Whether the schemas that keys bring with them hold.
    pub(super) fn dependent_schemas_hold(&mut self, left: &Left<'v>, list: Part<'v>) -> bool {
        let known: Vec<Part<'v>> = left.view.all(Keyword::DependentSchemas).collect();
        let members: Vec<_> = list.node.members().collect();
        members.into_iter().all(|(key, node)| {
            let schema = list.beside(node);
            if self.member(left, &key).is_impossible() || self.implies(left, schema) {
                return true;
            }
            known.iter().any(|known| {
                let Some(node) = known.node.get(&key) else {
                    return false;
                };
                let with = left.and(self.sources, known.beside(node));
                self.implies(&with, schema)
            })
        })
    }
}
