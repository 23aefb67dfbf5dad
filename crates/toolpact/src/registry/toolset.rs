use std::sync::Arc;

use toolpact_core::model::ToolName;

use super::{RegisteredTool, Registry, Tools};
use crate::Error;
use crate::{Definition, define::IntoDefinition};

/// The tools of a namespace. See [`Registry::toolset`].
#[derive(Debug)]
pub struct ToolsetHandle<'r> {
    registry: &'r Registry,
    name: Box<str>,
}

impl<'r> ToolsetHandle<'r> {
    pub(super) fn new(registry: &'r Registry, name: &str) -> Result<Self, Error> {
        if let Err(violations) = ToolName::new(name) {
            return Err(Error::toolset(name, violations));
        }
        let name = name.into();
        Ok(Self { registry, name })
    }

    pub(super) fn default_toolset(registry: &'r Registry) -> Self {
        let name = "".into();
        Self { registry, name }
    }

    /// Registers a tool.
    pub fn add(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        let entry = self.entry(tool.into_definition()?);
        self.change(|tools| self.insert(tools, entry.into()))
    }

    /// Registers tools, all of them or none.
    pub fn add_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        let tools = tools.into_iter().map(T::into_definition);
        let definitions: Vec<Definition> = tools.collect::<Result<_, _>>()?;
        let entries: Vec<Arc<RegisteredTool>> = definitions
            .into_iter()
            .map(|d| self.entry(d).into())
            .collect();
        self.change(|tools| {
            let before = tools.current.len();
            let added = entries
                .into_iter()
                .try_for_each(|entry| self.insert(tools, entry));
            if added.is_err() {
                tools.current.truncate(before);
            }
            added
        })
    }

    /// Replaces a tool of the same name, and goes on with its counters. Sessions that are open keep the old one.
    pub fn replace(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        let entry = self.entry(tool.into_definition()?);
        self.change(|tools| {
            let name = entry.contract().name().as_str();
            let Some(place) = tools.current.get_mut(name) else {
                return Err(Error::unknown_tool(name, &self.name));
            };
            let old = Arc::clone(place);
            *place = Arc::new(entry.replacing(&old));
            tools.old.retain(|old| old.strong_count() > 0);
            tools.old.push(Arc::downgrade(&old));
            Ok(())
        })
    }

    /// Removes a tool and its older versions. Sessions that are open cannot call it any more.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.change(|tools| {
            let removed = tools.current.shift_remove(name);
            let entry = removed.ok_or_else(|| Error::unknown_tool(name, &self.name))?;
            entry.remove();
            for old in tools.old.iter().filter_map(std::sync::Weak::upgrade) {
                if old.contract().name().as_str() == name {
                    old.remove();
                }
            }
            Ok(())
        })
    }

    /// A tool by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        let toolsets = self.registry.read();
        toolsets.get(&self.name)?.current.get(name).cloned()
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn registry(&self) -> &'r Registry {
        self.registry
    }

    fn entry(&self, definition: Definition) -> RegisteredTool {
        let options = &self.registry.0.options;
        RegisteredTool::new(&self.name, definition, options)
    }

    fn insert(&self, tools: &mut Tools, entry: Arc<RegisteredTool>) -> Result<(), Error> {
        let name: Box<str> = entry.contract().name().as_str().into();
        if tools.current.contains_key(&name) {
            return Err(Error::name_taken(&name, &self.name));
        }
        tools.current.insert(name, entry);
        Ok(())
    }

    fn change(&self, change: impl FnOnce(&mut Tools) -> Result<(), Error>) -> Result<(), Error> {
        let mut toolsets = self.registry.write();
        change(toolsets.entry(self.name.clone()).or_default())?;
        drop(toolsets);
        self.registry.0.changes.send_modify(|times| *times += 1);
        Ok(())
    }
}
