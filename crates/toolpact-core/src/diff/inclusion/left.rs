use crate::schema::Keyword;
use crate::schema::view::{Part, PartId, Sources, View};

use super::{Prover, Types};

/// The most alternatives that are looked at one by one.
const MOST: usize = 200;

/// What is known of a value: the schemas that it satisfies, and which case is looked at.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Left<'v> {
    pub(super) view: View<'v>,
    pub(super) types: Types,
    /// The lists of alternatives of which one was chosen.
    decided: Vec<PartId>,
}

impl<'v> Left<'v> {
    pub(in crate::diff) fn of(view: View<'v>) -> Self {
        Self {
            types: Types::of(&view),
            view,
            decided: Vec::new(),
        }
    }

    pub(super) fn has(&self, part: Part<'v>) -> bool {
        self.view.parts().iter().any(|one| one.id() == part.id())
    }

    /// With a further schema.
    pub(super) fn and(&self, sources: &Sources<'v>, part: Part<'v>) -> Self {
        let parts = self.view.parts().iter().copied().chain([part]);
        let view = sources.view(parts);
        Self {
            types: self.types.and(Types::of(&view)),
            view,
            decided: self.decided.clone(),
        }
    }

    pub(super) fn only(&self, types: Types) -> Self {
        Self {
            types,
            ..self.clone()
        }
    }

    fn decide(&self, list: PartId) -> Self {
        let mut decided = self.decided.clone();
        decided.push(list);
        Self {
            decided,
            ..self.clone()
        }
    }
}

impl<'v> Prover<'v> {
    /// Cases that cover it: each alternative, each type, with and without a condition. `None` if there is
    /// only one.
    pub(super) fn split(&mut self, left: &Left<'v>) -> Option<Vec<Left<'v>>> {
        let is_open = |part: &Part<'v>| !left.decided.contains(&part.id());
        if let Some(list) = left.view.choices().into_iter().find(is_open) {
            let branches = list.items();
            let left = left.decide(list.id());
            let pieces = branches.iter().map(|one| left.and(self.sources, *one));
            return (branches.len() <= MOST).then(|| pieces.collect());
        }
        let mut conditions = left.view.parts().iter().copied();
        let condition = conditions.find(|part| part.get(Keyword::If).is_some() && is_open(part));
        if let Some(part) = condition {
            let left = left.decide(part.id());
            let with = |left: Left<'v>, keyword| match part.get(keyword) {
                Some(schema) => left.and(self.sources, schema),
                None => left,
            };
            let satisfied = with(with(left.clone(), Keyword::If), Keyword::Then);
            return Some(vec![satisfied, with(left, Keyword::Else)]);
        }
        let types: Vec<Left<'v>> = left.types.each().map(|one| left.only(one)).collect();
        (types.len() > 1).then_some(types)
    }
}
