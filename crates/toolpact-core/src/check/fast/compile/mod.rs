//! From JSON Schemas to a program.
//!
//! What is asked of a value at one place is a set of subschemas, all of which it must satisfy: the
//! one that is written there, what that refers to, the members of its `allOf`. Each set that can
//! occur becomes one node, so that a schema which reaches the same place in many ways costs no more
//! than one that reaches it once, and recursion ends.

mod alternatives;
mod array;
mod budget;
mod facts;
mod number;
mod object;
mod reference;
mod string;
mod values;
mod whole;

use std::collections::{HashMap, VecDeque};

use super::program::{self, ANY, Extra, NONE, Node, NodeId, Program, narrow, types};
use crate::check::Uncovered;
use crate::json::{Node as Json, paths};
use crate::returns::{Role, StandardType};
use crate::schema::Resolver;
use crate::violation::Pointer;

use budget::{MOST_BYTES, MOST_NODES};

/// A schema that takes part.
pub(crate) struct Source<'a> {
    /// With all that it refers to inside of it.
    pub(crate) schema: Json<'a>,
    /// Whether formats are asserted.
    pub(crate) formats: bool,
}

/// Compiles schemas to one program that accepts what all of them accept, and that notes what the
/// rules of meaning of a type ask for.
pub(crate) fn compile(
    sources: &[Source<'_>],
    standard: Option<StandardType>,
) -> Result<Program, Uncovered> {
    let mut compiler = Compiler {
        sources,
        resolvers: sources
            .iter()
            .map(|source| resolver(source.schema))
            .collect(),
        standard,
        program: Program::default(),
        known: HashMap::new(),
        queue: VecDeque::new(),
        choices: Vec::new(),
        left: MOST_BYTES,
    };
    compiler.program.nodes.push(Node::ANY);
    compiler.run().map_err(|gap| compiler.uncovered(&gap))?;
    compiler.program.finish();
    Ok(compiler.program)
}

/// A subschema: which source, and which entry in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Atom {
    source: u8,
    node: u32,
}

/// What a node is to stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Goal {
    /// In order, each once.
    atoms: Vec<Atom>,
    /// The alternatives that are decided.
    decided: Vec<Atom>,
    role: Option<Role>,
}

impl Goal {
    /// In bytes, and rather more: it is kept twice.
    fn size(&self) -> usize {
        128 + 16 * (self.atoms.len() + self.decided.len())
    }
}

/// Something that the fast path does not cover.
#[derive(Debug)]
struct Gap {
    at: Atom,
    why: String,
}

type Covered<T> = Result<T, Gap>;

struct Compiler<'s, 'a> {
    sources: &'s [Source<'a>],
    /// For schemas that have references.
    resolvers: Vec<Option<Resolver<'a>>>,
    standard: Option<StandardType>,
    program: Program,
    known: HashMap<Goal, NodeId>,
    queue: VecDeque<(NodeId, Goal)>,
    /// The nodes that are alternatives, to be sorted by type in the end.
    choices: Vec<alternatives::Open>,
    /// How many bytes of tables may still be made.
    left: usize,
}

impl<'a> Compiler<'_, 'a> {
    fn run(&mut self) -> Covered<()> {
        let atoms = (0..self.sources.len()).map(|source| self.root(source));
        let goal = Goal {
            atoms: atoms.collect(),
            decided: Vec::new(),
            role: self.standard.map(|_| Role::Root),
        };
        self.program.root = self.node_of(goal)?;
        while let Some((id, goal)) = self.queue.pop_front() {
            let node = self.build(id, &goal)?;
            self.program.nodes[id as usize] = node;
        }
        self.sort_alternatives()
    }

    /// The node for a goal, which is built later.
    fn node_of(&mut self, mut goal: Goal) -> Covered<NodeId> {
        goal.atoms.sort_unstable();
        goal.atoms.dedup();
        if goal.atoms.is_empty() && goal.role.is_none() {
            return Ok(ANY);
        }
        let at = goal.atoms.first().copied().unwrap_or(self.root(0));
        self.charge(at, goal.size())?;
        if let Some(id) = self.known.get(&goal) {
            return Ok(*id);
        }
        let count = self.program.nodes.len();
        if count >= MOST_NODES {
            return Err(gap(at, "too many combinations of subschemas"));
        }
        let id = narrow(count);
        self.program.nodes.push(Node::ANY);
        self.known.insert(goal.clone(), id);
        self.queue.push_back((id, goal));
        Ok(id)
    }

    fn build(&mut self, id: NodeId, goal: &Goal) -> Covered<Node> {
        let mut facts = self.facts(goal)?;
        values::narrow(&mut facts)?;
        if let Some(choice) = self.alternatives(id, goal, &mut facts)? {
            return Ok(choice);
        }
        let mut node = Node::of(facts.types);
        if let Some(role) = goal.role.filter(|role| role.is_noted()) {
            node.extra = Extra::Role(role);
        }
        if facts.types & types::STRING != 0 {
            node.string = push(&mut self.program.strings, string::rules(&facts)?);
        }
        if facts.types & types::NUMBER != 0 {
            node.number = push(&mut self.program.numbers, number::rules(&facts));
        }
        if facts.types & types::ARRAY != 0 {
            let rules = self.array_rules(&facts, goal.role)?;
            node.array = push(&mut self.program.arrays, rules);
        }
        if facts.types & types::OBJECT != 0 {
            let rules = self.object_rules(&facts, goal.role)?;
            node.object = push(&mut self.program.objects, rules);
        }
        Ok(node)
    }

    fn root(&self, source: usize) -> Atom {
        Atom {
            source: u8::try_from(source).unwrap_or(u8::MAX),
            node: self.sources[source].schema.id(),
        }
    }

    fn json(&self, atom: Atom) -> Json<'a> {
        let source = &self.sources[usize::from(atom.source)];
        Json::new(source.schema.index(), atom.node)
    }

    fn uncovered(&self, gap: &Gap) -> Uncovered {
        let root = Pointer::root();
        let pointers = paths(self.json(gap.at).index(), &[gap.at.node], &root);
        Uncovered {
            pointer: pointers.into_iter().next().unwrap_or(root),
            why: gap.why.clone(),
        }
    }
}

/// Without the word there is nothing to resolve.
fn resolver(schema: Json<'_>) -> Option<Resolver<'_>> {
    (schema.text().contains("$ref")).then(|| Resolver::new(schema))
}

/// Adds rules to their table; without any, there is nothing to add.
fn push<T>(table: &mut Vec<T>, rules: Option<T>) -> u32 {
    rules.map_or(NONE, |rules| program::push(table, rules))
}

fn gap(at: Atom, why: impl Into<String>) -> Gap {
    Gap {
        at,
        why: why.into(),
    }
}
