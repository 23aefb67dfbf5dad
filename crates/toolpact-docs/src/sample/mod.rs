//! Arguments that a contract accepts, generated from its schema.
//!
//! No sampler can satisfy every schema. So this one makes several attempts, and checks the result
//! against the contract; a call that would be refused is never shown.

mod array;
mod number;
mod object;
mod pattern;
mod string;

use std::collections::HashSet;

use toolpact_core::contract::Contract;
use toolpact_core::json::{Kind, Node, Value};
use toolpact_core::returns::Level;
use toolpact_core::schema::view::{Identity, Part, Sources, View};
use toolpact_core::schema::{JsonType, Keyword};
use toolpact_core::toolset::Function;

use super::words;
use crate::json;

/// The best arguments to show: an example of the author, or all arguments, or the required ones.
pub(super) fn arguments(contract: &Contract, sources: &Sources<'_>) -> Option<Value> {
    let function = Function::of_contract(contract, Level::Shape);
    let root = sources.root();
    let examples = root
        .all(Keyword::Examples)
        .flat_map(|list| list.node().items());
    let defaults = root.all(Keyword::Default).map(Part::node);
    let given = examples.chain(defaults).map(Node::to_value);
    let made = Attempt::all().filter_map(|attempt| attempt.make(sources));
    let mut candidates = given.chain(made);
    candidates.find(|args| function.accepts(args.text().as_bytes()))
}

/// A strategy for generating values.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    /// Whether optional values are included.
    fills: bool,
    /// Whether the examples and defaults of fields are used. They may be wrong.
    trusts: bool,
    /// Which alternative to start with.
    choice: usize,
}

/// The longest sample that is readable; if it is longer, only what is required is shown.
const LONGEST: usize = 1_200;
/// The most values that one attempt may generate.
const BUDGET: usize = 2_000;
/// The deepest nesting.
const DEPTH: usize = 16;
/// How many alternatives are tried at one place, and how many lists of them are decided.
const TURNS: usize = 8;

impl Attempt {
    fn all() -> impl Iterator<Item = Self> {
        [true, false].into_iter().flat_map(|fills| {
            (0..4).flat_map(move |choice| {
                [true, false].into_iter().map(move |trusts| Self {
                    fills,
                    trusts,
                    choice,
                })
            })
        })
    }

    fn make(self, sources: &Sources<'_>) -> Option<Value> {
        let mut sampler = Sampler {
            sources,
            attempt: self,
            budget: BUDGET,
            around: Vec::new(),
        };
        let root = sampler.decide(sources.root(), self.choice);
        let json = sampler.object(&root, 0)?;
        let is_short = json.len() <= LONGEST || !self.fills;
        is_short.then(|| json::value(&json))?
    }
}

struct Sampler<'s, 'v> {
    sources: &'s Sources<'v>,
    attempt: Attempt,
    budget: usize,
    /// The objects that are being generated, to stop recursion.
    around: Vec<Identity>,
}

impl<'v> Sampler<'_, 'v> {
    /// A value as JSON. The n-th variant differs from the others, as far as it can.
    fn value(&mut self, view: &View<'v>, variant: usize, depth: usize) -> Option<String> {
        self.budget = self.budget.checked_sub(1)?;
        if view.is_impossible() || depth > DEPTH {
            return None;
        }
        if let Some(given) = self.given(view, variant) {
            return Some(given.text().to_owned());
        }
        let branches = view.choices().first().map_or(0, |list| list.items().len());
        let turns = self.attempt.choice..self.attempt.choice + branches.clamp(1, TURNS);
        turns.into_iter().find_map(|turn| {
            let view = self.decide(view.clone(), turn);
            self.plain(&view, variant, depth)
        })
    }

    /// A value without alternatives.
    fn plain(&mut self, view: &View<'v>, variant: usize, depth: usize) -> Option<String> {
        if let Some(given) = self.given(view, variant) {
            return Some(given.text().to_owned());
        }
        match words::types(view).first().copied() {
            Some(JsonType::Object) => self.object(view, depth),
            Some(JsonType::Array) => self.array(view, depth),
            Some(JsonType::Number | JsonType::Integer) => number::make(view, variant),
            Some(JsonType::Boolean) => Some((variant.is_multiple_of(2)).to_string()),
            Some(JsonType::Null) => Some("null".to_owned()),
            Some(JsonType::String) | None => {
                string::make(view, variant).map(|text| json::string(&text))
            }
        }
    }

    /// A value from the schema itself: a constant, an example, a default, a choice.
    fn given(&self, view: &View<'v>, variant: usize) -> Option<Node<'v>> {
        if let Some(value) = view.get(Keyword::Const) {
            return Some(value.node());
        }
        let nth = |list: Node<'v>| {
            let count = list.items().count().max(1);
            list.items().nth(variant % count)
        };
        if self.attempt.trusts {
            let examples = view
                .get(Keyword::Examples)
                .and_then(|list| nth(list.node()));
            let example = view.get(Keyword::Example).map(Part::node);
            let default = view.get(Keyword::Default).map(Part::node);
            // A null default says less than a generated value.
            let default = default.filter(|d| variant == 0 && d.kind() != Kind::Null);
            if let Some(value) = examples.or(example).or(default) {
                return Some(value);
            }
        }
        view.get(Keyword::Enum).and_then(|list| nth(list.node()))
    }

    /// The view with one of each list of alternatives chosen, preferably not null alone.
    fn decide(&self, mut view: View<'v>, turn: usize) -> View<'v> {
        let mut decided = HashSet::new();
        while let Some(list) = view
            .choices()
            .into_iter()
            .find(|list| decided.insert(list.id()))
            && decided.len() <= TURNS
        {
            let mut branches = list.items();
            branches.sort_by_key(|branch| {
                let view = self.sources.view([*branch]);
                words::is_null(&view) || view.is_impossible()
            });
            let count = branches.len().max(1);
            let chosen = branches.get(turn % count).copied();
            let parts = view.parts().iter().copied().chain(chosen);
            view = self.sources.view(parts);
        }
        view
    }
}
