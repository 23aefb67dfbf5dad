//! Follows a reference through the schemas of a promised result.

mod kinds;
#[cfg(test)]
mod tests;
mod verdict;

use toolpact_core::json::{Kind, Node, Value, Whole};
use toolpact_core::schema::Resolver;

use crate::reference::PathSegment;
use crate::words::count;

use kinds::Kinds;
pub(super) use verdict::{Stop, Verdict};

/// What schemas that all apply to a value say about the path into it.
///
/// Looks at what is certain: types, named fields, elements, `$ref`, `allOf`, `anyOf` and `oneOf`.
/// What depends on more than that (conditions, patterns of names, what is left unevaluated) forbids
/// nothing. `budget` is how many schemas may be looked at; beyond it nothing is known.
pub(super) fn look(bundles: &[Bundle<'_>], path: &[PathSegment], budget: &mut usize) -> Verdict {
    let mut verdict = Verdict::Silent(0);
    for Bundle { root, resolver } in bundles {
        let mut look = Look {
            path,
            budget,
            resolver,
        };
        verdict = verdict.and(look.at(*root, 0, 0));
    }
    verdict
}

/// A schema with everything it refers to inside of it, and its resolver.
#[derive(Debug)]
pub(super) struct Bundle<'s> {
    root: Node<'s>,
    resolver: Resolver<'s>,
}

impl<'s> Bundle<'s> {
    pub(super) fn new(bundle: &'s Value) -> Self {
        let root = bundle.root();
        let resolver = Resolver::new(root);
        Self { root, resolver }
    }
}

/// Paths have at most 128 parts; what nests deeper than this at one place is not looked at.
const DEEPEST: usize = 500;
/// A list of fields in a message is not longer.
const MOST_NAMES: usize = 200;

struct Look<'l, 's> {
    path: &'l [PathSegment],
    budget: &'l mut usize,
    resolver: &'l Resolver<'s>,
}

impl<'s> Look<'_, 's> {
    /// What a schema says about the value at part number `at`. `depth` bounds the recursion.
    fn at(&mut self, schema: Node<'s>, at: usize, depth: usize) -> Verdict {
        if *self.budget == 0 || depth > DEEPEST {
            return Verdict::Fine;
        }
        *self.budget -= 1;
        if schema.as_bool() == Some(false) {
            return stop(at.saturating_sub(1), Vec::new(), Vec::new());
        }
        let Some(part) = self.path.get(at) else {
            return Verdict::Fine;
        };
        let mut verdict = self.own(schema, part, at, depth);
        if let Some(reference) = schema.get("$ref") {
            let target = reference.as_str();
            let target = target.and_then(|target| self.resolver.resolve(schema, &target));
            let referred = target.map(|target| self.at(target, at, depth + 1));
            verdict = verdict.and(referred.unwrap_or(Verdict::Fine));
        }
        if schema.get("$dynamicRef").is_some() {
            verdict = verdict.and(Verdict::Fine);
        }
        for part in list(schema, "allOf") {
            verdict = verdict.and(self.at(part, at, depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            let one_of = list(schema, keyword);
            let one_of = one_of.map(|branch| self.at(branch, at, depth + 1));
            verdict = verdict.and(one_of.reduce(Verdict::or).unwrap_or(Verdict::Silent(at)));
        }
        for branch in conditional(schema) {
            // It may not apply, so it can allow but not forbid.
            if self.at(branch, at, depth + 1) == Verdict::Fine {
                verdict = verdict.and(Verdict::Fine);
            }
        }
        verdict
    }

    /// What the schema itself says, apart from those it refers to.
    fn own(&mut self, schema: Node<'s>, part: &PathSegment, at: usize, depth: usize) -> Verdict {
        let kinds = Kinds::of(schema);
        let (key, index) = match part {
            PathSegment::Member(key) => (Some(key), None),
            PathSegment::Element(index) => (None, Some(*index)),
            PathSegment::Either(key, index) => (Some(key), Some(*index)),
        };
        let member = key.filter(|_| kinds.object);
        let member = member.map(|key| self.member(schema, key, at, depth));
        let element = index.filter(|_| kinds.array);
        let element = element.map(|index| self.element(schema, index, at, depth));
        let verdicts = member.into_iter().chain(element);
        verdicts
            .reduce(Verdict::or)
            .unwrap_or_else(|| stop(at, kinds.words, names(schema)))
    }

    fn member(&mut self, schema: Node<'s>, key: &str, at: usize, depth: usize) -> Verdict {
        let named = schema.get("properties").and_then(|all| all.get(key));
        if let Some(named) = named {
            return self.at(named, at + 1, depth + 1);
        }
        if schema.get("patternProperties").is_some() {
            return Verdict::Fine;
        }
        let others = schema.get("additionalProperties");
        match others.map(|others| (others, others.as_bool())) {
            Some((_, Some(false))) => stop(at, vec!["an object".to_owned()], names(schema)),
            Some((others, None)) => self.at(others, at + 1, depth + 1),
            Some((_, Some(true))) | None => match names(schema) {
                fields if fields.is_empty() => Verdict::Silent(at),
                fields => Verdict::Unpromised(Stop {
                    at,
                    kinds: vec!["an object".to_owned()],
                    names: fields,
                }),
            },
        }
    }

    fn element(&mut self, schema: Node<'s>, index: usize, at: usize, depth: usize) -> Verdict {
        if let Some(most) = most_items(schema).filter(|most| index >= *most) {
            let most = count(most, "element", "elements");
            return stop(at, vec![format!("an array of at most {most}")], Vec::new());
        }
        let first = list(schema, "prefixItems").nth(index);
        match first.or_else(|| schema.get("items")) {
            Some(item) => self.at(item, at + 1, depth + 1),
            None => Verdict::Silent(at),
        }
    }
}

fn stop(at: usize, kinds: Vec<String>, names: Vec<String>) -> Verdict {
    Verdict::Forbidden(Stop { at, kinds, names })
}

/// How many elements there can be, if that is bounded.
fn most_items(schema: Node<'_>) -> Option<usize> {
    let most = schema.get("maxItems").and_then(Node::as_number);
    let most = most.and_then(|most| match most.whole() {
        Whole::Integer(most) => usize::try_from(most).ok(),
        Whole::TooLarge | Whole::Fraction => None,
    });
    let closed = schema.get("items").and_then(Node::as_bool) == Some(false);
    let first = closed.then(|| list(schema, "prefixItems").count());
    most.into_iter().chain(first).min()
}

/// Schemas that apply to the same value if something else about it is so.
fn conditional(schema: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let branches = ["then", "else"].into_iter();
    let named = schema.get("dependentSchemas").into_iter();
    branches
        .filter_map(move |keyword| schema.get(keyword))
        .chain(named.flat_map(Node::members).map(|(_, schema)| schema))
}

fn names(schema: Node<'_>) -> Vec<String> {
    let properties = schema.get("properties").into_iter();
    let members = properties.flat_map(Node::members).take(MOST_NAMES);
    members.map(|(name, _)| name.into_owned()).collect()
}

fn list<'s>(schema: Node<'s>, keyword: &str) -> impl Iterator<Item = Node<'s>> + use<'s> {
    let list = schema.get(keyword).into_iter();
    list.filter(|list| list.kind() == Kind::Array)
        .flat_map(Node::items)
}
