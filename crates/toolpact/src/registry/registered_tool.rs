use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use toolpact_core::contract::Contract;
use toolpact_core::memory::MemoryBudget;
use toolpact_core::toolset::Function;

use super::Options;
use crate::call::Gate;
use crate::define::Body;
use crate::observe::{Gauges, Metrics};
use crate::{
    Definition,
    call::{CallLimits, Enforcement},
    typed::RunsOn,
};

/// A tool that is registered.
pub struct RegisteredTool {
    toolset: Box<str>,
    contract: Arc<Contract>,
    function: Arc<Function>,
    body: Arc<dyn Body>,
    runs_on: RunsOn,
    enforcement: Option<Enforcement>,
    limits: Arc<CallLimits>,
    gate: Gate,
    gauges: Gauges,
    metrics: Arc<Metrics>,
    digest: OnceLock<Box<str>>,
    removed: AtomicBool,
    memory: Arc<MemoryBudget>,
}

impl RegisteredTool {
    pub(super) fn new(toolset: &str, definition: Definition, options: &Options) -> Self {
        let limits = definition
            .limits
            .map_or_else(|| Arc::clone(&options.limits), Arc::new);
        Self {
            toolset: toolset.into(),
            function: Arc::new(Function::of_contract(&definition.contract, options.level)),
            contract: definition.contract,
            body: definition.body,
            runs_on: definition.runs_on,
            enforcement: definition.enforcement,
            gate: Gate::new(&limits),
            limits,
            gauges: Gauges::default(),
            metrics: Arc::default(),
            digest: OnceLock::new(),
            removed: AtomicBool::new(false),
            memory: Arc::clone(&options.memory),
        }
    }

    /// With the counters of the tool that it replaces: they are those of a name.
    pub(super) fn replacing(mut self, old: &Self) -> Self {
        self.metrics = Arc::clone(&old.metrics);
        self
    }

    /// For the results that are held.
    pub(crate) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// The toolset it belongs to.
    #[must_use]
    pub fn toolset(&self) -> &str {
        &self.toolset
    }

    /// What is promised.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The digest of its contract: its version.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.digest
            .get_or_init(|| self.contract.digest().to_string().into())
    }

    /// Where it runs.
    #[must_use]
    pub fn runs_on(&self) -> RunsOn {
        self.runs_on
    }

    /// How many of its calls are running, abandoned ones included.
    #[must_use]
    pub fn running(&self) -> usize {
        self.gauges.running()
    }

    /// How many of its calls are running although their callers have stopped waiting: they were
    /// cancelled and have not ended yet, or cannot be stopped.
    #[must_use]
    pub fn abandoned(&self) -> usize {
        self.gauges.abandoned()
    }

    /// Its counters and latencies, with those of the tools that it has replaced.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What is promised, to be kept.
    #[must_use]
    pub fn shared_contract(&self) -> &Arc<Contract> {
        &self.contract
    }

    pub(crate) fn function(&self) -> &Arc<Function> {
        &self.function
    }

    pub(crate) fn body(&self) -> &Arc<dyn Body> {
        &self.body
    }

    pub(crate) fn enforcement(&self) -> Option<Enforcement> {
        self.enforcement
    }

    pub(crate) fn limits(&self) -> &CallLimits {
        &self.limits
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    pub(crate) fn gauges(&self) -> &Gauges {
        &self.gauges
    }

    pub(super) fn remove(&self) {
        self.removed.store(true, Ordering::Release);
    }

    /// Whether it was removed from its registry. Sessions do not call it any more.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Acquire)
    }
}

impl std::fmt::Debug for RegisteredTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegisteredTool")
            .field("toolset", &self.toolset)
            .field("name", self.contract.name())
            .finish_non_exhaustive()
    }
}
