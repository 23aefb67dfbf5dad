//! One conversation: the tools it sees, its limits, its values.

mod batch;
mod builder;
mod calls;
mod names;
mod results;
mod service;
mod stream;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;
use toolpact_core::contract::Contract;

pub use crate::result_store::ResultPage;
pub use crate::updates::{LogLevel, LogLine, Update};
pub use batch::Batch;
pub use builder::SessionBuilder;
pub use stream::CallStream;

use crate::call::Gate;
use crate::context::Values;
use crate::elicitation::SharedResponder;
use crate::registry::RegisteredTool;
use crate::result_store::ResultStore;
use crate::{Registry, call::CallLimits};

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
pub struct Session(pub(crate) Arc<SessionState>);

pub(crate) struct SessionState {
    pub(crate) id: u64,
    pub(crate) registry: Registry,
    tools: Arc<HashMap<Box<str>, Arc<RegisteredTool>, foldhash::fast::RandomState>>,
    /// In the order they were registered.
    order: Arc<[Box<str>]>,
    pub(crate) limits: CallLimits,
    pub(crate) gate: Gate,
    pub(crate) values: Values,
    pub(crate) responder: Option<SharedResponder>,
    pub(crate) result_store: Arc<ResultStore>,
    pub(crate) closed: CancellationToken,
}

impl Session {
    /// Its number, which no other session of this process has.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The names that calls can use, in the order the tools were registered.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.names()
    }

    /// The contracts it sees, by the names that calls can use.
    pub fn contracts(&self) -> impl Iterator<Item = (&str, &Contract)> {
        let tools = self
            .names()
            .filter_map(|name| Some((name, self.0.find(name)?)));
        tools.map(|(name, entry)| (name, entry.contract()))
    }

    /// The tool that calls of this name run.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.0.find(name)
    }

    /// A new session with the same tools, limits and values. It is cheaper than opening one, and sees
    /// the same tools even if the registry has changed.
    #[must_use]
    pub fn fork(&self) -> Self {
        let inner = &self.0;
        Self(Arc::new(SessionState {
            id: next_id(),
            registry: inner.registry.clone(),
            tools: Arc::clone(&inner.tools),
            order: Arc::clone(&inner.order),
            limits: inner.limits.clone(),
            gate: Gate::new(&inner.limits),
            values: Arc::clone(&inner.values),
            responder: inner.responder.clone(),
            result_store: Arc::new(ResultStore::default()),
            closed: inner.registry.session_closed(),
        }))
    }

    /// Cancels all calls and refuses those to come.
    pub fn close(&self) {
        self.0.closed.cancel();
    }
}

impl SessionState {
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        let entry = self.tools.get(name)?;
        (!entry.is_removed()).then_some(entry)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.order.iter().map(|name| &**name);
        names.filter(|name| self.find(name).is_some())
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
            .field("names", &self.0.order)
            .finish_non_exhaustive()
    }
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
