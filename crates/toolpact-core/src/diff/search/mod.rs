//! The search for a value that one side accepts and the other refuses.
//!
//! For each difference: values of the part that it is about, put into values around it. What is found is
//! only a candidate; the checkers of both contracts decide. There is one generator of values: the sampler.

mod edit;
mod parts;

use std::collections::HashMap;
use std::rc::Rc;

use crate::json::Value;
use crate::sample::draft;
use crate::schema::Keyword;
use crate::schema::view::{Identity, Part, Sources, View};
use crate::text::shorten;
use crate::violation::Token;

use super::Evidence;
use super::change::{Witness, WitnessKind};
use super::compare::{Difference, Step, Trail};
use super::evidence::Refusal;
use edit::{with_element, with_member};

/// Most candidates of one search.
const CANDIDATES: u32 = 6_000;
/// Most candidates for one difference.
const OF_ONE: u32 = 700;
/// Most bytes of values that are made and checked.
const BYTES: usize = 8 << 20;
/// Most parts that drafts may make.
const WORK: usize = 300_000;
/// Values around a part: with everything and with little, accepted by both sides or by one.
const AROUND: [u64; 4] = [9, 1, 17, 18];
/// Random values that are tried where no difference has shown anything.
const RANDOM: u64 = 120;

/// Searches for witnesses in the arguments or the results of two contracts.
pub(super) struct Search<'s, 'v> {
    sources: &'v Sources<'v>,
    evidence: &'s Evidence<'s>,
    is_arguments: bool,
    candidates: u32,
    bytes: usize,
    work: usize,
    drafts: HashMap<(Identity, u64), Option<Value>>,
    /// What was found and belongs to another difference than the one that was looked at.
    spare: Vec<(Value, Refusal)>,
}

impl<'s, 'v> Search<'s, 'v> {
    pub(super) fn new(
        sources: &'v Sources<'v>,
        evidence: &'s Evidence<'s>,
        is_arguments: bool,
    ) -> Self {
        Self {
            sources,
            evidence,
            is_arguments,
            candidates: CANDIDATES,
            bytes: BYTES,
            work: WORK,
            drafts: HashMap::new(),
            spare: Vec::new(),
        }
    }

    /// A witness that a difference breaks something.
    pub(super) fn directed(&mut self, difference: &Difference<'v>) -> Option<Witness> {
        let trail = &difference.at;
        let mut spare = self.spare.iter();
        if let Some(place) = spare.position(|(_, why)| concerns(why, difference).is_some()) {
            let (value, why) = self.spare.swap_remove(place);
            return Some(self.witness(&value, &why, concerns(&why, difference)));
        }
        let [from, to] = self.directions(trail);
        let parts = self.parts(difference, &from, &to);
        let least = self.candidates.saturating_sub(OF_ONE);
        for part in parts {
            for around in AROUND {
                let Some(value) = self.whole(trail, part.clone(), around) else {
                    continue;
                };
                if self.candidates <= least {
                    return None;
                }
                match self.refusal(&value) {
                    Some(why) if concerns(&why, difference).is_some() => {
                        return Some(self.witness(&value, &why, concerns(&why, difference)));
                    }
                    Some(why) if self.spare.len() < 20 => self.spare.push((value, why)),
                    _ => {}
                }
                if trail.parent.is_none() {
                    break;
                }
            }
        }
        None
    }

    /// A witness wherever, by values made at random.
    pub(super) fn anywhere(&mut self) -> Option<Witness> {
        if let Some((value, why)) = self.spare.pop() {
            return Some(self.witness(&value, &why, None));
        }
        let sampler = self.evidence.sampler(self.is_arguments);
        let shown = sampler.first().into_iter().chain(sampler.examples());
        let made = (0..RANDOM).filter_map(|seed| match seed % 3 {
            0 => sampler.unusual(seed),
            _ => sampler.nth(seed),
        });
        for value in shown.chain(made) {
            if let Some(why) = self.refusal(&value) {
                return Some(self.witness(&value, &why, None));
            }
        }
        None
    }

    /// Why a value is refused that must be accepted, while there is work left.
    fn refusal(&mut self, value: &Value) -> Option<Refusal> {
        self.candidates = self.candidates.checked_sub(1)?;
        self.bytes = self.bytes.checked_sub(value.text().len())?;
        match self.is_arguments {
            true => self.evidence.refused_arguments(value),
            false => self.evidence.refused_result(value),
        }
    }

