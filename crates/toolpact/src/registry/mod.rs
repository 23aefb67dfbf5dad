//! The tools of a process.

mod builder;
mod extensions;
mod filter;
mod kept;
mod quarantine;
mod read_output;
mod registered_tool;
mod toolset;
mod versions;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use indexmap::IndexMap;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact_core::Principal;
use toolpact_core::memory::MemoryBudget;
use toolpact_core::returns::Level;

pub use builder::RegistryBuilder;
pub use filter::ToolFilter;
pub(crate) use kept::{Kept, KeptPlaces};
pub use read_output::TypedOutput;
pub use registered_tool::RegisteredTool;
pub(crate) use registered_tool::{SMALL, results_are_spent};
pub use toolset::ToolsetHandle;
pub use versions::ToolVersion;

use crate::Error;
use crate::call::{Approver, CallGuard, Gate, PrincipalGates, PrincipalLimits, ResultChecks};
use crate::observe::CallLog;
use crate::session::SessionBuilder;
use crate::session::names::{Seen, View};
use crate::{
    Definition,
    call::{CallLimits, Enforcement},
    define::IntoDefinition,
};
use filter::FilteredViews;
use quarantine::Quarantine;

/// The tools of a process: contracts with bodies. Cloning is cheap, and clones are the same
/// registry.
///
/// ```
/// use toolpact::returns::NumberValue;
/// use toolpact::{Registry, tool};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// async fn add(a: i64, b: i64) -> NumberValue {
///     NumberValue::success(a + b)
/// }
///
/// let registry = Registry::new();
/// registry.add(add::tool())?;
/// assert!(registry.add(add::tool()).is_err()); // there is one
/// registry.toolset("maths")?.add(add::tool())?; // a namespace of its own
/// # Ok::<(), toolpact::Error>(())
/// ```
#[derive(Clone)]
pub struct Registry(Arc<Inner>);

struct Inner {
    options: Options,
    toolsets: RwLock<Toolsets>,
    quarantine: Quarantine,
    /// How often the tools have changed.
    changes: watch::Sender<u64>,
    /// All tools under their qualified names, after so many changes.
    view: Mutex<(u64, Arc<View>)>,
    /// The parent of the token of each session.
    closed: CancellationToken,
}

type Toolsets = IndexMap<Box<str>, Tools>;

/// The tools of one namespace.
#[derive(Default)]
struct Tools {
    current: IndexMap<Box<str>, Arc<RegisteredTool>>,
    /// Tools that were replaced, for as long as a session knows them.
    old: Vec<std::sync::Weak<RegisteredTool>>,
}

/// What holds for all tools of a registry.
struct Options {
    limits: Arc<CallLimits>,
    /// The limits of single tools, by their names in a qualified session.
    tool_limits: HashMap<Box<str>, Arc<CallLimits>>,
    /// The same for each tool of toolsets.
    toolset_limits: HashMap<Box<str>, Arc<CallLimits>>,
    /// The limits of all calls together.
    gate: Option<Gate>,
    enforcement: Enforcement,
    level: Level,
    /// How results of single tools are checked, by their names in a qualified session.
    tool_checks: HashMap<Box<str>, ResultChecks>,
    /// The same for all tools of toolsets.
    toolset_checks: HashMap<Box<str>, ResultChecks>,
    /// The limits of each principal, if there are any.
    principals: Option<PrincipalLimits>,
    repair: bool,
    guard: Option<Arc<dyn CallGuard>>,
    approver: Option<Arc<dyn Approver>>,
    filter: Option<FilteredViews>,
    log: Option<Arc<dyn CallLog>>,
    /// For the results that are held.
    memory: Arc<MemoryBudget>,
    /// For what is being read of programs.
    answers: Arc<MemoryBudget>,
    kept: Arc<Kept>,
}

