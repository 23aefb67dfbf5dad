//! The tools of a source in the registry.

use std::collections::HashSet;

use toolpact::core::model::ToolName;
use toolpact::error::ErrorKind;
use toolpact::{Definition, Registry};

/// The tools of one source that are registered.
#[derive(Debug, Default)]
pub(crate) struct Installed {
    toolset: Option<Box<str>>,
    names: Vec<String>,
    /// Those whose names others have.
    waiting: Vec<Definition>,
}

impl Installed {
    pub(super) fn new(toolset: Option<&str>) -> Self {
        Self {
            toolset: toolset.map(Box::from),
            names: Vec::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn toolset(&self) -> Option<&str> {
        self.toolset.as_deref()
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Puts these tools in the place of those that were there. Returns which could not be, and why;
    /// those whose names others have are [waiting](Self::waiting).
    pub(crate) fn update(&mut self, registry: &Registry, tools: Vec<Definition>) -> Vec<String> {
        let mut wrong = Vec::new();
        self.waiting.clear();
        let before: HashSet<String> = self.names.drain(..).collect();
        let mut now = HashSet::new();
        for tool in tools {
            if let Err(why) = self.check_name(&tool) {
                wrong.push(why);
                continue;
            }
            let name = tool.contract().name().to_string();
            let done = match before.contains(&name) && !now.contains(&name) {
                true => self.replace(registry, tool.clone()),
                false => self.add(registry, tool.clone()),
            };
            match done {
                Ok(()) => {
                    now.insert(name.clone());
                    self.names.push(name);
                }
                // They are told together.
                Err(error) if error.kind() == ErrorKind::NameTaken => self.waiting.push(tool),
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

    /// The names of tools that others have, which are in the way.
    pub(crate) fn waiting(&self) -> Vec<String> {
        let names = self.waiting.iter().map(|tool| tool.contract().name());
        names.map(ToString::to_string).collect()
    }

    /// Whether names of others are in the way.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Adds those whose names have become free. Returns how many they are.
    pub(super) fn retry(&mut self, registry: &Registry) -> usize {
        let waiting = std::mem::take(&mut self.waiting);
        let before = self.names.len();
        for tool in waiting {
            match self.add(registry, tool.clone()) {
                Ok(()) => self.names.push(tool.contract().name().to_string()),
                Err(_) => self.waiting.push(tool),
            }
        }
        self.names.len() - before
    }

    /// Takes all tools out.
    pub(super) fn clear(&mut self, registry: &Registry) {
        self.update(registry, Vec::new());
    }

    /// With the name of the source in front, a name may become too long.
    fn check_name(&self, tool: &Definition) -> Result<(), String> {
        let Some(toolset) = &self.toolset else {
            return Ok(());
        };
        let name = format!("{toolset}__{}", tool.contract().name());
        ToolName::new(&name).map(drop).map_err(|wrong| {
            let why = wrong.iter().next().map(ToString::to_string);
            format!("`{name}` is no name: {}", why.unwrap_or_default())
        })
    }

    fn add(&self, registry: &Registry, tool: Definition) -> Result<(), toolpact::Error> {
        match &self.toolset {
            Some(name) => registry.toolset(name)?.add(tool),
            None => registry.add(tool),
        }
    }

    fn replace(&self, registry: &Registry, tool: Definition) -> Result<(), toolpact::Error> {
        match &self.toolset {
            Some(name) => registry.toolset(name)?.replace(tool),
            None => registry.replace(tool),
        }
    }

    fn take(&self, registry: &Registry, name: &str) -> Result<(), toolpact::Error> {
        match &self.toolset {
            Some(toolset) => registry.toolset(toolset)?.remove(name),
            None => registry.remove(name),
        }
    }
}
