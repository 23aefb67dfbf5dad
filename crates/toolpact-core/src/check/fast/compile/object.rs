use std::borrow::Cow;
use std::sync::atomic::AtomicU8;

use indexmap::IndexSet;

use super::super::names::Names;
use super::super::program::{ANY, BITS, Condition, Key, NodeId, ObjectRules};
use super::alternatives::Keys;
use super::budget::MOST_SETS;
use super::facts::Facts;
use super::{Compiler, Covered, Goal, gap};
use crate::returns::Role;

type Order<'a> = IndexSet<Cow<'a, str>>;

impl<'a> Compiler<'_, 'a> {
    /// What is asked of an object; `None` if nothing is.
    pub(super) fn object_rules(
        &mut self,
        facts: &Facts<'a>,
        role: Option<Role>,
    ) -> Covered<Option<ObjectRules>> {
        let names = self.order(facts)?;
        let mut keys = Vec::with_capacity(names.len());
        for name in &names {
            let role = role
                .zip(self.standard)
                .and_then(|(role, standard)| role.of_member(standard, name));
            let node = self.member(facts, name, role)?;
            keys.push(Key::new(name, node, keys.len()));
        }
        let others = self.others(facts)?;
        let leaf = facts.whole_object.leaf();
        let sets = facts.dependent.len() + facts.keys.iter().map(Keys::sets).sum::<usize>();
        if sets > MOST_SETS {
            return Err(gap(
                self.root(0),
                "many conditions on the keys of one object",
            ));
        }
        let conditions = conditions(facts, &names);
        let is_free = facts.members.is_free() && conditions.is_empty() && leaf.is_none();
        if keys.is_empty() && others == Some(ANY) && is_free {
            return Ok(None);
        }
        let required = facts
            .required
            .iter()
            .fold(0, |mask, name| mask | bit(&names, name));
        let list = names.iter().map(|name| Box::from(&**name)).collect();
        let at = self.root(0);
        Ok(Some(ObjectRules {
            first: AtomicU8::new(0),
            names: Names::new(list).ok_or_else(|| gap(at, "too many properties"))?,
            keys: keys.into(),
            others,
            required,
            simple: conditions.is_empty() && facts.members.is_free(),
            conditions: conditions.into(),
            min: facts.members.min,
            max: facts.members.max,
            leaf,
        }))
    }

    /// The keys in the order of the schema; if they are many, those that need a bit come first.
    fn order(&self, facts: &Facts<'a>) -> Covered<Order<'a>> {
        let named = || facts.objects.iter().flat_map(|one| one.named.keys());
        let asked: Order<'a> = facts.required.iter().chain(facts.sets()).cloned().collect();
        if asked.len() > BITS {
            return Err(gap(
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
    fn member(&mut self, facts: &Facts<'a>, key: &str, role: Option<Role>) -> Covered<NodeId> {
        let applies = facts
            .objects
            .iter()
            .filter_map(|one| one.named.get(key).copied().or(one.others));
        let atoms = applies.collect();
        self.node_of(Goal {
            atoms,
            decided: Vec::new(),
            role,
        })
    }

    /// The node of all other members; `None` if there must not be any.
    fn others(&mut self, facts: &Facts<'a>) -> Covered<Option<NodeId>> {
        let atoms: Vec<_> = facts.objects.iter().filter_map(|one| one.others).collect();
        if atoms
            .iter()
            .any(|atom| self.json(*atom).as_bool() == Some(false))
        {
            return Ok(None);
        }
        let atoms = atoms
            .into_iter()
            .filter(|atom| self.json(*atom).as_bool() != Some(true));
        let goal = Goal {
            atoms: atoms.collect(),
            ..Goal::default()
        };
        self.node_of(goal).map(Some)
    }
}

impl<'a> Facts<'a> {
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

fn conditions(facts: &Facts<'_>, names: &Order<'_>) -> Vec<Condition> {
    let mask = |set: &[Cow<'_, str>]| set.iter().fold(0, |mask, name| mask | bit(names, name));
    let dependent = (facts.dependent.iter())
        .map(|(given, then)| Condition::Implies(bit(names, given), mask(then)));
    let keys = facts.keys.iter().map(|keys| match keys {
        Keys::Any(sets) => Condition::Any(sets.iter().map(|set| mask(set)).collect()),
        Keys::One(sets) => Condition::One(sets.iter().map(|set| mask(set)).collect()),
        Keys::Not(set) => Condition::Not(mask(set)),
    });
    dependent.chain(keys).collect()
}
