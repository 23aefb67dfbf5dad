//! The names under which a session sees its tools.

use std::collections::HashMap;
use std::sync::Arc;

use toolpact_core::model::ToolName;

use crate::Error;
use crate::registry::RegisteredTool;

/// A tool with the name that calls use.
pub(crate) type Visible = (Arc<str>, Arc<RegisteredTool>);

/// The tools that a session sees.
#[derive(Default)]
pub(crate) struct View {
    /// In the order they were registered.
    pub(super) order: Box<[Visible]>,
    by_name: HashMap<Arc<str>, Visible, foldhash::fast::RandomState>,
    /// Why tools are not among them: they cannot be told apart from others.
    pub(super) left_out: Vec<Error>,
}

impl View {
    /// Each tool with its name: its own, or one with the toolset in front where several toolsets have
    /// a tool of that name, or always. Of two that would have the same name, the second is left out.
    pub(crate) fn new(entries: Vec<Arc<RegisteredTool>>, always: bool) -> Self {
        let times = match always {
            true => HashMap::new(),
            false => times(&entries),
        };
        let (mut order, mut left_out) = (Vec::with_capacity(entries.len()), Vec::new());
        let mut by_name: HashMap<Arc<str>, Visible, _> = HashMap::default();
        by_name.reserve(entries.len());
        for entry in entries {
            let is_qualified = always || times.get(entry.name()).is_some_and(|times| *times > 1);
            let name = match is_qualified {
                true => qualified(&entry),
                false => Ok(Arc::clone(entry.name())),
            };
            let visible = name.and_then(|name| match by_name.get(&name) {
                Some((_, other)) => Err(clash(&name, other, &entry)),
                None => Ok((name, entry)),
            });
            match visible {
                Ok(visible) => {
                    by_name.insert(Arc::clone(&visible.0), visible.clone());
                    order.push(visible);
                }
                Err(error) => left_out.push(error),
            }
        }
        add_originals(&order, &mut by_name);
        Self {
            order: order.into(),
            by_name,
            left_out,
        }
    }

    /// Without the tools of these names.
    pub(super) fn without(self, hidden: impl Fn(&str) -> bool) -> Self {
        let left_out = self.left_out;
        let seen = self.order.iter().filter(|(name, _)| !hidden(name));
        Self {
            left_out,
            ..Self::of(seen.cloned().collect())
        }
    }

    /// The tools that pass, under the names they have here.
    pub(crate) fn only(&self, passes: impl Fn(&RegisteredTool) -> bool) -> Self {
        let seen = self.order.iter().filter(|(_, tool)| passes(tool));
        Self::of(seen.cloned().collect())
    }

    fn of(order: Box<[Visible]>) -> Self {
        let own = order.iter().map(|one| (Arc::clone(&one.0), one.clone()));
        let mut by_name = own.collect();
        add_originals(&order, &mut by_name);
        Self {
            order,
            by_name,
            left_out: Vec::new(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Visible> {
        let visible = self.by_name.get(name)?;
        (!visible.1.is_removed()).then_some(visible)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Visible> {
        self.order.iter().filter(|(_, entry)| !entry.is_removed())
    }
}

/// How many toolsets have a tool of each name.
fn times(entries: &[Arc<RegisteredTool>]) -> HashMap<Arc<str>, usize> {
    let mut times: HashMap<Arc<str>, usize> = HashMap::new();
    for entry in entries {
        *times.entry(Arc::clone(entry.name())).or_default() += 1;
    }
    times
}

/// Calls can use the original names of contracts, too, unless another tool has them.
fn add_originals(
    order: &[Visible],
    by_name: &mut HashMap<Arc<str>, Visible, foldhash::fast::RandomState>,
) {
    let mut originals: HashMap<Arc<str>, Option<&Visible>> = HashMap::new();
    for visible in order {
        if let Some(original) = original(visible) {
            let others = originals.entry(original);
            others
                .and_modify(|other| *other = None)
                .or_insert(Some(visible));
        }
    }
    for (original, visible) in originals {
        if let Some(visible) = visible {
            by_name.entry(original).or_insert_with(|| visible.clone());
        }
    }
}

/// The original name of a tool, with its toolset in front where its name has it.
fn original((name, entry): &Visible) -> Option<Arc<str>> {
    let contract = entry.contract();
    contract.original_name()?;
    let renamed = contract.renamed(ToolName::new(name).ok()?);
    renamed.original_name().map(Into::into)
}

/// `orders__search`. Tools without a toolset keep their name.
fn qualified(entry: &RegisteredTool) -> Result<Arc<str>, Error> {
    if let Some(name) = entry.qualified_name() {
        return Ok(Arc::clone(name));
    }
    let name = format!("{}__{}", entry.toolset(), entry.name());
    let violations = ToolName::new(&name).err().unwrap_or_default();
    Err(Error::qualified(entry.name(), &name, violations))
}

/// A qualified name may be the name of another tool.
fn clash(name: &str, first: &RegisteredTool, second: &RegisteredTool) -> Error {
    Error::name_clash(name, [first.toolset(), second.toolset()])
}
