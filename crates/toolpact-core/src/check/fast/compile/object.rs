use std::borrow::Cow;
use std::sync::atomic::AtomicU8;

use indexmap::IndexSet;

use super::super::names::Names;
use super::super::program::{ANY, BITS, Condition, Key, NodeId, ObjectRules};
use super::alternatives::Keys;
use super::budget::{LOOK, MOST_SETS};
use super::constraints::Constraints;
use super::{Compiler, SubschemaSet, Supported, unsupported};
use crate::returns::Role;

type Order<'a> = IndexSet<Cow<'a, str>>;

impl<'a> Compiler<'_, 'a> {
    /// The rules for an object; `None` if there are no constraints.
    pub(super) fn object_rules(
        &mut self,
        constraints: &Constraints<'a>,
        role: Option<Role>,
    ) -> Supported<Option<ObjectRules>> {
        let names = self.order(constraints)?;
        let mut keys = Vec::with_capacity(names.len());
        for name in &names {
            let role = role
                .zip(self.standard)
                .and_then(|(role, standard)| role.of_member(standard, name));
            let node = self.member(constraints, name, role)?;
            keys.push(Key::new(name, node, keys.len()));
        }
        let others = self.others(constraints)?;
        let delegated = constraints.whole_object.delegated();
        let sets =
            constraints.dependent.len() + constraints.keys.iter().map(Keys::sets).sum::<usize>();
        if sets > MOST_SETS {
            return Err(unsupported(
                self.root(0),
                "many conditions on the keys of one object",
            ));
        }
        let conditions = conditions(constraints, &names);
        let is_free = constraints.members.is_free() && conditions.is_empty() && delegated.is_none();
        if keys.is_empty() && others == Some(ANY) && is_free {
            return Ok(None);
        }
        let required = constraints
            .required
            .iter()
            .fold(0, |mask, name| mask | bit(&names, name));
        let list = names.iter().map(|name| Box::from(&**name)).collect();
        let at = self.root(0);
        Ok(Some(ObjectRules {
            first: AtomicU8::new(0),
            names: Names::new(list).ok_or_else(|| unsupported(at, "too many properties"))?,
            keys: keys.into(),
            others,
            required,
            simple: conditions.is_empty() && constraints.members.is_free(),
            conditions: conditions.into(),
            min: constraints.members.min,
            max: constraints.members.max,
            delegated,
        }))
    }

    /// The keys in the order of the schema; if there are many, those that need a bit come first.
    fn order(&self, constraints: &Constraints<'a>) -> Supported<Order<'a>> {
        let named = || constraints.objects.iter().flat_map(|one| one.named.keys());
        let asked: Order<'a> = constraints
            .required
            .iter()
            .chain(constraints.sets())
            .cloned()
            .collect();
        if asked.len() > BITS {
            return Err(unsupported(
                self.root(0),
                format!("more than {BITS} required properties of one object"),
            ));
        }
        let all: Order<'a> = named().cloned().chain(asked.iter().cloned()).collect();
        if all.len() <= BITS {
            return Ok(all);
        }
        Ok(asked.into_iter().chain(named().cloned()).collect())
    }

    /// The node of a member.
    fn member(
        &mut self,
        constraints: &Constraints<'a>,
        key: &str,
        role: Option<Role>,
    ) -> Supported<NodeId> {
        self.charge(self.root(0), constraints.objects.len() * LOOK)?;
        let applies = constraints
            .objects
            .iter()
            .filter_map(|one| one.named.get(key).copied().or(one.others));
        let subschemas = applies.collect();
        self.node_of(SubschemaSet {
            subschemas,
            decided: Vec::new(),
            role,
        })
    }

    /// The node of all other members; `None` if none are allowed.
    fn others(&mut self, constraints: &Constraints<'a>) -> Supported<Option<NodeId>> {
        let subschemas: Vec<_> = constraints
            .objects
            .iter()
            .filter_map(|one| one.others)
            .collect();
        if subschemas
            .iter()
            .any(|subschema| self.json(*subschema).as_bool() == Some(false))
        {
            return Ok(None);
        }
        let subschemas = subschemas
            .into_iter()
            .filter(|subschema| self.json(*subschema).as_bool() != Some(true));
        let set = SubschemaSet {
            subschemas: subschemas.collect(),
            ..SubschemaSet::default()
        };
        self.node_of(set).map(Some)
    }
}

impl<'a> Constraints<'a> {
    /// The names in all conditions.
    fn sets(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        let dependent =
            (self.dependent.iter()).flat_map(|(given, then)| std::iter::once(given).chain(then));
        dependent.chain(self.keys.iter().flat_map(Keys::names))
    }
}

fn bit(names: &Order<'_>, name: &str) -> u64 {
    names.get_index_of(name).map_or(0, |position| 1 << position)
}

fn conditions(constraints: &Constraints<'_>, names: &Order<'_>) -> Vec<Condition> {
    let mask = |set: &[Cow<'_, str>]| set.iter().fold(0, |mask, name| mask | bit(names, name));
    let dependent = (constraints.dependent.iter())
        .map(|(given, then)| Condition::Implies(bit(names, given), mask(then)));
    let keys = constraints.keys.iter().map(|keys| match keys {
        Keys::Any(sets) => Condition::Any(sets.iter().map(|set| mask(set)).collect()),
        Keys::One(sets) => Condition::One(sets.iter().map(|set| mask(set)).collect()),
        Keys::Not(set) => Condition::Not(mask(set)),
    });
    dependent.chain(keys).collect()
}
