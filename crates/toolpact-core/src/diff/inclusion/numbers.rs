//! Limits of numbers.

use std::cmp::Ordering;

use crate::json::{Node, Number, Whole};
use crate::schema::Keyword;

use super::{Left, Types};

/// A limit of numbers.
#[derive(Debug, Clone)]
struct Limit {
    text: String,
    /// Whether the limit itself is excluded.
    is_open: bool,
}

impl Limit {
    fn new(node: Node<'_>, is_open: bool) -> Option<Self> {
        let text = node.as_number()?.text().to_owned();
        Some(Self { text, is_open })
    }

    fn compare(&self, other: &Self) -> Ordering {
        Number::new(&self.text).compare(Number::new(&other.text))
    }

    /// For whole numbers a limit that is excluded is one that is not, one further on.
    fn of_whole(self, step: i64) -> Self {
        let Whole::Integer(limit) = Number::new(&self.text).whole() else {
            return self;
        };
        match limit.checked_add(step).filter(|_| self.is_open) {
            Some(next) => Self {
                text: next.to_string(),
                is_open: false,
            },
            None => self,
        }
    }
}

impl Left<'_> {
    /// Whether all numbers satisfy a lower limit.
    pub(super) fn is_above(&self, keyword: Keyword, limit: Node<'_>) -> bool {
        let limit = Limit::new(limit, keyword == Keyword::ExclusiveMinimum);
        let known = self.lower();
        limit
            .zip(known)
            .is_some_and(|(limit, known)| satisfies(known.compare(&limit), &known, &limit))
    }

    /// Whether all numbers satisfy an upper limit.
    pub(super) fn is_below(&self, keyword: Keyword, limit: Node<'_>) -> bool {
        let limit = Limit::new(limit, keyword == Keyword::ExclusiveMaximum);
        let known = self.upper();
        limit.zip(known).is_some_and(|(limit, known)| {
            satisfies(known.compare(&limit).reverse(), &known, &limit)
        })
    }

    /// Whether all numbers are multiples of a number.
    pub(super) fn is_multiple(&self, step: Node<'_>) -> bool {
        let Some(step) = step.as_number() else {
            return false;
        };
        let is_whole = |number: Number<'_>| matches!(number.whole(), Whole::Integer(_));
        let mut known = self.view.all(Keyword::MultipleOf);
        let is_known = known.any(|part| {
            part.node.as_number().is_some_and(|known| {
                known.compare(step) == Ordering::Equal
                    || is_whole(known) && is_whole(step) && known.is_multiple_of(step)
            })
        });
        let one = step.whole() == Whole::Integer(1);
        is_known || one && !Types::FRACTION.is_in(self.types)
    }

    /// Whether no number of these types is within the limits.
    pub(super) fn has_no_number(&self) -> bool {
        let is_whole = |part: &crate::schema::view::Part<'_>| {
            let step = part.node.as_number().map(Number::whole);
            matches!(step, Some(Whole::Integer(_)))
        };
        if self.types == Types::FRACTION && self.view.all(Keyword::MultipleOf).any(|p| is_whole(&p))
        {
            return true;
        }
        let limits = self.lower().zip(self.upper());
        limits.is_some_and(|(lower, upper)| match lower.compare(&upper) {
            Ordering::Less => false,
            Ordering::Equal => {
                lower.is_open
                    || upper.is_open
                    || self.types == Types::FRACTION && is_integer(&lower)
            }
            Ordering::Greater => true,
        })
    }

    fn lower(&self) -> Option<Limit> {
        let limits = self.limits(Keyword::Minimum, Keyword::ExclusiveMinimum, 1);
        limits.reduce(|one, other| match one.compare(&other) {
            Ordering::Less => other,
            Ordering::Equal if other.is_open => other,
            _ => one,
        })
    }

    fn upper(&self) -> Option<Limit> {
        let limits = self.limits(Keyword::Maximum, Keyword::ExclusiveMaximum, -1);
        limits.reduce(|one, other| match one.compare(&other) {
            Ordering::Greater => other,
            Ordering::Equal if other.is_open => other,
            _ => one,
        })
    }

    fn limits(&self, closed: Keyword, open: Keyword, step: i64) -> impl Iterator<Item = Limit> {
        let of = |keyword: Keyword, is_open| {
            let parts = self.view.all(keyword);
            parts.filter_map(move |part| Limit::new(part.node, is_open))
        };
        let is_whole = !Types::FRACTION.is_in(self.types);
        let whole = move |limit: Limit| {
            if is_whole {
                limit.of_whole(step)
            } else {
                limit
            }
        };
        of(closed, false).chain(of(open, true)).map(whole)
    }
}

fn is_integer(limit: &Limit) -> bool {
    Number::new(&limit.text).whole() != Whole::Fraction
}

/// Whether a limit that is known implies another. `order` is how much further in it is.
fn satisfies(order: Ordering, known: &Limit, limit: &Limit) -> bool {
    match order {
        Ordering::Greater => true,
        Ordering::Equal => known.is_open || !limit.is_open,
        Ordering::Less => false,
    }
}
