//! Which path checks values, and why.

use std::fmt;

use super::Function;
use super::function::Takes;
use crate::adl::AdlTool;
use crate::check::{Uncovered, covers};
use crate::contract::Contract;
use crate::json::Node;
use crate::returns::Returns;
use crate::violation::{Pointer, Token};

/// How values are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Path {
    /// Text is checked in one pass, without a tree.
    Fast,
    /// Text is read into a tree first, because of this construct. The pointer is into the
    /// definition of the tool.
    Explained(Uncovered),
    /// Nothing is declared, so nothing is checked.
    Unchecked,
}

impl Function {
    /// How arguments are checked.
    #[must_use]
    pub fn arguments_path(&self) -> Path {
        match &self.takes {
            Takes::Adm(schema) if covers(schema) => Path::Fast,
            Takes::Adm(_) => Path::Explained(Uncovered {
                pointer: self.source.arguments(&Pointer::root()),
                why: "too many properties or allowed values".to_owned(),
            }),
            Takes::JsonSchema(checker) => path(checker.uncovered(), |p| self.source.arguments(p)),
        }
    }

    /// How results are checked.
    #[must_use]
    pub fn result_path(&self) -> Path {
        match &self.source.returns {
            Some(at) => path(self.promise.uncovered(), |p| extend(at, &p.tokens())),
            None => Path::Unchecked,
        }
    }
}

fn path(uncovered: Option<&Uncovered>, place: impl FnOnce(&Pointer) -> Pointer) -> Path {
    let Some(Uncovered { pointer, why }) = uncovered else {
        return Path::Fast;
    };
    Path::Explained(Uncovered {
        pointer: place(pointer),
        why: why.clone(),
    })
}

/// Where the schemas of a function are in its definition.
#[derive(Debug)]
pub(super) struct Source {
    /// In ADL the parameters are a list, which becomes the properties of a schema.
    listed: Option<Box<[Box<str>]>>,
    /// `None` if nothing is declared.
    returns: Option<Pointer>,
}

impl Source {
    pub(super) fn of_declaration() -> Self {
        Self {
            listed: None,
            returns: None,
        }
    }

    pub(super) fn of_contract(contract: &Contract) -> Self {
        Self {
            listed: None,
            returns: schema_of(contract.returns(), contract.return_type().is_some()),
        }
    }

    pub(super) fn of_adl(tool: &AdlTool) -> Self {
        let list = tool.source().root().get("parameters");
        let names = list.into_iter().flat_map(Node::items).map(|parameter| {
            let name = parameter.get("name").and_then(Node::as_str);
            Box::from(name.unwrap_or_default())
        });
        Self {
            listed: Some(names.collect()),
            returns: schema_of(tool.returns(), true),
        }
    }

    /// Translates a place in the schema of the arguments to a place in the definition.
    fn arguments(&self, place: &Pointer) -> Pointer {
        let root = Pointer::root().key("parameters");
        let tokens = place.tokens();
        let Some(listed) = &self.listed else {
            return extend(&root, &tokens);
        };
        match tokens.as_slice() {
            [_, Token::Key(name), rest @ ..] => {
                let at = listed.iter().position(|listed| listed == name);
                at.map_or(root.clone(), |at| extend(&root.index(at), rest))
            }
            _ => root,
        }
    }
}

/// The place of the return schema. In a return type object it has a field of its own.
fn schema_of(returns: &Returns, in_object: bool) -> Option<Pointer> {
    let at = Pointer::root().key("returns");
    match returns {
        Returns::Custom(_) | Returns::Standard { .. } if in_object => Some(at.key("schema")),
        Returns::Custom(_) | Returns::Standard { .. } => Some(at),
        Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => None,
    }
}

fn extend(pointer: &Pointer, tokens: &[&Token]) -> Pointer {
    tokens
        .iter()
        .fold(pointer.clone(), |pointer, token| match token {
            Token::Key(key) => pointer.key(key),
            Token::Index(index) => pointer.index(*index),
        })
}

/// `fast`, or `explained: the keyword `unevaluatedItems` at /parameters/properties/tags/unevaluatedItems`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Fast => f.write_str("fast"),
            Path::Explained(Uncovered { pointer, why }) => {
                write!(f, "explained: {why} at {}", pointer.brief())
            }
            Path::Unchecked => f.write_str("unchecked: nothing is promised"),
        }
    }
}
