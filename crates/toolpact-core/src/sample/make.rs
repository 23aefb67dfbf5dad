use std::collections::{HashMap, HashSet};

use regex::Regex;

use crate::json::{Kind, Node, Writer};
use crate::schema::view::{Identity, Part, Sources, View};
use crate::schema::{JsonType, Keyword};

use super::standard::Frame;
use super::{Random, number, string};

/// A strategy for a value that is shown to readers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    /// Whether optional values are included.
    pub(super) fills: bool,
    /// Whether the examples and defaults of fields are used. They may be wrong.
    pub(super) trusts: bool,
    /// Which alternative to start with.
    choice: usize,
}

/// How far random values go from what is usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variety {
    Usual,
    Unusual,
}

/// How choices are made.
#[derive(Debug)]
pub(super) enum Style {
    Shown(Attempt),
    Random(Random, Variety),
}

/// What is usual where anything is allowed.
const SIMPLE: [JsonType; 3] = [JsonType::String, JsonType::Integer, JsonType::Boolean];
/// The deepest nesting.
const DEPTH: usize = 16;
/// How many alternatives are tried at one place, and how many lists of them are decided.
const TURNS: usize = 8;

impl Attempt {
    pub(super) fn all() -> impl Iterator<Item = Self> {
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
}

/// Makes one value. It may be invalid.
pub(super) struct Maker<'s, 'v> {
    pub(super) sources: &'s Sources<'v>,
    pub(super) style: Style,
    /// How many parts may still be made.
    work: &'s mut usize,
    /// The objects that are being made, to stop recursion.
    pub(super) around: Vec<Identity>,
    pub(super) patterns: HashMap<String, Option<Regex>>,
    /// Members of the whole value that are known.
    pub(super) frame: Frame,
    /// A member of the whole value that is needed.
    pub(super) needs: Option<&'static str>,
}

impl<'s, 'v> Maker<'s, 'v> {
    pub(super) fn shown(sources: &'s Sources<'v>, attempt: Attempt, work: &'s mut usize) -> Self {
        Self::new(sources, Style::Shown(attempt), work)
    }

    pub(super) fn random(
        sources: &'s Sources<'v>,
        random: Random,
        variety: Variety,
        work: &'s mut usize,
    ) -> Self {
        Self::new(sources, Style::Random(random, variety), work)
    }

    fn new(sources: &'s Sources<'v>, style: Style, work: &'s mut usize) -> Self {
        Self {
            sources,
            style,
            work,
            around: Vec::new(),
            patterns: HashMap::new(),
            frame: Vec::new(),
            needs: None,
        }
    }

    /// The whole value as JSON.
    pub(super) fn root(&mut self) -> Option<String> {
        self.value(&self.sources.root(), 0, 0)
    }

    /// The whole value as JSON, which must be an object.
    pub(super) fn root_object(&mut self) -> Option<String> {
        let turn = match self.style {
            Style::Shown(attempt) => attempt.choice,
            Style::Random(..) => 0,
        };
        let root = self.decide(self.sources.root(), turn);
        self.object(&root, 0)
    }

    /// A value as JSON. The n-th variant differs from the others, as far as it can.
    pub(super) fn value(
        &mut self,
        view: &View<'v>,
        variant: usize,
        depth: usize,
    ) -> Option<String> {
        self.spend(1 + view.parts().len() / 8)?;
        if view.is_impossible() || depth > DEPTH {
            return None;
        }
        let variant = self.varied(variant);
        if let Some(given) = self.given(view, variant) {
            return Some(given.text().to_owned());
        }
        let branches = view.choices().first().map_or(0, |list| list.items().len());
        let first = match self.style {
            Style::Shown(attempt) => attempt.choice,
            Style::Random(..) => 0,
        };
        let turns = first..first + branches.clamp(1, TURNS);
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
        let json = match self.type_of(view) {
            Some(JsonType::Object) => return self.object(view, depth),
            Some(JsonType::Array) => return self.array(view, depth),
            Some(JsonType::Number | JsonType::Integer) => match &mut self.style {
                Style::Shown(_) => number::make(view, variant)?,
                Style::Random(random, variety) => number::random(view, random, *variety)?,
            },
            Some(JsonType::Boolean) => (variant.is_multiple_of(2)).to_string(),
            Some(JsonType::Null) => "null".to_owned(),
            Some(JsonType::String) | None => {
                let text = match &mut self.style {
                    Style::Shown(_) => string::make(view, variant)?,
                    Style::Random(random, variety) => string::random(view, random, *variety)?,
                };
                let mut writer = Writer::default();
                writer.string(&text);
                writer.finish()
            }
        };
        self.spend(json.len() / 64)?;
        Some(json)
    }

