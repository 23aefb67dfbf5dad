//! Tools of the server itself in the registry.

use std::collections::HashSet;

use toolpact::{Definition, Registry};

/// The tools that are registered.
#[derive(Debug, Default)]
pub(crate) struct Installed {
    names: HashSet<String>,
    /// The names of those that others have.
    taken: Vec<String>,
}

impl Installed {
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Puts these tools in the place of those that were there, except for those whose names others have.
    pub(crate) fn update(&mut self, registry: &Registry, tools: Vec<Definition>) {
        let name = |tool: &Definition| tool.contract().name().to_string();
        let is_free = |tool: &Definition| {
            let name = name(tool);
            self.names.contains(&name) || registry.get(&name).is_none()
        };
        let (free, taken): (Vec<_>, Vec<_>) = tools.into_iter().partition(is_free);
        let now: HashSet<String> = free.iter().map(name).collect();
        let gone: Vec<&str> = self.names.difference(&now).map(String::as_str).collect();
        registry.update(free, gone);
        self.taken = taken.iter().map(name).collect();
        self.names = now;
    }

    /// The names that others have.
    pub(crate) fn taken(&self) -> &[String] {
        &self.taken
    }
}
