//! One conversation: the tools it sees, its limits, its values.

mod authorized;
mod batch;
mod builder;
mod calls;
mod client;
mod life;
pub(crate) mod names;
mod per_principal;
mod results;
mod service;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact_core::Principal;
use toolpact_core::contract::Contract;

pub use crate::result_store::ResultPage;
pub use crate::updates::{LogLevel, LogLine, Update};
pub use authorized::AuthorizedCall;
pub use batch::Batch;
pub use builder::SessionBuilder;
pub use client::ClientInfo;
pub use per_principal::PerPrincipal;
pub use stream::CallStream;

use crate::call::{Gate, PrincipalGates};
use crate::context::Values;
use crate::elicitation::SharedResponder;
use crate::registry::RegisteredTool;
use crate::result_store::ResultStore;
use crate::{Error, Registry, call::CallLimits};
pub(crate) use authorized::HandOver;
use life::Life;
use names::Seen;

/// One conversation. Cloning is cheap, and clones are the same session; when the last is dropped,
/// its calls are cancelled and its stored results are gone.
///
/// It sees the tools as they were when it was opened, so that the contracts a model has read stay
/// true. A tool that is removed from the registry cannot be called any more.
///
/// ```
/// use toolpact::returns::NumberValue;
/// use toolpact::{Call, Registry, tool};
/// # /// Adds two numbers.
/// # #[tool(read_only)]
/// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let registry = Registry::new();
/// registry.add(add::tool())?;
/// let session = registry.session().open()?;
///
/// let completed = session.call(Call::from_json(r#"{"name": "add", "args": {"a": 1, "b": 2}}"#)?).await;
/// assert_eq!(completed.output::<NumberValue>(), Some(&NumberValue::success(3)));
/// assert_eq!(completed.text(), "3");
///
/// let completed = session.call(Call::from_json(r#"{"name": "add", "args": {"a": 1, "b": "2"}}"#)?).await;
/// assert_eq!(completed.error().unwrap().code(), "VALIDATION_FORMAT");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Session(pub(crate) Arc<SessionState>, pub(crate) Option<ClientInfo>);

pub(crate) struct SessionState {
    pub(crate) id: u64,
    pub(crate) registry: Registry,
    /// The tools that its principal sees.
    view: Seen,
    pub(crate) limits: CallLimits,
    pub(crate) gate: Gate,
    pub(crate) values: Values,
    pub(crate) responder: Option<SharedResponder>,
    pub(crate) principal: Principal,
    /// What its principal may use in all of its sessions together.
    pub(crate) principal_gates: Option<Arc<PrincipalGates>>,
    pub(crate) result_store: Arc<ResultStore>,
    pub(crate) closed: CancellationToken,
    /// Whether it takes calls, and until when.
    pub(crate) life: Life,
}

impl Session {
    /// Its number, which no other session of this process has.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Who makes its calls.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// The same session, whose calls are made with a client, or with one of which nothing is known. This is cheap.
    #[must_use]
    pub fn used_by(&self, client: Option<ClientInfo>) -> Self {
        Self(Arc::clone(&self.0), client)
    }

    /// The client that its calls are made with, if that is known.
    #[must_use]
    pub fn client(&self) -> Option<&ClientInfo> {
        self.1.as_ref()
    }