    /// `reason` is the one to show; the first one, if there is none.
    fn witness(&self, value: &Value, why: &Refusal, reason: Option<&str>) -> Witness {
        let (kind, value) = match self.is_arguments {
            true => (WitnessKind::Call, self.evidence.call(value)),
            false => (WitnessKind::Result, value.clone()),
        };
        let reason = reason.or(why.reasons.first().map(|(_, reason)| &**reason));
        Witness {
            kind,
            value,
            reason: reason.unwrap_or_default().to_owned(),
        }
    }

    /// A value with a part at the end of a trail.
    fn whole(&mut self, trail: &Rc<Trail<'v>>, part: Value, around: u64) -> Option<Value> {
        let (mut value, mut at) = (part, trail);
        while let Some((parent, step)) = &at.parent {
            let host = self.host(parent, around);
            value = match step {
                Step::Choice => value,
                Step::Key(key) => with_member(&host?, key, value.text()),
                Step::OtherKey => with_member(&host?, parts::OTHER, value.text()),
                Step::Item(place) => with_element(&host?, *place, value.text())?,
            };
            at = parent;
        }
        Some(value)
    }

    /// A value that both sides accept; one that must be accepted, if there is none.
    fn host(&mut self, trail: &Trail<'v>, around: u64) -> Option<Value> {
        let [from, to] = self.directions(trail);
        let both = self.both(&from, &to);
        let shared = if around == 18 {
            None
        } else {
            self.draft(&both, around)
        };
        shared.or_else(|| self.draft(&from, around))
    }

    fn directions(&self, trail: &Trail<'v>) -> [View<'v>; 2] {
        let (old, new) = (trail.old.clone(), trail.new.clone());
        if self.is_arguments {
            [old, new]
        } else {
            [new, old]
        }
    }

    fn both(&self, one: &View<'v>, other: &View<'v>) -> View<'v> {
        self.sources
            .view(one.parts().iter().chain(other.parts()).copied())
    }

    /// The schemas for the member of this name, as far as they are named.
    fn member(&self, view: &View<'v>, key: &str) -> View<'v> {
        let schemas = view.parts().iter().filter_map(|part| {
            let named = part.get(Keyword::Properties);
            let named = named.and_then(|list| Some(list.beside(list.node().get(key)?)));
            named.or_else(|| part.get(Keyword::AdditionalProperties))
        });
        self.sources.view(schemas.collect::<Vec<Part<'v>>>())
    }

    /// A value of some schemas, which nobody has checked: the first 16 as they are shown to people, the
    /// others at random.
    fn draft(&mut self, view: &View<'v>, seed: u64) -> Option<Value> {
        let key = (view.all_identity(), seed);
        if let Some(known) = self.drafts.get(&key) {
            return known.clone();
        }
        let value = draft(self.sources, view, seed, &mut self.work);
        self.drafts.insert(key, value.clone());
        value
    }
}

/// Why a value is refused at the place of a difference, around it or inside of it.
fn concerns<'w>(why: &'w Refusal, difference: &Difference<'_>) -> Option<&'w str> {
    let mut place: Vec<Option<&str>> = Vec::new();
    for step in difference.at.steps() {
        match step {
            Step::Key(key) => place.push(Some(key)),
            Step::OtherKey | Step::Item(_) => place.push(None),
            Step::Choice => {}
        }
    }
    let key = difference.key.as_deref();
    let named = key.map(|key| format!("`{}`", shorten(key)));
    let mut reasons = why.reasons.iter();
    let found = reasons.find(|(pointer, reason)| {
        let tokens = pointer.tokens();
        let inside = tokens.get(place.len());
        let is_there = tokens
            .iter()
            .zip(&place)
            .all(|(token, step)| is_step(token, *step));
        let is_of_key = match (key, inside) {
            (None, _) => true,
            (Some(key), Some(token)) => is_step(token, Some(key)),
            // Of an object as a whole: that a key is missing.
            (Some(_), None) => named.as_ref().is_some_and(|name| reason.contains(name)),
        };
        is_there && is_of_key
    });
    found.map(|(_, reason)| &**reason)
}

fn is_step(token: &Token, step: Option<&str>) -> bool {
    match (token, step) {
        (Token::Key(key), Some(step)) => &**key == step,
        _ => true,
    }
}
