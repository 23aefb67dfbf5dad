use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::contract::Contract;
use crate::model::{Digest, ToolName};
use crate::violation::Pointer;

use super::LockedSource;

/// Most places that a text names.
const SHOWN: usize = 5;

/// What is another in the tools of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The tool that it is about: as it is called now, or was if it is gone.
    pub tool: ToolName,
    /// What happened.
    pub kind: DifferenceKind,
    /// The digest of what was agreed on, if there was anything.
    pub locked: Option<Digest>,
    /// The digest of what is there now, if there is anything.
    pub found: Option<Digest>,
    /// Where the contracts differ, if there are two: `/description`.
    pub places: Vec<Pointer>,
}

/// What happened to a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Its contract is another.
    Changed,
    /// It was not there.
    Added,
    /// It was not there, but all of it but the name was that of a tool which is gone.
    RenamedFrom(ToolName),
    /// It is gone.
    Removed,
    /// It is gone, and is there under another name.
    RenamedTo(ToolName),
}

impl DifferenceKind {
    /// In a word: `changed`, `added`, `removed` or `renamed`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            DifferenceKind::Changed => "changed",
            DifferenceKind::Added => "added",
            DifferenceKind::Removed => "removed",
            DifferenceKind::RenamedFrom(_) | DifferenceKind::RenamedTo(_) => "renamed",
        }
    }
}

impl Difference {
    /// Whether there is a tool now that was not agreed on.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.found.is_some()
    }
}

impl LockedSource {
    /// What is another in the tools that the source has now: first what is there, in this order, then what is gone.
    #[must_use]
    pub fn differences<'c>(
        &self,
        found: impl IntoIterator<Item = &'c Contract>,
    ) -> Vec<Difference> {
        let found: Vec<(&Contract, Digest)> = { found.into_iter() }
            .map(|contract| (contract, contract.digest()))
            .collect();
        let names: HashSet<&ToolName> = found.iter().map(|(contract, _)| contract.name()).collect();
        let gone = self.tools.iter().filter(|(name, _)| !names.contains(name));
        let gone: Vec<(&ToolName, Digest)> =
            gone.map(|(name, tool)| (name, tool.digest())).collect();
        let mut renamed = HashMap::new();
        let mut differences: Vec<Difference> = { found.iter() }
            .filter_map(|(contract, digest)| {
                self.difference(contract, *digest, &gone, &mut renamed)
            })
            .collect();
        differences.extend(gone.iter().map(|(name, digest)| Difference {
            tool: (*name).clone(),
            kind: match renamed.remove(name) {
                Some(now) => DifferenceKind::RenamedTo(now),
                None => DifferenceKind::Removed,
            },
            locked: Some(*digest),
            found: None,
            places: Vec::new(),
        }));
        differences
    }

    fn difference<'s>(
        &'s self,
        contract: &Contract,
        found: Digest,
        gone: &[(&'s ToolName, Digest)],
        renamed: &mut HashMap<&'s ToolName, ToolName>,
    ) -> Option<Difference> {
        let tool = contract.name().clone();
        let (kind, locked, places) = match self.get(tool.as_str()) {
            Some(locked) if locked.digest() == found => return None,
            Some(locked) => {
                let places = locked.contract().differing_places(contract);
                (DifferenceKind::Changed, Some(locked.digest()), places)
            }
            None => {
                // Its digest covers the name, so it is compared under the name that is gone.
                let before = gone.iter().find(|(name, digest)| {
                    !renamed.contains_key(name)
                        && contract.renamed((*name).clone()).digest() == *digest
                });
                match before {
                    Some((name, digest)) => {
                        renamed.insert(name, tool.clone());
                        let kind = DifferenceKind::RenamedFrom((*name).clone());
                        (kind, Some(*digest), vec![Pointer::root().key("name")])
                    }
                    None => (DifferenceKind::Added, None, Vec::new()),
                }
            }
        };
        Some(Difference {
            tool,
            kind,
            locked,
            found: Some(found),
            places,
        })
    }
}

/// "`ping` is another: /description".
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = &self.tool;
        match &self.kind {
            DifferenceKind::Changed => {
                write!(f, "`{tool}` is another: ")?;
                let shown: Vec<String> = { self.places.iter() }
                    .take(SHOWN)
                    .map(Pointer::to_string)
                    .collect();
                f.write_str(&shown.join(", "))?;
                match self.places.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            DifferenceKind::Added => write!(f, "`{tool}` is new"),
            DifferenceKind::RenamedFrom(before) => write!(f, "`{tool}` was `{before}`"),
            DifferenceKind::Removed => write!(f, "`{tool}` is gone"),
            DifferenceKind::RenamedTo(now) => write!(f, "`{tool}` is `{now}` now"),
        }
    }
}