impl Options {
    /// How results of a tool are checked, where it is not as for all.
    fn checks_of(&self, toolset: &str, name: &str) -> ResultChecks {
        let own = match (self.tool_checks.is_empty(), toolset) {
            (true, _) => None,
            (false, "") => self.tool_checks.get(name),
            (false, toolset) => self.tool_checks.get(&*format!("{toolset}__{name}")),
        };
        let of_toolset = self.toolset_checks.get(toolset).copied();
        let own = own.copied().unwrap_or_default();
        own.or(of_toolset.unwrap_or_default())
    }

    /// The limits of a tool that has none of its own.
    fn limits_of(&self, toolset: &str, name: &str) -> &Arc<CallLimits> {
        let own = match (self.tool_limits.is_empty(), toolset) {
            (true, _) => None,
            (false, "") => self.tool_limits.get(name),
            (false, toolset) => self.tool_limits.get(&*format!("{toolset}__{name}")),
        };
        let of_toolset = || self.toolset_limits.get(toolset);
        own.or_else(of_toolset).unwrap_or(&self.limits)
    }
}

impl Registry {
    /// An empty registry with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A registry with limits, guards and logs of your own.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::new()
    }

    /// Registers a tool in the toolset without a name.
    pub fn add(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.default_toolset().add(tool)
    }

    /// Registers tools in the toolset without a name, all of them or none.
    pub fn add_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        self.default_toolset().add_all(tools)
    }

    /// Replaces a tool. Sessions that are open keep the old one.
    pub fn replace(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.default_toolset().replace(tool)
    }

    /// Removes a tool. Sessions that are open cannot call it any more.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.default_toolset().remove(name)
    }

    /// Changes many tools of the toolset without a name at once: see [`ToolsetHandle::update`].
    pub fn update<'n>(
        &self,
        tools: impl IntoIterator<Item = Definition>,
        removed: impl IntoIterator<Item = &'n str>,
    ) {
        self.default_toolset().update(tools, removed);
    }

    /// A tool of the toolset without a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        self.default_toolset().get(name)
    }

    /// The versions of a tool of the toolset without a name that can be called: the current one first,
    /// then those that open sessions keep.
    #[must_use]
    pub fn versions(&self, name: &str) -> Vec<ToolVersion> {
        self.default_toolset().versions(name)
    }

    /// A namespace of tools. Its name follows the rule for names of tools.
    pub fn toolset(&self, name: &str) -> Result<ToolsetHandle<'_>, Error> {
        ToolsetHandle::new(self, name)
    }

    /// All tools, toolset by toolset in the order they were registered.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<RegisteredTool>> {
        all(&self.read())
    }

    /// Notifies when tools are added, replaced or removed. The number grows with each change.
    ///
    /// ```
    /// # use toolpact::returns::NumberValue;
    /// # use toolpact::{Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    /// let registry = Registry::new();
    /// let changes = registry.changes();
    /// registry.add(add::tool())?;
    /// assert!(changes.has_changed().unwrap());
    /// # Ok::<(), toolpact::Error>(())
    /// ```
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// Says that the [`ToolFilter`] decides otherwise now: those who follow [`Registry::changes`] look again.
    /// Sessions that are open go on with the tools they see.
    pub fn refresh(&self) {
        // While nobody changes the tools, so that who reads them knows after how many changes they are so.
        let tools = self.write();
        if let Some(filter) = &self.0.options.filter {
            filter.clear();
        }
        self.0.changes.send_modify(|times| *times += 1);
        drop(tools);
    }

    /// Whether there is a [`ToolFilter`], so that not everybody sees the same tools.
    #[must_use]
    pub fn has_tool_filter(&self) -> bool {
        self.0.options.filter.is_some()
    }

    /// Opens a session. The builder says what it sees and may use.
    pub fn session(&self) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }

    /// Cancels all calls of all sessions and refuses new ones. Callers that wait get a result.
    pub fn close(&self) {
        self.0.closed.cancel();
    }

    /// Cancelled when a session of this registry is closed, or all of them.
    pub(crate) fn session_closed(&self) -> CancellationToken {
        self.0.closed.child_token()
    }

    /// How many calls are running, without abandoned ones.
    #[must_use]
    pub fn running(&self) -> usize {
        let waited =
            |entry: &Arc<RegisteredTool>| entry.running().saturating_sub(entry.abandoned());
        self.list().iter().map(waited).sum()
    }

    /// How many calls are running although their callers have stopped waiting.
    #[must_use]
    pub fn abandoned(&self) -> usize {
        self.list().iter().map(|entry| entry.abandoned()).sum()
    }

    /// How many pools of the executor are blocked by tools.
    #[must_use]
    pub fn blocked_pools() -> usize {
        crate::executor::shared().map_or(0, crate::executor::Executor::blocked)
    }

    /// Whether the sessions that are open keep more tools that were replaced or removed than are registered now, or
    /// 1,000. Who holds sessions for long, in a server for example, puts a
    /// [`fork_after`](crate::Session::fork_after) of a new one into their place then: what is kept would grow for
    /// as long as tools change.
    #[must_use]
    pub fn wants_renewal(&self) -> bool {
        let registered: usize = self.read().values().map(|tools| tools.current.len()).sum();
        self.kept().is_beyond(registered)
    }

    pub(crate) fn kept(&self) -> &Arc<Kept> {
        &self.0.options.kept
    }

    /// All tools under their qualified names.
    pub(crate) fn view(&self) -> Arc<View> {
        let generation = *self.0.changes.borrow();
        let (made, view) = self.made_view().clone();
        if made >= generation {
            return view;
        }
        // Nothing changes while this is read.
        let (generation, tools) = {
            let toolsets = self.read();
            (*self.0.changes.borrow(), all(&toolsets))
        };
        let view = Arc::new(View::new(tools, true, self.kept()));
        self.set_view(generation, &view);
        view
    }

    /// What a principal sees of a view.
    pub(crate) fn seen_by(&self, principal: &Principal, view: &Arc<View>) -> Seen {
        match &self.0.options.filter {
            Some(filter) => filter.of(view, principal),
            None => Seen::all(Arc::clone(view)),
        }
    }

    fn set_view(&self, generation: u64, view: &Arc<View>) {
        let mut made = self.made_view();
        if made.0 < generation {
            let before = std::mem::replace(&mut *made, (generation, Arc::clone(view)));
            // Nobody waits while many tools are forgotten.
            drop(made);
            drop(before);
        }
    }

    fn made_view(&self) -> MutexGuard<'_, (u64, Arc<View>)> {
        self.0.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn default_toolset(&self) -> ToolsetHandle<'_> {
        ToolsetHandle::default_toolset(self)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Toolsets> {
        self.0
            .toolsets
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Toolsets> {
        self.0
            .toolsets
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enforcement(&self) -> Enforcement {
        self.0.options.enforcement
    }

    pub(crate) fn repairs(&self) -> bool {
        self.0.options.repair
    }

    /// The limits of a principal, if there are any.
    pub(crate) fn gates_of(&self, principal: &Principal) -> Option<Arc<PrincipalGates>> {
        let limits = self.0.options.principals.as_ref()?;
        Some(limits.gates_of(principal))
    }

    /// The limits of all calls together, if there are any.
    pub(crate) fn gate(&self) -> Option<&Gate> {
        self.0.options.gate.as_ref()
    }

    pub(crate) fn guard(&self) -> Option<&Arc<dyn CallGuard>> {
        self.0.options.guard.as_ref()
    }

    pub(crate) fn approver(&self) -> Option<&Arc<dyn Approver>> {
        self.0.options.approver.as_ref()
    }

    pub(crate) fn log(&self) -> Option<&Arc<dyn CallLog>> {
        self.0.options.log.as_ref()
    }
}

fn all(toolsets: &Toolsets) -> Vec<Arc<RegisteredTool>> {
    let tools = toolsets.values().flat_map(|tools| tools.current.values());
    tools.cloned().collect()
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list()).finish()
    }
}