    /// Which of the allowed types the value gets.
    fn type_of(&mut self, view: &View<'v>) -> Option<JsonType> {
        let types = view.meant_types();
        match &mut self.style {
            Style::Shown(_) => types.first().copied(),
            Style::Random(random, variety) => {
                let is_open = view.types().is_none();
                let any = match variety {
                    Variety::Usual => is_open && types.is_empty(),
                    Variety::Unusual => is_open && random.chance(25),
                };
                match any {
                    true if *variety == Variety::Usual => random.pick(&SIMPLE).copied(),
                    true => random.pick(&JsonType::ALL).copied(),
                    false => random.pick(&types).copied(),
                }
            }
        }
    }

    /// A value from the schema itself: a constant, an example, a default, a choice.
    fn given(&mut self, view: &View<'v>, variant: usize) -> Option<Node<'v>> {
        let trusts = match &mut self.style {
            Style::Shown(attempt) => attempt.trusts,
            Style::Random(random, _) => {
                if let Some(values) = view.values() {
                    return random.pick(&values).copied();
                }
                random.chance(15)
            }
        };
        if let Some(value) = view.get(Keyword::Const) {
            return Some(value.node());
        }
        let nth = |list: Node<'v>| {
            let count = list.items().count().max(1);
            list.items().nth(variant % count)
        };
        if trusts {
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
    fn decide(&mut self, mut view: View<'v>, turn: usize) -> View<'v> {
        let mut decided = HashSet::new();
        while let Some(list) = view
            .choices()
            .into_iter()
            .find(|list| decided.insert(list.id()))
            && decided.len() <= TURNS
        {
            let mut branches = list.items();
            self.charge(branches.len());
            branches.sort_by_key(|branch| {
                let view = self.sources.view([*branch]);
                view.meant_types() == [JsonType::Null] || view.is_impossible()
            });
            let count = branches.len().max(1);
            let chosen = match &mut self.style {
                Style::Shown(_) => branches.get(turn % count),
                Style::Random(random, _) => random.pick(&branches),
            };
            let parts = view.parts().iter().copied().chain(chosen.copied());
            view = self.sources.view(parts);
        }
        self.conditions(view)
    }

    /// The view with one branch of each `if` chosen.
    fn conditions(&mut self, mut view: View<'v>) -> View<'v> {
        let conditional: Vec<Part<'v>> = view.parts().to_vec();
        for part in conditional {
            let (Style::Random(random, _), Some(when)) = (&mut self.style, part.get(Keyword::If))
            else {
                continue;
            };
            let then = part.get(Keyword::Then);
            let chosen = match random.chance(50) {
                true => [Some(when), then],
                false => [part.get(Keyword::Else), None],
            };
            let parts = view.parts().iter().copied();
            view = self.sources.view(parts.chain(chosen.into_iter().flatten()));
        }
        view
    }

    /// Takes work that was done anyway.
    pub(super) fn charge(&mut self, parts: usize) {
        *self.work = self.work.saturating_sub(parts);
    }

    pub(super) fn spend(&mut self, parts: usize) -> Option<()> {
        *self.work = self.work.checked_sub(parts)?;
        Some(())
    }

    /// Random values differ without being numbered.
    fn varied(&mut self, variant: usize) -> usize {
        match &mut self.style {
            Style::Shown(_) => variant,
            Style::Random(random, _) => random.below(10_000),
        }
    }
}
