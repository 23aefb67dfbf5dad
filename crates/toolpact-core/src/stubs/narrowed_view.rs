//! The schemas of one value, with alternatives chosen one after the other.

use crate::json::Node;
use crate::schema::view::{Identity, Part, Sources, View};
use crate::schema::{JsonType, Keyword, Shape, keywords};

/// The most combinations of alternatives that are distinguished.
const WIDEST: usize = 64;

/// A view, and the lists of alternatives that are already decided.
#[derive(Clone)]
pub(super) struct NarrowedView<'v> {
    pub(super) view: View<'v>,
    chosen: Identity,
    /// How many combinations there are.
    width: usize,
}

impl<'v> NarrowedView<'v> {
    pub(super) fn new(view: View<'v>) -> Self {
        Self {
            view,
            chosen: Vec::new(),
            width: 1,
        }
    }

    /// The same value under each alternative of the next list that distinguishes types.
    pub(super) fn branches(&self, sources: &Sources<'v>) -> Option<Vec<NarrowedView<'v>>> {
        let lists = self.view.choices().into_iter();
        let mut lists = lists.filter(|list| !self.chosen.contains(&list.id()));
        let list = lists.find(|list| self.tells_apart(*list))?;
        let branches = list.items();
        let width = self.width.saturating_mul(branches.len().max(1));
        if self.width > 1 && width > WIDEST {
            return None;
        }
        let branch = |branch: Part<'v>| {
            let parts = self.view.parts().iter().copied().chain([branch]);
            let mut chosen = self.chosen.clone();
            chosen.push(list.id());
            NarrowedView {
                view: sources.view(parts),
                chosen,
                width,
            }
        };
        Some(branches.into_iter().map(branch).collect())
    }

    /// The value under each combination of alternatives.
    pub(super) fn alternatives(&self, sources: &Sources<'v>) -> Vec<NarrowedView<'v>> {
        let (mut todo, mut done) = (vec![self.clone()], Vec::new());
        while let Some(place) = todo.pop() {
            match place.branches(sources) {
                Some(branches) => todo.extend(branches.into_iter().rev()),
                None => done.push(place),
            }
        }
        done
    }

    /// The types that are allowed; `None` if nothing is said.
    pub(super) fn types(&self) -> Option<Vec<JsonType>> {
        let likely = || self.view.likely_type().map(|one| vec![one]);
        self.view.types().or_else(likely)
    }

    /// Places whose parts have the same keywords that types depend on, and nothing left to choose,
    /// are the same.
    pub(super) fn identity(&self) -> Identity {
        let mut identity = self.view.identity_by(|part| {
            keywords(part.node).any(|(keyword, _)| keyword.shape() != Shape::No)
        });
        identity.extend(&self.chosen);
        identity.sort_unstable();
        identity
    }

    /// What distinguishes one object from another.
    pub(super) fn object_identity(&self) -> Identity {
        self.view.identity_by(|part| {
            keywords(part.node).any(|(keyword, _)| keyword.shape() == Shape::Object)
        })
    }

    /// Whether the alternatives differ in type. Not if they only require keys or set limits.
    fn tells_apart(&self, list: Part<'v>) -> bool {
        let is_object = self.types().is_some();
        let tells = |schema: Node<'v>| {
            schema.as_bool() == Some(false)
                || keywords(schema).any(|(keyword, value)| match keyword {
                    Keyword::Type => {
                        !is_object || value.as_str().is_none_or(|word| word != "object")
                    }
                    Keyword::Required | Keyword::MinItems | Keyword::MaxItems => false,
                    Keyword::Ref | Keyword::DynamicRef | Keyword::AllOf => true,
                    keyword => keyword.shape() != Shape::No,
                })
        };
        list.items().into_iter().any(|branch| tells(branch.node))
    }
}
