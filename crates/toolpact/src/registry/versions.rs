use std::sync::{Arc, Weak};

use super::{RegisteredTool, ToolsetHandle};

/// A version of a tool: one contract it has, or had.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolVersion {
    /// The digest of the contract.
    pub digest: Box<str>,
    /// Whether new sessions see it.
    pub current: bool,
}

impl ToolsetHandle<'_> {
    /// The versions of a tool that can be called: the current one first, then those that open sessions
    /// keep.
    #[must_use]
    pub fn versions(&self, name: &str) -> Vec<ToolVersion> {
        let toolsets = self.registry().read();
        let Some(tools) = toolsets.get(self.name()) else {
            return Vec::new();
        };
        let current = tools.current.get(name).map(|entry| version(entry, true));
        let old = tools.old.iter().rev().filter_map(Weak::upgrade);
        let old =
            old.filter(|entry| entry.contract().name().as_str() == name && !entry.is_removed());
        let old = old.map(|entry: Arc<RegisteredTool>| version(&entry, false));
        current.into_iter().chain(old).collect()
    }
}

fn version(entry: &RegisteredTool, current: bool) -> ToolVersion {
    ToolVersion {
        digest: entry.digest().into(),
        current,
    }
}
