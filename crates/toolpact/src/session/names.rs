//! The names under which a session sees its tools.

use std::collections::HashMap;
use std::sync::Arc;

use toolpact_core::model::ToolName;

use crate::Error;
use crate::registry::RegisteredTool;

/// A tool with the name that calls use.
pub(super) type Visible = (Box<str>, Arc<RegisteredTool>);

/// Each tool with its name: its own, or one with the toolset in front where several toolsets have
/// a tool of that name, or always.
pub(super) fn visible(
    entries: Vec<Arc<RegisteredTool>>,
    always: bool,
) -> Result<Vec<Visible>, Error> {
    let mut times: HashMap<Box<str>, usize> = HashMap::new();
    for entry in &entries {
        *times.entry(own(entry).into()).or_default() += 1;
    }
    let mut named = Vec::with_capacity(entries.len());
    for entry in entries {
        let name: Box<str> = match times.get(own(&entry)) {
            Some(2..) => qualified(&entry)?,
            _ if always => qualified(&entry)?,
            _ => own(&entry).into(),
        };
        named.push((name, entry));
    }
    refuse_clashes(&named)?;
    Ok(named)
}

fn own(entry: &RegisteredTool) -> &str {
    entry.contract().name().as_str()
}

/// `orders__search`. Tools without a toolset keep their name.
fn qualified(entry: &RegisteredTool) -> Result<Box<str>, Error> {
    let name = match entry.toolset() {
        "" => own(entry).to_owned(),
        toolset => format!("{toolset}__{}", own(entry)),
    };
    match ToolName::new(&name) {
        Ok(_) => Ok(name.into()),
        Err(violations) => Err(Error::qualified(own(entry), &name, violations)),
    }
}

/// A qualified name may be the name of another tool.
fn refuse_clashes(named: &[Visible]) -> Result<(), Error> {
    let mut seen: HashMap<&str, &RegisteredTool> = HashMap::new();
    for (name, entry) in named {
        if let Some(other) = seen.insert(name, entry) {
            let toolsets = [other.toolset(), entry.toolset()];
            return Err(Error::name_clash(name, toolsets));
        }
    }
    Ok(())
}