    /// The names that calls can use, in the order the tools were registered.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.names()
    }

    /// How many tools it sees, with those that were removed since it was opened.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.view.len()
    }

    /// The tool at a place in the order they were registered, also if it was removed since.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<(&str, &Arc<RegisteredTool>)> {
        let (name, entry) = self.0.view.at(place)?;
        Some((name, entry))
    }

    /// Whether it sees no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The contracts it sees, by the names that calls can use.
    pub fn contracts(&self) -> impl Iterator<Item = (&str, &Contract)> {
        self.tools().map(|(name, entry)| (name, entry.contract()))
    }

    /// The tools it sees, by the names that calls can use.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Arc<RegisteredTool>)> {
        self.0.view.iter().map(|(name, entry)| (&**name, entry))
    }

    /// Why it does not see tools that cannot be told apart from others. There are none unless it was opened
    /// with [`SessionBuilder::leave_out_clashes`].
    pub fn left_out(&self) -> impl Iterator<Item = &Error> {
        self.0.view.whole.left_out.iter()
    }

    /// The tool that calls of this name run.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.0.find(name)
    }

    /// The same with its name in this session: calls can also use the original name of a contract.
    #[must_use]
    pub fn get_named(&self, name: &str) -> Option<(&str, &Arc<RegisteredTool>)> {
        let (name, entry) = self.0.view.find(name)?;
        Some((name, entry))
    }

    /// A new session with the same tools, limits, values and principal. It is cheaper than opening one, and
    /// sees the same tools even if the registry has changed.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.fork_for(self.0.principal.clone())
    }

    /// The same, for another principal: it sees the tools that the [`ToolFilter`](crate::registry::ToolFilter) of
    /// the registry shows that one, whatever this session sees.
    #[must_use]
    pub fn fork_for(&self, principal: Principal) -> Self {
        self.fork_with(principal, Arc::default())
    }

    /// A fork that sees all tools, also those that the [`ToolFilter`](crate::registry::ToolFilter) of the registry
    /// hides: for counters and other things about the tools. The guard decides about its calls as about all.
    #[must_use]
    pub fn unfiltered(&self) -> Self {
        let mut state = self.state(self.0.principal.clone(), Arc::default());
        state.view = Seen::all(Arc::clone(&self.0.view.whole));
        Self(Arc::new(state), self.1.clone())
    }

    /// A fork that is over after this time: calls that still run then end with a timeout, and those that come later are
    /// refused.
    #[must_use]
    pub fn fork_for_time(&self, time: Duration) -> Self {
        let mut state = self.state(self.0.principal.clone(), Arc::default());
        state.life = Life::of(time);
        Self(Arc::new(state), self.1.clone())
    }

    /// A fork that goes on with the conversation of another session: it also has its stored results, if both are
    /// of the same principal. It is over when that one is. This is for when the groups or claims of a principal have
    /// changed.
    #[must_use]
    pub fn fork_after(&self, before: &Self) -> Self {
        let results = match self.0.principal == before.0.principal {
            true => Arc::clone(&before.0.result_store),
            false => Arc::default(),
        };
        let mut state = self.state(self.0.principal.clone(), results);
        state.life = before.0.life.clone();
        Self(Arc::new(state), self.1.clone())
    }

    /// Whether another session sees the very same tools, under the same names.
    #[must_use]
    pub fn sees_same(&self, other: &Self) -> bool {
        self.0.view.is_same(&other.0.view)
    }

    fn fork_with(&self, principal: Principal, result_store: Arc<ResultStore>) -> Self {
        let state = self.state(principal, result_store);
        Self(Arc::new(state), self.1.clone())
    }

    fn state(&self, principal: Principal, result_store: Arc<ResultStore>) -> SessionState {
        let inner = &self.0;
        SessionState {
            id: next_id(),
            registry: inner.registry.clone(),
            view: inner.registry.seen_by(&principal, &inner.view.whole),
            limits: inner.limits.clone(),
            gate: Gate::new(&inner.limits),
            values: Arc::clone(&inner.values),
            responder: inner.responder.clone(),
            principal_gates: inner.registry.gates_of(&principal),
            principal,
            result_store,
            closed: inner.registry.session_closed(),
            life: inner.life.forked(),
        }
    }

    /// How many of its calls are running, with abandoned ones.
    #[must_use]
    pub fn running(&self) -> usize {
        self.0.gate.running()
    }

    /// Cancels all calls and refuses those to come.
    pub fn close(&self) {
        self.0.closed.cancel();
    }

    /// Refuses calls to come. Those that run go on to their end.
    pub fn drain(&self) {
        self.0.life.drain();
    }

    /// Whether it takes no more calls: it was closed or drained, or its time is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

impl SessionState {
    pub(crate) fn is_over(&self) -> bool {
        self.closed.is_cancelled() || self.life.is_over()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.view.find(name).map(|(_, entry)| entry)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.view.iter().map(|(name, _)| &**name)
    }
}

impl Drop for SessionState {
    fn drop(&mut self) {
        self.closed.cancel();
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.0.id)
            .field("names", &self.names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
