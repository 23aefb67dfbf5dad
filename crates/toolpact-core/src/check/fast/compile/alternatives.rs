//! `anyOf`, `oneOf`, `not` and `if`.
//!
//! The node of an alternative includes all constraints around it, so that a value is read once for
//! each alternative and not once more for the rest. The first character of the value decides which
//! alternatives are tried.

use std::borrow::Cow;

use super::super::program::{Choice, Class, Extra, Node, NodeId, narrow, types};
use super::constraints::{Constraints, Group, GroupKind};
use super::{Compiler, SubschemaId, SubschemaSet, Supported, unsupported};
use crate::json::Node as Json;
use crate::schema::Keyword;

/// Alternatives that differ only in the keys they require: nothing has to be read twice.
#[derive(Debug)]
pub(super) enum Keys<'a> {
    Any(Vec<Vec<Cow<'a, str>>>),
    One(Vec<Vec<Cow<'a, str>>>),
    Not(Vec<Cow<'a, str>>),
}

impl<'a> Keys<'a> {
    /// The number of sets.
    pub(super) fn sets(&self) -> usize {
        match self {
            Keys::Any(sets) | Keys::One(sets) => sets.len(),
            Keys::Not(_) => 1,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        let (sets, set) = match self {
            Keys::Any(sets) | Keys::One(sets) => (&**sets, None),
            Keys::Not(set) => (&[][..], Some(set)),
        };
        sets.iter().chain(set).flatten()
    }
}

/// Alternatives whose types are not known yet.
pub(super) struct Open {
    node: NodeId,
    at: SubschemaId,
    choice: usize,
    /// Empty for what is not sorted by type, `not` and `if`.
    alternatives: Vec<NodeId>,
    /// The nodes whose types are combined to the types of this one.
    types_of: Vec<NodeId>,
    has_role: bool,
}

impl<'a> Compiler<'_, 'a> {
    /// The node for the first group that needs a choice. Groups that only require keys are moved to
    /// `constraints.keys`.
    pub(super) fn alternatives(
        &mut self,
        node: NodeId,
        set: &SubschemaSet,
        constraints: &mut Constraints<'a>,
    ) -> Supported<Option<Node>> {
        let mut groups = std::mem::take(&mut constraints.groups).into_iter();
        for group in groups.by_ref() {
            match self.keys(&group, constraints.types) {
                Some(keys) => constraints.keys.push(keys),
                None => return self.choose(node, set, &group).map(Some),
            }
        }
        Ok(None)
    }

    fn choose(&mut self, id: NodeId, set: &SubschemaSet, group: &Group) -> Supported<Node> {
        let mut decided = set.decided.clone();
        decided.push(group.at);
        let with = |subschema: Option<SubschemaId>| SubschemaSet {
            subschemas: set.subschemas.iter().copied().chain(subschema).collect(),
            decided: decided.clone(),
            role: set.role,
        };
        let alone = |subschema: SubschemaId| SubschemaSet {
            subschemas: vec![subschema],
            ..SubschemaSet::default()
        };
        let (choice, alternatives, types_of) = match &group.kind {
            GroupKind::Any(all) | GroupKind::One(all) => {
                let nodes = all
                    .iter()
                    .map(|subschema| self.node_of(with(Some(*subschema))));
                let nodes = nodes.collect::<Supported<Vec<NodeId>>>()?;
                let choice = match &group.kind {
                    GroupKind::Any(_) => Choice::Any(Default::default()),
                    _ => Choice::One(Default::default()),
                };
                (choice, nodes.clone(), nodes)
            }
            GroupKind::Not(subschema) => {
                let (not, base) = (self.node_of(alone(*subschema))?, self.node_of(with(None))?);
                (Choice::Not(not, base), Vec::new(), vec![base])
            }
            GroupKind::If(subschema, then, otherwise) => {
                let condition = self.node_of(alone(*subschema))?;
                let (then, otherwise) =
                    (self.node_of(with(*then))?, self.node_of(with(*otherwise))?);
                let choice = Choice::If(condition, then, otherwise);
                (choice, Vec::new(), vec![then, otherwise])
            }
        };
        self.program.choices.push(choice);
        let choice = self.program.choices.len() - 1;
        self.choices.push(Open {
            node: id,
            at: group.at,
            choice,
            alternatives,
            types_of,
            has_role: set.role.is_some(),
        });
        Ok(Node {
            extra: Extra::Choice(narrow(choice)),
            ..Node::of(0)
        })
    }

    /// The keys that the alternatives of a group require, if they have no other constraints and the
    /// value can only be an object.
    fn keys(&self, group: &Group, types: u8) -> Option<Keys<'a>> {
        if types != types::OBJECT {
            return None;
        }
        let sets = |all: &[SubschemaId]| -> Option<Vec<_>> {
            all.iter()
                .map(|subschema| required_only(self.json(*subschema)))
                .collect()
        };
        Some(match &group.kind {
            GroupKind::Any(all) => Keys::Any(sets(all)?),
            GroupKind::One(all) => Keys::One(sets(all)?),
            GroupKind::Not(subschema) => Keys::Not(required_only(self.json(*subschema))?),
            GroupKind::If(..) => return None,
        })
    }

    /// After all nodes are built: sorts alternatives by the types they accept.
    pub(super) fn sort_alternatives(&mut self) -> Supported<()> {
        // Nested alternatives come later in the list, so iterating in reverse converges quickly.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for open in self.choices.iter().rev() {
                let nodes = &mut self.program.nodes;
                let types = open
                    .types_of
                    .iter()
                    .fold(0, |mask, id| mask | nodes[*id as usize].types);
                let node = &mut nodes[open.node as usize];
                changed |= node.types != types;
                node.types = types;
            }
        }
        for open in self.choices.iter().rev() {
            let nodes = &self.program.nodes;
            let sorted: [Box<[NodeId]>; Class::COUNT] = Class::ALL.map(|class| {
                let may = |id: &&NodeId| nodes[**id as usize].types & class.types() != 0;
                let list: Vec<NodeId> = open.alternatives.iter().filter(may).copied().collect();
                list.into_boxed_slice()
            });
            if open.has_role && sorted.iter().any(|list| list.len() > 1) {
                return Err(unsupported(
                    open.at,
                    "alternatives for a result whose meaning is checked",
                ));
            }
            match &mut self.program.choices[open.choice] {
                Choice::Any(lists) | Choice::One(lists) => {
                    if let Some(one) = merged(&self.program.nodes, &sorted) {
                        self.program.nodes[open.node as usize] = one;
                    }
                    *lists = sorted;
                }
                Choice::Not(..) | Choice::If(..) => {}
            }
        }
        Ok(())
    }
}

