//! The names under which a session sees its tools.

use std::collections::HashMap;
use std::sync::Arc;

use toolpact_core::model::ToolName;

use crate::Error;
use crate::registry::{Kept, KeptPlaces, RegisteredTool};

/// A tool with the name that calls use.
pub(crate) type Visible = (Arc<str>, Arc<RegisteredTool>);

/// By the names that calls can use: the place in the order.
type Places = HashMap<Arc<str>, u32, foldhash::fast::RandomState>;

/// The tools that a session could show, whoever calls.
#[derive(Default)]
pub(crate) struct View {
    /// In the order they were registered.
    order: Box<[Visible]>,
    by_name: Places,
    /// So that it is known how much sessions keep.
    kept: Option<KeptPlaces>,
    /// Why tools are not among them: they cannot be told apart from others.
    pub(super) left_out: Vec<Error>,
}

/// The tools of a view that a principal sees. There may be many of these, so it has places and no names: a name means
/// the same tool for everybody, or none.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(super) whole: Arc<View>,
    /// The places in the order of the whole, ascending; all of them without this.
    only: Option<Arc<[u32]>>,
}

impl View {
    /// Each tool with its name: its own, or one with the toolset in front where several toolsets have
    /// a tool of that name, or always. Of two that would have the same name, the second is left out.
    pub(crate) fn new(entries: Vec<Arc<RegisteredTool>>, always: bool, kept: &Arc<Kept>) -> Self {
        let times = match always {
            true => HashMap::new(),
            false => times(&entries),
        };
        let (mut order, mut left_out) = (Vec::with_capacity(entries.len()), Vec::new());
        let mut by_name = Places::default();
        by_name.reserve(entries.len());
        for entry in entries {
            let is_qualified = always || times.get(entry.name()).is_some_and(|times| *times > 1);
            let name = match is_qualified {
                true => qualified(&entry),
                false => Ok(Arc::clone(entry.name())),
            };
            let visible = name.and_then(|name| match find(&order, &by_name, &name) {
                Some((_, other)) => Err(clash(&name, other, &entry)),
                None => Ok((name, entry)),
            });
            match visible {
                Ok(visible) => {
                    by_name.insert(Arc::clone(&visible.0), place(order.len()));
                    order.push(visible);
                }
                Err(error) => left_out.push(error),
            }
        }
        add_originals(&order, &mut by_name);
        Self {
            kept: Some(kept.places(order.len())),
            order: order.into(),
            by_name,
            left_out,
        }
    }

    /// Without the tools of these names.
    pub(super) fn without(self, hidden: impl Fn(&str) -> bool) -> Self {
        let (left_out, kept) = (self.left_out, self.kept);
        let seen = self.order.iter().filter(|(name, _)| !hidden(name));
        Self {
            kept,
            left_out,
            ..Self::of(seen.cloned().collect())
        }
    }

    /// The places of the tools that pass.
    pub(crate) fn places(&self, passes: impl Fn(&RegisteredTool) -> bool) -> Vec<u32> {
        let tools = self.order.iter().zip(0..);
        let seen = tools.filter(|((_, tool), _)| passes(tool));
        seen.map(|(_, place)| place).collect()
    }

    /// How many tools there are, with those that were removed.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    fn of(order: Box<[Visible]>) -> Self {
        let own = order.iter().zip(0..);
        let own = own.map(|((name, _), place)| (Arc::clone(name), place));
        let mut by_name = own.collect();
        add_originals(&order, &mut by_name);
        Self {
            order,
            by_name,
            kept: None,
            left_out: Vec::new(),
        }
    }
}

impl Seen {
    /// All tools of a view.
    pub(crate) fn all(whole: Arc<View>) -> Self {
        Self { whole, only: None }
    }

    /// The tools at these places, which ascend; all without them.
    pub(crate) fn only(whole: Arc<View>, only: Option<Arc<[u32]>>) -> Self {
        Self { whole, only }
    }

    /// Whether these are the very same tools.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same = match (&self.only, &other.only) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        same && Arc::ptr_eq(&self.whole, &other.whole)
    }

    /// How many there are, with those that were removed.
    pub(super) fn len(&self) -> usize {
        self.only
            .as_ref()
            .map_or(self.whole.len(), |only| only.len())
    }

    /// The tool at a place among them, also if it was removed.
    pub(super) fn at(&self, place: usize) -> Option<&Visible> {
        let place = match &self.only {
            Some(only) => usize::try_from(*only.get(place)?).ok()?,
            None => place,
        };
        self.whole.order.get(place)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Visible> {
        let place = self.whole.by_name.get(name)?;
        let sees = |only: &Arc<[u32]>| only.binary_search(place).is_ok();
        self.only.as_ref().is_none_or(sees).then_some(())?;
        let visible = self.whole.order.get(usize::try_from(*place).ok()?)?;
        (!visible.1.is_removed()).then_some(visible)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Visible> {
        let all = (0..self.len()).filter_map(|place| self.at(place));
        all.filter(|(_, entry)| !entry.is_removed())
    }
}

fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn find<'o>(order: &'o [Visible], by_name: &Places, name: &str) -> Option<&'o Visible> {
    order.get(usize::try_from(*by_name.get(name)?).ok()?)
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
fn add_originals(order: &[Visible], by_name: &mut Places) {
    let mut originals: HashMap<Arc<str>, Option<u32>> = HashMap::new();
    for (visible, place) in order.iter().zip(0..) {
        if let Some(original) = original(visible) {
            let others = originals.entry(original);
            others
                .and_modify(|other| *other = None)
                .or_insert(Some(place));
        }
    }
    for (original, place) in originals {
        if let Some(place) = place {
            by_name.entry(original).or_insert(place);
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
