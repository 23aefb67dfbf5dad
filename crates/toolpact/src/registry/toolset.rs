use std::collections::HashSet;
use std::sync::Arc;

use toolpact_core::model::ToolName;

use super::{RegisteredTool, Registry, Tools};
use crate::Error;
use crate::session::names::View;
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
            if !tools.current.contains_key(name) {
                return Err(Error::unknown_tool(name, &self.name));
            }
            tools.put(entry);
            Ok(())
        })
    }

    /// Removes a tool and its older versions. Sessions that are open cannot call it any more.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.change(|tools| {
            if !tools.current.contains_key(name) {
                return Err(Error::unknown_tool(name, &self.name));
            }
            tools.remove(&HashSet::from([name]));
            Ok(())
        })
    }

    /// Changes many tools at once, which is one change for those who follow [`Registry::changes`]: removes
    /// those of these names, then replaces or adds these. A definition that is registered already stays as it
    /// is, which costs nothing.
    ///
    /// ```
    /// # use toolpact::returns::NumberValue;
    /// use toolpact::define::IntoDefinition;
    /// # use toolpact::{Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    /// # /// Subtracts a number.
    /// # #[tool(read_only)]
    /// # async fn subtract(a: i64, b: i64) -> NumberValue { NumberValue::success(a - b) }
    /// let registry = Registry::new();
    /// let maths = registry.toolset("maths")?;
    /// let tools = [add::tool().into_definition()?, subtract::tool().into_definition()?];
    /// maths.update(tools.clone(), []);
    /// maths.update(tools, ["add"]);
    /// assert_eq!(*registry.changes().borrow(), 2);
    /// assert_eq!(registry.list().len(), 2);
    /// # Ok::<(), toolpact::Error>(())
    /// ```
    pub fn update<'n>(
        &self,
        tools: impl IntoIterator<Item = Definition>,
        removed: impl IntoIterator<Item = &'n str>,
    ) {
        let removed: HashSet<&str> = removed.into_iter().collect();
        let is_kept = |tool: &Definition| {
            let name = tool.contract().name().as_str();
            let current = self.get(name).filter(|_| !removed.contains(name));
            current.is_some_and(|current| current.is_of(tool))
        };
        let tools = tools.into_iter().filter(|tool| !is_kept(tool));
        let entries: Vec<RegisteredTool> = tools.map(|tool| self.entry(tool)).collect();
        if entries.is_empty() && removed.is_empty() {
            return;
        }
        let mut toolsets = self.registry.write();
        let tools = toolsets.entry(self.name.clone()).or_default();
        tools.remove(&removed);
        for entry in entries {
            tools.put(entry);
        }
        // Made here, where it delays nobody, rather than by the next who opens a session.
        let view = Arc::new(View::new(super::all(&toolsets), true, self.registry.kept()));
        let generation = *self.registry.0.changes.borrow() + 1;
        self.registry.set_view(generation, &view);
        self.registry.0.changes.send_replace(generation);
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
        // Before the lock is gone, so that who reads the tools knows after how many changes they are so.
        self.registry.0.changes.send_modify(|times| *times += 1);
        Ok(())
    }
}

impl Tools {
    /// Adds a tool, or puts it in the place of the one of its name.
    fn put(&mut self, entry: RegisteredTool) {
        match self.current.get_mut(&**entry.name()) {
            Some(place) => {
                let old = Arc::clone(place);
                *place = Arc::new(entry.replacing(&old));
                old.keep();
                self.forget();
                self.old.push(Arc::downgrade(&old));
            }
            None => {
                self.current
                    .insert((**entry.name()).into(), Arc::new(entry));
            }
        }
    }

    /// Removes tools and their older versions.
    fn remove(&mut self, names: &HashSet<&str>) {
        if let [name] = *names.iter().collect::<Vec<_>>() {
            let removed = self.current.shift_remove(*name);
            if let Some(entry) = removed {
                entry.remove();
            }
        } else if !names.is_empty() {
            self.current.retain(|name, entry| {
                let is_removed = names.contains(&**name);
                if is_removed {
                    entry.remove();
                }
                !is_removed
            });
        }
        for old in self.old.iter().filter_map(std::sync::Weak::upgrade) {
            if names.contains(&**old.name()) {
                old.remove();
            }
        }
    }

    /// Forgets older versions that no session knows any more: seldom enough that it costs little.
    fn forget(&mut self) {
        if self.old.len() == self.old.capacity() {
            self.old.retain(|old| old.strong_count() > 0);
        }
    }
}
