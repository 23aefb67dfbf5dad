use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

use toolpact_core::memory::MemoryBudget;
use toolpact_core::returns::Level;

use super::filter::{FilteredViews, ToolFilter};
use super::{Inner, Options, Registry, Toolsets};
use crate::call::{
    Approver, CallGuard, CallLimits, Enforcement, Gate, PrincipalLimits, ResultChecks,
};
use crate::observe::CallLog;

/// Most bytes of all results that are held, and of all output of programs that is being read.
const RESULTS: usize = 1 << 30;

/// Makes a [`Registry`].
///
/// ```
/// use toolpact::{Registry, call::{Decision, CallLimits, Proposal}};
///
/// let registry = Registry::builder()
///     .limits(CallLimits::default().at_once(16))
///     .guard(|proposal: &Proposal<'_>| match proposal.contract().effects().destructive() {
///         Some(true) => Decision::Deny("Nothing is destroyed here.".to_owned()),
///         _ => Decision::Allow,
///     })
///     .build();
/// ```
#[must_use]
pub struct RegistryBuilder(Options);

impl RegistryBuilder {
    pub(super) fn new() -> Self {
        Self(Options {
            limits: Arc::default(),
            tool_limits: HashMap::new(),
            toolset_limits: HashMap::new(),
            gate: None,
            enforcement: Enforcement::default(),
            level: Level::Meaning,
            tool_checks: HashMap::new(),
            toolset_checks: HashMap::new(),
            principals: None,
            repair: false,
            guard: None,
            approver: None,
            filter: None,
            log: None,
            memory: Arc::new(MemoryBudget::new(RESULTS)),
            answers: Arc::new(MemoryBudget::new(RESULTS)),
            kept: Arc::default(),
        })
    }

    /// The memory that all results together may take while they are held, counted as their JSON: 1 GiB
    /// without this. What is beyond is refused with `RATE_LIMIT_CONCURRENCY`. Small results are not counted.
    pub fn result_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.0.memory = budget;
        self
    }

    /// The memory that the output of all programs together may take while it is being read: 1 GiB without
    /// this. What is beyond is refused with `RATE_LIMIT_CONCURRENCY`.
    pub fn answer_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.0.answers = budget;
        self
    }

    /// The limits of each tool that has none of its own.
    pub fn limits(mut self, limits: CallLimits) -> Self {
        self.0.limits = Arc::new(limits);
        self
    }

    /// The limits of one tool that has none of its own, by its name with that of its toolset, if it has one,
    /// in front: `orders__search`.
    pub fn limits_of(mut self, tool: &str, limits: CallLimits) -> Self {
        self.0.tool_limits.insert(tool.into(), Arc::new(limits));
        self
    }

    /// The limits of each tool of a toolset that has none of its own.
    pub fn limits_of_toolset(mut self, toolset: &str, limits: CallLimits) -> Self {
        let limits = Arc::new(limits);
        self.0.toolset_limits.insert(toolset.into(), limits);
        self
    }

    /// The limits of all calls of all sessions together: how many run and wait, and their rate. There are
    /// none without this. A tool that calls others needs a permit for itself and for each of them.
    pub fn limits_of_all(mut self, limits: &CallLimits) -> Self {
        self.0.gate = Some(Gate::new(limits));
        self
    }

    /// What becomes of results that break their contract, unless the tool or the call says
    /// otherwise.
    pub fn enforcement(mut self, enforcement: Enforcement) -> Self {
        self.0.enforcement = enforcement;
        self
    }

    /// How results of one tool are checked, by its name with that of its toolset, if it has one, in front. What
    /// the tool itself or the call says comes first.
    pub fn checks_of(mut self, tool: &str, checks: ResultChecks) -> Self {
        self.0.tool_checks.insert(tool.into(), checks);
        self
    }

    /// How results of all tools of a toolset are checked, unless it is said for the tool.
    pub fn checks_of_toolset(mut self, toolset: &str, checks: ResultChecks) -> Self {
        self.0.toolset_checks.insert(toolset.into(), checks);
        self
    }

    /// The limits of each principal: how many of its calls run and wait, and their rate, in all of its sessions
    /// together. Those who have shown nothing are one principal.
    pub fn limits_of_each_principal(mut self, limits: CallLimits) -> Self {
        self.principals().all = Some(limits);
        self
    }

    /// The limits of each principal for one tool, by its name with that of its toolset, if it has one, in front.
    pub fn limits_of_each_principal_for(mut self, tool: &str, limits: CallLimits) -> Self {
        self.principals().tools.insert(tool.into(), limits);
        self
    }

    fn principals(&mut self) -> &mut PrincipalLimits {
        self.0
            .principals
            .get_or_insert_with(PrincipalLimits::default)
    }

    /// How strictly results are checked.
    pub fn level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// Whether arguments that are nearly right are repaired, unless the call says otherwise.
    pub fn repair(mut self, repair: bool) -> Self {
        self.0.repair = repair;
        self
    }

    /// Decides about each call before it runs.
    pub fn guard(mut self, guard: impl CallGuard) -> Self {
        self.0.guard = Some(Arc::new(guard));
        self
    }

    /// Asks someone whether a call may run, where the guard wants that.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.0.approver = Some(Arc::new(approver));
        self
    }

    /// Decides which tools a principal sees at all.
    pub fn tool_filter(mut self, filter: impl ToolFilter) -> Self {
        self.0.filter = Some(FilteredViews::new(Arc::new(filter)));
        self
    }

    /// Where calls are logged.
    pub fn log(mut self, log: impl CallLog) -> Self {
        self.0.log = Some(Arc::new(log));
        self
    }

    /// The registry.
    #[must_use]
    pub fn build(self) -> Registry {
        Registry(Arc::new(Inner {
            options: self.0,
            toolsets: RwLock::new(Toolsets::new()),
            quarantine: super::quarantine::Quarantine::default(),
            changes: tokio::sync::watch::Sender::new(0),
            view: Mutex::default(),
            closed: tokio_util::sync::CancellationToken::new(),
        }))
    }
}

impl std::fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegistryBuilder").finish_non_exhaustive()
    }
}
