//! Whether one schema accepts all that another accepts, shown by their structure.
//!
//! To decide this for any two schemas is not possible. A [`Prover`] shows it for the usual keywords and
//! says nothing otherwise: what it shows is true, and what it does not show may be true, too. Its work is
//! bounded.
//!
//! What it shows for schemas that refer to themselves is true because values are finite: a goal is
//! assumed only for the parts of the value that it was set for.

mod arrays;
mod choices;
mod conditions;
mod emptiness;
mod holds;
mod left;
mod local;
mod members;
mod numbers;
mod objects;
mod types;
mod values;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use indexmap::IndexSet;
use regex::Regex;

use crate::check::Checker;
use crate::schema::view::{Identity, Part, PartId, Sources, View};

pub(super) use holds::refers;
pub(super) use left::Left;
use members::Named;
pub(super) use members::mentions;
pub(super) use types::Types;

/// Most steps of all proofs of one prover.
const WORK: u32 = 60_000;
/// Deepest nesting of goals.
const DEPTH: u32 = 60;

/// That every value of one view is a value of another, taken literally or not.
type Goal = (bool, Identity, Identity);

/// Shows that one schema accepts all that another accepts.
pub(super) struct Prover<'v> {
    sources: &'v Sources<'v>,
    /// The schema `false`.
    never: Part<'v>,
    work: u32,
    depth: u32,
    /// Goals that are assumed for parts of the value at hand, or shown.
    shown: IndexSet<Goal>,
    /// Goals that were tried.
    failed: HashSet<Goal>,
    checkers: HashMap<PartId, Option<Rc<Checker>>>,
    patterns: HashMap<String, Option<Rc<Regex>>>,
    named: HashMap<PartId, Rc<Named<'v>>>,
    /// Whether keys that nobody has heard of count, as they do where a schema is negated.
    is_literal: bool,
    /// Whether references depend on where they are followed from, which no view shows.
    is_dynamic: bool,
}

impl<'v> Prover<'v> {
    /// A prover for views of these sources, of which `never` is the schema `false`.
    pub(super) fn new(sources: &'v Sources<'v>, never: Part<'v>) -> Self {
        Self {
            sources,
            never,
            work: WORK,
            depth: 0,
            shown: IndexSet::new(),
            failed: HashSet::new(),
            checkers: HashMap::new(),
            patterns: HashMap::new(),
            named: HashMap::new(),
            is_literal: false,
            is_dynamic: sources.are_dynamic(),
        }
    }

    /// Whether every value of `left` is one of `right`, as far as that can be shown.
    pub(super) fn includes(&mut self, left: &View<'v>, right: &View<'v>) -> bool {
        if self.is_dynamic {
            return false;
        }
        let goal = (self.is_literal, left.all_identity(), right.all_identity());
        if goal.2.iter().all(|part| goal.1.contains(part)) || self.shown.contains(&goal) {
            return true;
        }
        if self.failed.contains(&goal) {
            return false;
        }
        let mark = self.shown.len();
        self.shown.insert(goal.clone());
        let is_shown = self.in_place(&Left::of(left.clone()), right.parts());
        if !is_shown {
            // What was shown since may depend on it.
            self.shown.truncate(mark);
            self.failed.insert(goal);
        }
        is_shown
    }

    /// The same for all values, those with keys that nobody has heard of included.
    pub(super) fn includes_literally(&mut self, left: &View<'v>, right: &View<'v>) -> bool {
        let before = std::mem::replace(&mut self.is_literal, true);
        let is_shown = self.includes(left, right);
        self.is_literal = before;
        is_shown
    }

    /// Whether a schema accepts nothing, as far as that can be shown.
    pub(super) fn is_void(&mut self, view: &View<'v>) -> bool {
        let never = self.sources.view([self.never]);
        self.includes(view, &never)
    }

    /// The same for the value at hand, of which nothing may be assumed.
    fn in_place(&mut self, left: &Left<'v>, right: &[Part<'v>]) -> bool {
        if self.depth >= DEPTH || !self.spend(1) {
            return false;
        }
        self.depth += 1;
        let is_shown = self.each_in_place(left, right);
        self.depth -= 1;
        is_shown
    }

    fn each_in_place(&mut self, left: &Left<'v>, right: &[Part<'v>]) -> bool {
        if left.types.is_empty() {
            return true;
        }
        let mut open: Vec<Part<'v>> = Vec::new();
        for part in right {
            if !left.has(*part) && !self.part_holds(left, *part) {
                open.push(*part);
            }
        }
        if open.is_empty() || self.is_empty(left) {
            return true;
        }
        let pieces = self.split(left);
        pieces.is_some_and(|pieces| pieces.iter().all(|piece| self.in_place(piece, &open)))
    }

    /// Whether no value satisfies both, in place.
    fn excludes(&mut self, left: &Left<'v>, other: Part<'v>) -> bool {
        let both = left.and(self.sources, other);
        let never = [self.never];
        self.in_place(&both, &never)
    }

    /// The same as [`in_place`](Self::in_place) for a schema with its references.
    fn implies(&mut self, left: &Left<'v>, schema: Part<'v>) -> bool {
        let right = self.sources.view([schema]);
        self.in_place(left, right.parts())
    }

    /// The same for all values, those with keys that nobody has heard of included.
    fn implies_literally(&mut self, left: &Left<'v>, schema: Part<'v>) -> bool {
        let before = std::mem::replace(&mut self.is_literal, true);
        let is_shown = self.implies(left, schema);
        self.is_literal = before;
        is_shown
    }

    /// Takes so much work, if it is left.
    fn spend(&mut self, work: usize) -> bool {
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let left = self.work.checked_sub(work);
        self.work = left.unwrap_or(0);
        left.is_some()
    }
}
