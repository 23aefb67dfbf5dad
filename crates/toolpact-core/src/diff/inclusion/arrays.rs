//! The elements of arrays.

use crate::schema::Keyword;
use crate::schema::view::{Part, View};

use super::holds::same_group;
use super::{Left, Prover};

/// Most places of an array that are looked at one by one.
const MOST: usize = 100;

impl Left<'_> {
    /// The most elements that an array can have.
    pub(super) fn most_items(&self) -> usize {
        let closed = self.view.parts().iter().filter_map(|part| {
            let items = part.get(Keyword::Items)?;
            (items.node.as_bool() == Some(false)).then(|| prefix(*part).len())
        });
        let counted = self.counts(Keyword::MaxItems);
        counted.chain(closed).min().unwrap_or(usize::MAX)
    }

    fn longest_prefix(&self) -> usize {
        let parts = self.view.parts().iter();
        parts.map(|part| prefix(*part).len()).max().unwrap_or(0)
    }
}

impl<'v> Prover<'v> {
    /// What is known of the element at a place.
    pub(super) fn element(&self, left: &Left<'v>, place: usize) -> View<'v> {
        let schemas = left.view.parts().iter().filter_map(|part| {
            let first = prefix(*part).get(place).copied();
            first.or_else(|| part.get(Keyword::Items))
        });
        self.sources.view(schemas)
    }

    /// Whether all elements behind the first satisfy the schema `items` of a part.
    pub(super) fn items_hold(&mut self, left: &Left<'v>, part: Part<'v>, items: Part<'v>) -> bool {
        let first = prefix(part).len();
        let last = left.longest_prefix().max(first);
        let right = self.sources.view([items]);
        last <= MOST && (first..=last).all(|place| self.element_holds(left, place, &right))
    }

    /// Whether the first elements satisfy the schemas of `prefixItems`.
    pub(super) fn prefix_holds(&mut self, left: &Left<'v>, list: Part<'v>) -> bool {
        let schemas = list.items();
        schemas.len() <= MOST
            && schemas.into_iter().enumerate().all(|(place, schema)| {
                let right = self.sources.view([schema]);
                self.element_holds(left, place, &right)
            })
    }

    fn element_holds(&mut self, left: &Left<'v>, place: usize, right: &View<'v>) -> bool {
        if left.most_items() <= place {
            return true;
        }
        let element = self.element(left, place);
        self.includes(&element, right)
    }

    /// Whether some elements satisfy a schema.
    pub(super) fn contains_holds(
        &mut self,
        left: &Left<'v>,
        part: Part<'v>,
        contains: Part<'v>,
    ) -> bool {
        const GROUP: [Keyword; 3] = [
            Keyword::Contains,
            Keyword::MinContains,
            Keyword::MaxContains,
        ];
        if same_group(left, part, &GROUP) {
            return true;
        }
        let is_counted =
            part.get(Keyword::MinContains).is_some() || part.get(Keyword::MaxContains).is_some();
        let is_filled = left
            .counts(Keyword::MinItems)
            .max()
            .is_some_and(|least| least > 0);
        if is_counted || !is_filled {
            return false;
        }
        let (first, right) = (self.element(left, 0), self.sources.view([contains]));
        self.includes(&first, &right)
    }
}

/// The schemas of the first elements.
pub(super) fn prefix(part: Part<'_>) -> Vec<Part<'_>> {
    let list = part.get(Keyword::PrefixItems);
    list.map_or_else(Vec::new, Part::items)
}
