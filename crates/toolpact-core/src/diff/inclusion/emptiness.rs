//! Schemas that accept nothing.

use crate::schema::Keyword;

use super::{Left, Prover, Types};

/// Most places of an array that are looked at one by one.
const MOST: usize = 10;

impl<'v> Prover<'v> {
    /// Whether no value is left, without looking at alternatives one by one.
    pub(super) fn is_empty(&mut self, left: &Left<'v>) -> bool {
        if left.types.is_empty() || left.view.is_impossible() {
            return true;
        }
        if let Some(values) = left.values()
            && values.into_iter().all(|value| self.refuses(left, value))
        {
            return true;
        }
        left.types.each().all(|one| {
            let only = left.only(one);
            match one {
                Types::WHOLE | Types::FRACTION => only.has_no_number(),
                Types::STRING => crosses(&only, Keyword::MinLength, Keyword::MaxLength),
                Types::ARRAY => self.has_no_array(&only),
                Types::OBJECT => self.has_no_object(&only),
                _ => false,
            }
        })
    }

    fn has_no_array(&mut self, left: &Left<'v>) -> bool {
        let least = left.counts(Keyword::MinItems).max().unwrap_or(0);
        least > left.most_items()
            || (0..least.min(MOST)).any(|place| {
                let element = self.element(left, place);
                self.is_void(&element)
            })
    }

    fn has_no_object(&mut self, left: &Left<'v>) -> bool {
        let required = left.view.required();
        let least = left.counts(Keyword::MinProperties).max().unwrap_or(0);
        least.max(required.len()) > left.most_members()
            || required.iter().any(|name| {
                let member = self.member(left, name);
                !member.parts().is_empty() && self.is_void(&member)
            })
    }
}

fn crosses(left: &Left<'_>, least: Keyword, most: Keyword) -> bool {
    let limits = left.counts(least).max().zip(left.counts(most).min());
    limits.is_some_and(|(least, most)| least > most)
}