/// Merges alternatives with disjoint types into one node: an `Option` in Rust is a value or null.
fn merged(nodes: &[Node], sorted: &[Box<[NodeId]>; Class::COUNT]) -> Option<Node> {
    let mut one = Node::of(0);
    let mut extra = None;
    for (class, list) in Class::ALL.into_iter().zip(sorted) {
        let node = match &**list {
            [] => continue,
            [only] => nodes.get(*only as usize)?,
            _ => return None,
        };
        if matches!(node.extra, Extra::Choice(_)) || *extra.get_or_insert(node.extra) != node.extra
        {
            return None;
        }
        one.types |= node.types & class.types();
        match class {
            Class::Null | Class::Boolean => {}
            Class::Number => one.number = node.number,
            Class::String => one.string = node.string,
            Class::Array => one.array = node.array,
            Class::Object => one.object = node.object,
        }
    }
    one.extra = extra?;
    Some(one)
}

/// The names that a schema requires, if it has no other constraints.
fn required_only(schema: Json<'_>) -> Option<Vec<Cow<'_, str>>> {
    let mut names = None;
    for (keyword, value) in schema.members() {
        match Keyword::named(&keyword)? {
            Keyword::Required => names = Some(value.items().filter_map(Json::as_str).collect()),
            Keyword::Description | Keyword::Title | Keyword::Comment => {}
            Keyword::Type if value.as_str().as_deref() == Some("object") => {}
            _ => return None,
        }
    }
    names
}
