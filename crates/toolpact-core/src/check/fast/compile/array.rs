use super::super::program::{ANY, ArrayRules, NodeId};
use super::budget::LOOK;
use super::constraints::Constraints;
use super::{Compiler, SubschemaId, SubschemaSet, Supported};
use crate::returns::Role;

impl Compiler<'_, '_> {
    /// The rules for an array; `None` if there are no constraints.
    pub(super) fn array_rules(
        &mut self,
        constraints: &Constraints<'_>,
        role: Option<Role>,
    ) -> Supported<Option<ArrayRules>> {
        let role = role.and_then(Role::of_element);
        let longest = constraints.arrays.iter().map(|one| one.prefix.len()).max();
        let longest = longest.unwrap_or(0);
        let mut prefix = Vec::with_capacity(longest);
        for position in 0..longest {
            prefix.push(self.element(constraints, position, role)?);
        }
        let items = self.element(constraints, longest, role)?;
        let delegated = constraints.whole_array.delegated();
        if prefix.is_empty() && items == ANY && constraints.items.is_free() && delegated.is_none() {
            return Ok(None);
        }
        Ok(Some(ArrayRules {
            prefix: prefix.into(),
            items,
            min: constraints.items.min,
            max: constraints.items.max,
            delegated,
        }))
    }

    /// The node of the element at a position.
    fn element(
        &mut self,
        constraints: &Constraints<'_>,
        position: usize,
        role: Option<Role>,
    ) -> Supported<NodeId> {
        self.charge(self.root(0), constraints.arrays.len() * LOOK)?;
        let applies = constraints.arrays.iter().filter_map(|one| {
            let own = one.prefix.get(position).copied();
            own.or(one.rest)
        });
        self.node_of(SubschemaSet {
            subschemas: applies.collect::<Vec<SubschemaId>>(),
            decided: Vec::new(),
            role,
        })
    }
}
