use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, SetOnce};

use crate::elicitation::{Responder, SharedResponder};
use crate::updates::Updates;

/// What a tool knows about the call it answers: whether it is still wanted, until when, and what
/// its session has for it. Cloning is cheap.
///
/// ```
/// use toolpact::core::returns::types::VoidResult;
/// use toolpact::{Context, ToolError, tool_fn, typed::ToolSpec};
/// # #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// # struct Nothing {}
///
/// let tool = tool_fn(ToolSpec::new("wait", "Waits to be cancelled."), async |_: Nothing, cx: Context| {
///     cx.cancelled().await;
///     Ok::<_, ToolError>(VoidResult::success())
/// });
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    call_id: Option<Box<str>>,
    stopped: AtomicBool,
    stop: Notify,
    deadline: Option<Instant>,
    values: Values,
    updates: Option<Updates>,
    clients: Clients,
    /// The names of what was asked.
    questions: Mutex<HashSet<Box<str>>>,
    /// Set when the tool is done, or nobody cares.
    over: AtomicBool,
    /// Set when the tool cannot go on before the call is made again.
    parked: SetOnce<()>,
}

/// Whoever answers questions: for the call, and for its session.
pub(crate) type Clients = [Option<SharedResponder>; 2];

/// Values by their type.
pub(crate) type Values = Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>;

impl Context {
    pub(crate) fn new(
        call_id: Option<&str>,
        deadline: Option<Instant>,
        values: Values,
        updates: Option<Updates>,
        clients: Clients,
    ) -> Self {
        Self(Arc::new(Inner {
            call_id: call_id.map(Box::from),
            stopped: AtomicBool::new(false),
            stop: Notify::new(),
            deadline,
            values,
            updates,
            clients,
            questions: Mutex::default(),
            over: AtomicBool::new(false),
            parked: SetOnce::new(),
        }))
    }

    /// The identifier that the caller gave the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.0.call_id.as_deref()
    }

    /// A value of the session, by its type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let value = self.0.values.get(&TypeId::of::<T>())?;
        Arc::clone(value).downcast().ok()
    }

    /// When the caller stops waiting.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    /// Whether nobody waits for the result any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Waits until nobody waits for the result any more.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            let stopped = self.0.stop.notified();
            // It may have been just before.
            if !self.is_cancelled() {
                stopped.await;
            }
        }
    }

    /// Waits until nobody waits for the tool any more, or it is done.
    pub(crate) async fn left(&self) {
        let is_left = || self.is_cancelled() || self.0.over.load(Ordering::Acquire);
        while !is_left() {
            let stopped = self.0.stop.notified();
            if !is_left() {
                stopped.await;
            }
        }
    }

    /// The tool is done. What it has begun may go on.
    pub(crate) fn end(&self) {
        self.0.over.store(true, Ordering::Release);
        self.0.stop.notify_waiters();
    }

    /// Tells the tool that nobody waits any more.
    pub(crate) fn cancel(&self) {
        self.0.stopped.store(true, Ordering::Release);
        self.0.stop.notify_waiters();
    }

    pub(crate) fn clients(&self) -> impl Iterator<Item = &dyn Responder> {
        let clients = self.0.clients.iter().flatten();
        clients.map(|client| &*client.0)
    }

    /// The name of a question, with a number if it was asked before.
    pub(crate) fn numbered<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let questions = self.0.questions.lock();
        let mut questions = questions.unwrap_or_else(PoisonError::into_inner);
        let mut numbered = Cow::Borrowed(name);
        let mut number = 1_u32;
        while &*numbered == crate::elicitation::APPROVAL || !questions.insert((&*numbered).into()) {
            number = number.saturating_add(1);
            numbered = format!("{name}#{number}").into();
        }
        numbered
    }

    /// The tool cannot go on before the call is made again.
    pub(crate) fn park(&self) {
        // It may have asked several things at once.
        let _ = self.0.parked.set(());
    }

    /// Waits until the tool cannot go on.
    pub(crate) async fn parked(&self) {
        self.0.parked.wait().await;
    }

    pub(crate) fn updates(&self) -> Option<&Updates> {
        self.0.updates.as_ref()
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("call_id", &self.0.call_id)
            .field("deadline", &self.0.deadline)
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
