//! How a dialect lays out a tool around its schemas.

use crate::contract::Contract;

use super::loss::Loss;
use super::profile::Profile;
use super::tree::{Map, Tree};

/// What a dialect supports in a tool, besides its name and description.
pub(super) struct Layout {
    /// The schemas of arguments.
    pub(super) input: &'static Profile,
    /// The schemas of results; `None` if the dialect does not describe them.
    pub(super) output: Option<Output>,
    /// Whether effects, the text template and the timeout are supported.
    pub(super) effects: bool,
    pub(super) text: bool,
    pub(super) timeout: bool,
    /// Builds the definition of a tool.
    pub(super) tool: fn(Parts<'_>) -> Tree,
}

/// How results are described.
pub(super) struct Output {
    pub(super) profile: &'static Profile,
    /// Whether results must be objects, so that others are wrapped.
    pub(super) objects_only: bool,
    /// Whether `returns` can also be written as in the contract, besides the schema.
    pub(super) in_our_words: bool,
}

impl Output {
    /// Any result, described by its schema alone.
    pub(super) const fn schema(profile: &'static Profile) -> Self {
        Self {
            profile,
            objects_only: false,
            in_our_words: false,
        }
    }
}

/// The parts of a tool, converted to the dialect.
pub(super) struct Parts<'c> {
    pub(super) contract: &'c Contract,
    /// Its name in the dialect.
    pub(super) name: &'c str,
    /// Its description, as long as the provider takes it.
    pub(super) description: &'c str,
    pub(super) input: Tree,
    pub(super) output: Option<Tree>,
    /// Whether the results are wrapped.
    pub(super) wrapped: bool,
    /// `returns` as in the contract, where the schema does not express all of it.
    pub(super) promise: Option<Tree>,
    pub(super) losses: &'c mut Vec<Loss>,
}

impl Parts<'_> {
    /// A definition that starts with the name and the description.
    pub(super) fn named(&self) -> Map {
        let mut map = Map::default();
        map.set("name", Tree::string(self.name));
        map.set("description", Tree::string(self.description));
        map
    }
}
