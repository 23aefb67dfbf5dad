//! Where the tools of these tests run: here. The tests of `toolpact-grid` are made of the same files with another
//! world, where each tool runs in a runtime behind a host.

#![allow(dead_code, reason = "not every binary of tests needs all of it")]

use toolpact::registry::ToolsetHandle;
use toolpact::{Definition, Error, Registry, define::IntoDefinition};

/// Registers tools that run in this world.
pub(crate) trait Place {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error>;

    fn place_all<T: IntoDefinition>(&self, tools: impl IntoIterator<Item = T>)
    -> Result<(), Error>;
}

impl Place for Registry {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.add(tool)
    }

    fn place_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        self.add_all(tools)
    }
}

impl Place for ToolsetHandle<'_> {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.add(tool)
    }

    fn place_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        self.add_all(tools)
    }
}

/// A tool that runs in this world, for what is added and replaced in other ways.
pub(crate) fn placed(tool: Definition) -> Definition {
    tool
}

/// Milliseconds in which a tool begins.
pub(crate) const SHORT_MS: u64 = 30;

/// How many calls are many.
pub(crate) const CROWD: usize = 10_000;

/// How many items a tool may be ahead of a slow reader.
pub(crate) const AHEAD: usize = 17;

/// Whether a test is left out since it is about what only exists in process. Nothing is, here.
pub(crate) fn leaves_out(_: &str) -> bool {
    false
}
