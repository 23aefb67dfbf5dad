//! The tools of a source in the registry.

use std::collections::HashSet;

use toolpact::define::DefineError;
use toolpact::{Definition, Registry};

/// The tools of one source that are registered.
#[derive(Debug, Default)]
pub(super) struct Installed {
    toolset: Option<Box<str>>,
    names: Vec<String>,
}

impl Installed {
    pub(super) fn new(toolset: Option<&str>) -> Self {
        Self {
            toolset: toolset.map(Box::from),
            names: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Puts these tools in the place of those that were there. Returns which could not be, and why.
    pub(super) fn update(&mut self, registry: &Registry, tools: Vec<Definition>) -> Vec<String> {
        let mut wrong = Vec::new();
        let before: HashSet<String> = self.names.drain(..).collect();
        let mut now = HashSet::new();
        for tool in tools {
            let name = tool.contract().name().to_string();
            let done = match before.contains(&name) && !now.contains(&name) {
                true => self.replace(registry, tool),
                false => self.add(registry, tool),
            };
            match done {
                Ok(()) => {
                    now.insert(name.clone());
                    self.names.push(name);
                }
                Err(error) => wrong.push(error.to_string()),
            }
        }
        for gone in before.difference(&now) {
            wrong.extend(
                self.take(registry, gone)
                    .err()
                    .map(|error| error.to_string()),
            );
        }
        wrong
    }

    /// Takes all tools out.
    pub(super) fn clear(&mut self, registry: &Registry) {
        self.update(registry, Vec::new());
    }

    fn add(&self, registry: &Registry, tool: Definition) -> Result<(), DefineError> {
        match &self.toolset {
            Some(name) => registry.toolset(name)?.add(tool),
            None => registry.add(tool),
        }
    }

    fn replace(&self, registry: &Registry, tool: Definition) -> Result<(), DefineError> {
        match &self.toolset {
            Some(name) => registry.toolset(name)?.replace(tool),
            None => registry.replace(tool),
        }
    }

    fn take(&self, registry: &Registry, name: &str) -> Result<(), DefineError> {
        match &self.toolset {
            Some(toolset) => registry.toolset(toolset)?.remove(name),
            None => registry.remove(name),
        }
    }
}
