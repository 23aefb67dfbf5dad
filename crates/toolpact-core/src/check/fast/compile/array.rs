use super::super::program::{ANY, ArrayRules, NodeId};
use super::facts::Facts;
use super::{Atom, Compiler, Covered, Goal};
use crate::returns::Role;

impl Compiler<'_, '_> {
    /// What is asked of an array; `None` if nothing is.
    pub(super) fn array_rules(
        &mut self,
        facts: &Facts<'_>,
        role: Option<Role>,
    ) -> Covered<Option<ArrayRules>> {
        let role = role.and_then(Role::of_element);
        let longest = facts.arrays.iter().map(|one| one.prefix.len()).max();
        let longest = longest.unwrap_or(0);
        let mut prefix = Vec::with_capacity(longest);
        for position in 0..longest {
            prefix.push(self.element(facts, position, role)?);
        }
        let items = self.element(facts, longest, role)?;
        let leaf = facts.whole_array.leaf();
        if prefix.is_empty() && items == ANY && facts.items.is_free() && leaf.is_none() {
            return Ok(None);
        }
        Ok(Some(ArrayRules {
            prefix: prefix.into(),
            items,
            min: facts.items.min,
            max: facts.items.max,
            leaf,
        }))
    }

    /// The node of the element at a position.
    fn element(
        &mut self,
        facts: &Facts<'_>,
        position: usize,
        role: Option<Role>,
    ) -> Covered<NodeId> {
        let applies = facts.arrays.iter().filter_map(|one| {
            let own = one.prefix.get(position).copied();
            own.or(one.rest)
        });
        self.node_of(Goal {
            atoms: applies.collect::<Vec<Atom>>(),
            decided: Vec::new(),
            role,
        })
    }
}
