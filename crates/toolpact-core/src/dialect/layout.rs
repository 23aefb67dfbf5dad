//! How a dialect lays a tool out: the shape around its schemas.

use crate::contract::Contract;

use super::loss::Loss;
use super::profile::Profile;
use super::tree::{Map, Tree};

/// What a dialect knows about a tool, beside its name and description.
pub(super) struct Layout {
    /// The schemas of arguments.
    pub(super) input: &'static Profile,
    /// The schemas of results; `None` if they cannot be told.
    pub(super) output: Option<Output>,
    /// Whether effects, the text template and the timeout can be told.
    pub(super) effects: bool,
    pub(super) text: bool,
    pub(super) timeout: bool,
    /// Makes the definition of a tool.
    pub(super) tool: fn(Parts<'_>) -> Tree,
}

/// How results are told.
pub(super) struct Output {
    pub(super) profile: &'static Profile,
    /// Whether a result has to be an object, so that others are wrapped.
    pub(super) objects_only: bool,
    /// Whether the promise can be told in our own words, beside the schema.
    pub(super) in_our_words: bool,
}

impl Output {
    /// Any result, by its schema alone.
    pub(super) const fn schema(profile: &'static Profile) -> Self {
        Self {
            profile,
            objects_only: false,
            in_our_words: false,
        }
    }
}

/// The parts of a tool, each in the words of the dialect.
pub(super) struct Parts<'c> {
    pub(super) contract: &'c Contract,
    pub(super) input: Tree,
    pub(super) output: Option<Tree>,
    /// Whether the results are wrapped.
    pub(super) wrapped: bool,
    /// The promise in our words, where the schema does not tell all of it.
    pub(super) promise: Option<Tree>,
    pub(super) losses: &'c mut Vec<Loss>,
}

impl Parts<'_> {
    /// A definition that begins with the name and the description.
    pub(super) fn named(&self) -> Map {
        let mut map = Map::default();
        map.set("name", Tree::string(self.contract.name().as_str()));
        map.set("description", Tree::string(self.contract.description()));
        map
    }
}
