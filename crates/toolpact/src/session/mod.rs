//! One conversation: the tools it sees, its limits, its values.

mod batch;
mod builder;
mod calls;
mod names;
mod service;
mod shelf;
mod stream;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;
use toolpact_core::contract::Contract;

pub use crate::updates::{Level, Log, Update};
pub use batch::Batch;
pub use builder::SessionBuilder;
pub use shelf::Page;
pub(crate) use shelf::Shelf;
pub use stream::Running;

use crate::ask::Answering;
use crate::call::Gate;
use crate::context::Values;
use crate::registry::Entry;
use crate::{Registry, call::Limits};

/// One conversation. Cloning is cheap, and clones are the same session; when the last is dropped,
/// its calls are cancelled and what it kept is gone.
///
/// It sees the tools as they were when it was opened, so that what a model was told of a tool stays
/// true. A tool that is removed from the registry is not called any more.
///
/// ```
/// use toolpact::core::returns::types::NumberValue;
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
pub struct Session(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) id: u64,
    pub(crate) registry: Registry,
    tools: Arc<HashMap<Box<str>, Arc<Entry>, foldhash::fast::RandomState>>,
    /// In the order they were registered.
    order: Arc<[Box<str>]>,
    pub(crate) limits: Limits,
    pub(crate) gate: Gate,
    pub(crate) values: Values,
    pub(crate) client: Option<Answering>,
    pub(crate) shelf: Arc<Shelf>,
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
    pub fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.0.find(name)
    }

    /// Another conversation with the same tools, limits and values. It is cheaper than to open one,
    /// and sees the same tools even if the registry has changed.
    #[must_use]
    pub fn again(&self) -> Self {
        let inner = &self.0;
        Self(Arc::new(Inner {
            id: next_id(),
            registry: inner.registry.clone(),
            tools: Arc::clone(&inner.tools),
            order: Arc::clone(&inner.order),
            limits: inner.limits.clone(),
            gate: Gate::new(&inner.limits),
            values: Arc::clone(&inner.values),
            client: inner.client.clone(),
            shelf: Arc::new(Shelf::default()),
            closed: inner.registry.session_closed(),
        }))
    }

    /// Cancels all calls and refuses those to come.
    pub fn close(&self) {
        self.0.closed.cancel();
    }
}

impl Inner {
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        let entry = self.tools.get(name)?;
        (!entry.is_removed()).then_some(entry)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.order.iter().map(|name| &**name);
        names.filter(|name| self.find(name).is_some())
    }
}

impl Drop for Inner {
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
