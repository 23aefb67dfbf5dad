//! What is asked of one value, with alternatives chosen one after the other.

use crate::docs::words;
use crate::json::{Node, NodeId};
use crate::schema::view::{Part, Sources, View};

/// Most combinations of alternatives that are told apart.
const WIDEST: usize = 64;

/// What tells one place from another, as far as types go.
pub(super) type Identity = Vec<(usize, NodeId)>;

/// A view, and the lists of alternatives of which one has been chosen.
#[derive(Clone)]
pub(super) struct Place<'v> {
    pub(super) view: View<'v>,
    chosen: Identity,
    /// How many combinations there are.
    width: usize,
}

impl<'v> Place<'v> {
    pub(super) fn new(view: View<'v>) -> Self {
        Self {
            view,
            chosen: Vec::new(),
            width: 1,
        }
    }

    /// The same value under each alternative of the next list that tells types apart.
    pub(super) fn branches(&self, sources: &Sources<'v>) -> Option<Vec<Place<'v>>> {
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
            Place {
                view: sources.view(parts),
                chosen,
                width,
            }
        };
        Some(branches.into_iter().map(branch).collect())
    }

    /// The value under each combination of alternatives.
    pub(super) fn alternatives(&self, sources: &Sources<'v>) -> Vec<Place<'v>> {
        let (mut todo, mut done) = (vec![self.clone()], Vec::new());
        while let Some(place) = todo.pop() {
            match place.branches(sources) {
                Some(branches) => todo.extend(branches.into_iter().rev()),
                None => done.push(place),
            }
        }
        done
    }

    /// The names of the types that are allowed; `None` if nothing is said.
    pub(super) fn types(&self) -> Option<Vec<&'static str>> {
        match self.view.get("type") {
            Some(_) => Some(words::types(&self.view)),
            None => words::clue(&self.view).map(|name| vec![name]),
        }
    }

    /// Parts with the same words about types, and nothing left to choose, are the same place.
    pub(super) fn identity(&self) -> Identity {
        let parts = self.view.parts().iter();
        let parts = parts.filter(|part| part.node.members().any(|(key, _)| is_shape(&key)));
        let ids = parts.map(|part| part.id());
        let mut identity: Identity = ids.chain(self.chosen.iter().copied()).collect();
        identity.sort_unstable();
        identity
    }

    /// What tells one object from another.
    pub(super) fn object_identity(&self) -> Identity {
        let parts = self.view.parts().iter();
        let parts = parts.filter(|part| part.node.members().any(|(key, _)| is_of_objects(&key)));
        let mut identity: Identity = parts.map(|part| part.id()).collect();
        identity.sort_unstable();
        identity
    }

    /// Not if its alternatives only ask for keys or set limits.
    fn tells_apart(&self, list: Part<'v>) -> bool {
        let is_object = self.types().is_some();
        let tells = |schema: Node<'v>| {
            schema.as_bool() == Some(false)
                || schema.members().any(|(key, value)| match &*key {
                    "type" => !is_object || value.as_str().is_none_or(|word| word != "object"),
                    "required" | "minItems" | "maxItems" => false,
                    "$ref" | "$dynamicRef" | "allOf" => true,
                    key => is_shape(key),
                })
        };
        list.items().into_iter().any(|branch| tells(branch.node))
    }
}

fn is_shape(keyword: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "anyOf",
        "const",
        "enum",
        "items",
        "maxItems",
        "minItems",
        "oneOf",
        "prefixItems",
        "type",
    ];
    is_of_objects(keyword) || OTHERS.contains(&keyword)
}

fn is_of_objects(keyword: &str) -> bool {
    const KEYWORDS: [&str; 8] = [
        "additionalProperties",
        "dependentSchemas",
        "else",
        "patternProperties",
        "properties",
        "required",
        "then",
        "unevaluatedProperties",
    ];
    KEYWORDS.contains(&keyword)
}
