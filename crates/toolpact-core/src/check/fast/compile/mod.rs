//! Compiles JSON Schemas to a program.
//!
//! The constraints on a value at one place are a set of subschemas, all of which it must satisfy:
//! the one at that place, its `$ref` target, the members of its `allOf`. Each set that can occur
//! becomes one node, so that a schema that reaches the same place on many paths costs no more than
//! one that reaches it once, and recursion terminates.

mod alternatives;
mod array;
mod budget;
mod constraints;
mod delegated_whole;
mod number;
mod object;
mod reference;
mod string;
mod values;

use std::collections::{HashMap, VecDeque};

use super::program::{self, ANY, Extra, NONE, Node, NodeId, Program, narrow, types};
use crate::check::Uncovered;
use crate::json::{Node as Json, paths};
use crate::returns::{Role, StandardType};
use crate::schema::Resolver;
use crate::violation::Pointer;

use budget::{MOST_BYTES, MOST_NODES};

/// A schema to compile.
pub(crate) struct Source<'a> {
    /// With all its references resolvable inside it.
    pub(crate) schema: Json<'a>,
    /// Whether formats are asserted.
    pub(crate) formats: bool,
}

/// Compiles schemas to one program that accepts what all of them accept, and that notes what the
/// rules of meaning of a type need.
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
    compiler
        .run()
        .map_err(|unsupported| compiler.uncovered(&unsupported))?;
    compiler.program.finish();
    Ok(compiler.program)
}

/// A subschema: its source, and its entry there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SubschemaId {
    source: u8,
    node: u32,
}

/// What a node represents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct SubschemaSet {
    /// Sorted, each once.
    subschemas: Vec<SubschemaId>,
    /// The groups of alternatives that are already decided.
    decided: Vec<SubschemaId>,
    role: Option<Role>,
}

impl SubschemaSet {
    /// An upper estimate in bytes: it is stored twice.
    fn size(&self) -> usize {
        128 + 16 * (self.subschemas.len() + self.decided.len())
    }
}

/// A feature that the fast path does not cover.
#[derive(Debug)]
struct Unsupported {
    at: SubschemaId,
    why: String,
}

type Supported<T> = Result<T, Unsupported>;

struct Compiler<'s, 'a> {
    sources: &'s [Source<'a>],
    /// `None` for schemas without references.
    resolvers: Vec<Option<Resolver<'a>>>,
    standard: Option<StandardType>,
    program: Program,
    known: HashMap<SubschemaSet, NodeId>,
    queue: VecDeque<(NodeId, SubschemaSet)>,
    /// The nodes with alternatives, which are sorted by type at the end.
    choices: Vec<alternatives::Open>,
    /// The remaining budget of bytes of tables.
    left: usize,
}

impl<'a> Compiler<'_, 'a> {
    fn run(&mut self) -> Supported<()> {
        let subschemas = (0..self.sources.len()).map(|source| self.root(source));
        let set = SubschemaSet {
            subschemas: subschemas.collect(),
            decided: Vec::new(),
            role: self.standard.map(|_| Role::Root),
        };
        self.program.root = self.node_of(set)?;
        while let Some((id, set)) = self.queue.pop_front() {
            let node = self.build(id, &set)?;
            self.program.nodes[id as usize] = node;
        }
        self.sort_alternatives()
    }

    /// The node for a set, which is built later.
    fn node_of(&mut self, mut set: SubschemaSet) -> Supported<NodeId> {
        set.subschemas.sort_unstable();
        set.subschemas.dedup();
        if set.subschemas.is_empty() && set.role.is_none() {
            return Ok(ANY);
        }
        let at = set.subschemas.first().copied().unwrap_or(self.root(0));
        self.charge(at, set.size())?;
        if let Some(id) = self.known.get(&set) {
            return Ok(*id);
        }
        let count = self.program.nodes.len();
        if count >= MOST_NODES {
            return Err(unsupported(at, "too many combinations of subschemas"));
        }
        let id = narrow(count);
        self.program.nodes.push(Node::ANY);
        self.known.insert(set.clone(), id);
        self.queue.push_back((id, set));
        Ok(id)
    }

    fn build(&mut self, id: NodeId, set: &SubschemaSet) -> Supported<Node> {
        let mut constraints = self.constraints(set)?;
        values::narrow(&mut constraints)?;
        if let Some(choice) = self.alternatives(id, set, &mut constraints)? {
            return Ok(choice);
        }
        let mut node = Node::of(constraints.types);
        if let Some(role) = set.role.filter(|role| role.is_noted()) {
            node.extra = Extra::Role(role);
        }
        if constraints.types & types::STRING != 0 {
            node.string = push(&mut self.program.strings, string::rules(&constraints)?);
        }
        if constraints.types & types::NUMBER != 0 {
            node.number = push(&mut self.program.numbers, number::rules(&constraints));
        }
        if constraints.types & types::ARRAY != 0 {
            let rules = self.array_rules(&constraints, set.role)?;
            node.array = push(&mut self.program.arrays, rules);
        }
        if constraints.types & types::OBJECT != 0 {
            let rules = self.object_rules(&constraints, set.role)?;
            node.object = push(&mut self.program.objects, rules);
        }
        Ok(node)
    }

    fn root(&self, source: usize) -> SubschemaId {
        SubschemaId {
            source: u8::try_from(source).unwrap_or(u8::MAX),
            node: self.sources[source].schema.id(),
        }
    }

    fn json(&self, subschema: SubschemaId) -> Json<'a> {
        let source = &self.sources[usize::from(subschema.source)];
        Json::new(source.schema.index(), subschema.node)
    }

    fn uncovered(&self, unsupported: &Unsupported) -> Uncovered {
        let root = Pointer::root();
        let pointers = paths(
            self.json(unsupported.at).index(),
            &[unsupported.at.node],
            &root,
        );
        Uncovered {
            pointer: pointers.into_iter().next().unwrap_or(root),
            why: unsupported.why.clone(),
        }
    }
}

/// Without `$ref` in the text there is nothing to resolve.
fn resolver(schema: Json<'_>) -> Option<Resolver<'_>> {
    (schema.text().contains("$ref")).then(|| Resolver::new(schema))
}

/// Adds rules to their table, if there are any.
fn push<T>(table: &mut Vec<T>, rules: Option<T>) -> u32 {
    rules.map_or(NONE, |rules| program::push(table, rules))
}

fn unsupported(at: SubschemaId, why: impl Into<String>) -> Unsupported {
    Unsupported {
        at,
        why: why.into(),
    }
}
