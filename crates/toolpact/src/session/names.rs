//! The names under which a session sees its tools.

use std::collections::HashMap;
use std::hash::BuildHasher;
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

/// The tools by all names that calls can use: the original names of contracts, too, unless another
/// tool has them.
pub(super) fn by_name<S: BuildHasher + Default>(
    named: Vec<Visible>,
) -> HashMap<Box<str>, Arc<RegisteredTool>, S> {
    let mut originals: HashMap<Box<str>, Option<Arc<RegisteredTool>>> = HashMap::new();
    for (name, entry) in &named {
        if let Some(original) = original(name, entry) {
            let others = originals.entry(original);
            others
                .and_modify(|other| *other = None)
                .or_insert_with(|| Some(Arc::clone(entry)));
        }
    }
    let mut tools: HashMap<_, _, S> = named.into_iter().collect();
    for (original, entry) in originals {
        if let Some(entry) = entry {
            tools.entry(original).or_insert(entry);
        }
    }
    tools
}

/// The original name of a tool, with its toolset in front where its name has it.
fn original(name: &str, entry: &RegisteredTool) -> Option<Box<str>> {
    let contract = entry.contract();
    contract.original_name()?;
    let renamed = contract.renamed(ToolName::new(name).ok()?);
    renamed.original_name().map(Into::into)
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
