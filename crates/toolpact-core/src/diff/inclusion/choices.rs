//! Alternatives.

use crate::schema::Keyword;
use crate::schema::view::Part;

use super::{Left, Prover};

/// Most alternatives that are compared pair by pair.
const MOST: usize = 60;

impl<'v> Prover<'v> {
    /// Whether exactly one alternative is satisfied.
    pub(super) fn one_of_holds(&mut self, left: &Left<'v>, list: Part<'v>) -> bool {
        let branches = list.items();
        if branches.len() > MOST {
            return false;
        }
        let known: Vec<Part<'v>> = left.view.all(Keyword::OneOf).collect();
        if known
            .into_iter()
            .any(|known| self.are_equivalent(&known.items(), &branches))
        {
            return true;
        }
        (0..branches.len()).any(|one| {
            self.implies(left, branches[one])
                && (0..branches.len())
                    .filter(|other| *other != one)
                    .all(|other| self.excludes(left, branches[other]))
        })
    }

    /// Whether a schema is not satisfied.
    pub(super) fn not_holds(&mut self, left: &Left<'v>, schema: Part<'v>) -> bool {
        if self.excludes(left, schema) {
            return true;
        }
        let known: Vec<Part<'v>> = left.view.all(Keyword::Not).collect();
        let excluded = Left::of(self.sources.view([schema]));
        known
            .into_iter()
            .any(|known| self.implies_literally(&excluded, known))
    }

    /// Whether two lists of alternatives accept the same, one by one.
    fn are_equivalent(&mut self, one: &[Part<'v>], other: &[Part<'v>]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| {
                let [left, right] = [one, other].map(|part| Left::of(self.sources.view([*part])));
                self.implies_literally(&left, *other) && self.implies_literally(&right, *one)
            })
    }
}
