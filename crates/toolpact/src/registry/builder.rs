use std::sync::{Arc, RwLock};

use toolpact_core::memory::MemoryBudget;
use toolpact_core::returns::Level;

use super::{Inner, Options, Registry, Toolsets};
use crate::call::{Approver, CallGuard};
use crate::call::{CallLimits, Enforcement};
use crate::observe::CallLog;

/// Most bytes of all results that are held.
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
            enforcement: Enforcement::default(),
            level: Level::Meaning,
            repair: false,
            guard: None,
            approver: None,
            log: None,
            memory: Arc::new(MemoryBudget::new(RESULTS)),
        })
    }

    /// The memory that all results together may take while they are held, counted as their JSON: 1 GiB
    /// without this. What is beyond is refused with `RATE_LIMIT_CONCURRENCY`. Small results are not counted.
    pub fn result_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.0.memory = budget;
        self
    }

    /// The limits of each tool that has none of its own.
    pub fn limits(mut self, limits: CallLimits) -> Self {
        self.0.limits = Arc::new(limits);
        self
    }

    /// What becomes of results that break their contract, unless the tool or the call says
    /// otherwise.
    pub fn enforcement(mut self, enforcement: Enforcement) -> Self {
        self.0.enforcement = enforcement;
        self
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
            changes: tokio::sync::watch::Sender::new(0),
            closed: tokio_util::sync::CancellationToken::new(),
        }))
    }
}

impl std::fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegistryBuilder").finish_non_exhaustive()
    }
}
