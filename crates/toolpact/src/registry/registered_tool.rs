use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use toolpact_core::contract::Contract;
use toolpact_core::memory::{MemoryBudget, MemoryShare};
use toolpact_core::model::ToolName;
use toolpact_core::returns::ErrorKind;
use toolpact_core::toolset::Function;

use super::Options;
use super::extensions::Extensions;
use super::kept::{Kept, KeptTool};
use crate::call::Gate;
use crate::define::Body;
use crate::observe::{Gauges, Metrics};
use crate::{
    Definition, ToolError,
    call::{CallLimits, Enforcement},
    typed::RunsOn,
};

/// What callers are told whose values have no place.
const SPENT: &str =
    "The results that are held take all the memory that is set aside for them. Wait and try again.";

/// JSON of at most this many bytes is kept beside a typed value: it costs less than making it again. It
/// takes nothing of the memory for results.
pub(crate) const SMALL: usize = 16 << 10;

/// A tool that is registered.
pub struct RegisteredTool {
    toolset: Box<str>,
    name: Arc<str>,
    /// With its toolset in front, unless that is too long.
    qualified_name: Option<Arc<str>>,
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
    kept: Arc<Kept>,
    /// If it was replaced or removed.
    old: OnceLock<KeptTool>,
    memory: Arc<MemoryBudget>,
    answers: Arc<MemoryBudget>,
    extensions: Extensions,
}

impl RegisteredTool {
    pub(super) fn new(toolset: &str, definition: Definition, options: &Options) -> Self {
        let name: Arc<str> = definition.contract.name().as_str().into();
        let limits = match definition.limits {
            Some(limits) => Arc::new(limits),
            None => Arc::clone(options.limits_of(toolset, &name)),
        };
        let checks = options.checks_of(toolset, &name);
        let level = checks.level.unwrap_or(options.level);
        Self {
            toolset: toolset.into(),
            qualified_name: qualified(toolset, &name),
            name,
            function: Arc::new(Function::of_contract(&definition.contract, level)),
            contract: definition.contract,
            body: definition.body,
            runs_on: definition.runs_on,
            enforcement: definition.enforcement.or(checks.enforcement),
            gate: Gate::new(&limits),
            limits,
            gauges: Gauges::default(),
            metrics: Arc::default(),
            digest: OnceLock::new(),
            removed: AtomicBool::new(false),
            kept: Arc::clone(&options.kept),
            old: OnceLock::new(),
            memory: Arc::clone(&options.memory),
            answers: Arc::clone(&options.answers),
            extensions: Extensions::default(),
        }
    }

    /// Whether it is this very definition.
    pub(super) fn is_of(&self, definition: &Definition) -> bool {
        Arc::ptr_eq(&self.contract, &definition.contract)
            && Arc::ptr_eq(&self.body, &definition.body)
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

    /// For what is being read of a program.
    pub(crate) fn answers(&self) -> &Arc<MemoryBudget> {
        &self.answers
    }

    /// The part of the memory for results that a value of so many bytes takes while it is held: a result, or
    /// what comes before it. Small ones take nothing.
    pub fn share(&self, bytes: usize) -> Result<Option<MemoryShare>, ToolError> {
        if bytes <= SMALL {
            return Ok(None);
        }
        match self.memory.take(bytes) {
            Some(share) => Ok(Some(share)),
            None => Err(results_are_spent()),
        }
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

    /// What is made of this tool and kept with it, such as its form in a protocol. It is made once for each
    /// type.
    pub fn extension<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        self.extensions.get(make)
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(crate) fn qualified_name(&self) -> Option<&Arc<str>> {
        self.qualified_name.as_ref()
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
        self.keep();
    }

    /// Counts it as one that is there for the sessions that see it, and not registered any more.
    pub(super) fn keep(&self) {
        self.old.get_or_init(|| self.kept.tool());
    }

    /// Whether it was removed from its registry. Sessions do not call it any more.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Acquire)
    }
}

pub(crate) fn results_are_spent() -> ToolError {
    ToolError::new(ErrorKind::TooManyAtOnce, SPENT)
}

fn qualified(toolset: &str, name: &Arc<str>) -> Option<Arc<str>> {
    if toolset.is_empty() {
        return Some(Arc::clone(name));
    }
    let qualified = format!("{toolset}__{name}");
    ToolName::new(&qualified).ok().map(|_| qualified.into())
}

impl std::fmt::Debug for RegisteredTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegisteredTool")
            .field("toolset", &self.toolset)
            .field("name", self.contract.name())
            .finish_non_exhaustive()
    }
}
