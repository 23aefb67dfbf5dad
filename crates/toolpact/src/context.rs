use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, SetOnce};
use toolpact_core::Principal;

use crate::elicitation::{Responder, SharedResponder};
use crate::session::ClientInfo;
use crate::updates::Updates;

/// What a tool sees of its call: whether it is cancelled, its deadline, and the values of its
/// session. Cloning is cheap.
///
/// ```
/// use toolpact::returns::VoidResult;
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
    principal: Principal,
    client: Option<ClientInfo>,
    stopped: AtomicBool,
    stop: Notify,
    deadline: Option<Instant>,
    values: Values,
    updates: Option<Updates>,
    responders: Responders,
    /// The names of what was asked.
    questions: Mutex<HashSet<Box<str>>>,
    /// Set when the tool is done or abandoned.
    over: AtomicBool,
    /// Set when the tool waits for an answer that only a repeated call will have.
    parked: SetOnce<()>,
    /// What answers in place of the tool.
    stand_in: OnceLock<&'static str>,
}

/// The responders of the call and of its session.
pub(crate) type Responders = [Option<SharedResponder>; 2];

/// Values by their type.
pub(crate) type Values = Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>;

impl Context {
    pub(crate) fn new(
        call_id: Option<&str>,
        principal: Principal,
        client: Option<ClientInfo>,
        deadline: Option<Instant>,
        values: Values,
        updates: Option<Updates>,
        responders: Responders,
    ) -> Self {
        Self(Arc::new(Inner {
            call_id: call_id.map(Box::from),
            principal,
            client,
            stopped: AtomicBool::new(false),
            stop: Notify::new(),
            deadline,
            values,
            updates,
            responders,
            questions: Mutex::default(),
            over: AtomicBool::new(false),
            parked: SetOnce::new(),
            stand_in: OnceLock::new(),
        }))
    }

    /// The identifier that the caller gave the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.0.call_id.as_deref()
    }

    /// Who makes the call.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// The client that the call is made with, if that is known: see [`ClientInfo`].
    #[must_use]
    pub fn client_info(&self) -> Option<&ClientInfo> {
        self.0.client.as_ref()
    }

    /// A value of the call or else of the session, by its type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let value = self.0.values.get(&TypeId::of::<T>())?;
        Arc::clone(value).downcast().ok()
    }

    /// Says what answers this call in place of the tool, such as a record of earlier calls. Callers are told, over
    /// MCP as `toolpact/stand-in` of `_meta` and over REST in the header `Toolpact-Stand-In`. What was said first
    /// stays.
    pub fn answered_by(&self, stand_in: &'static str) {
        let _ = self.0.stand_in.set(stand_in);
    }

    pub(crate) fn stand_in(&self) -> Option<&'static str> {
        self.0.stand_in.get().copied()
    }

    /// When the caller stops waiting.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    /// Whether the call was cancelled or timed out.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled or times out.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            let stopped = self.0.stop.notified();
            // It may have been cancelled in between.
            if !self.is_cancelled() {
                stopped.await;
            }
        }
    }

    /// Waits until the call is cancelled, times out or is done.
    pub(crate) async fn over(&self) {
        let is_over = || self.is_cancelled() || self.0.over.load(Ordering::Acquire);
        while !is_over() {
            let stopped = self.0.stop.notified();
            if !is_over() {
                stopped.await;
            }
        }
    }

    /// The tool is done. Tasks that it spawned may go on.
    pub(crate) fn end(&self) {
        self.0.over.store(true, Ordering::Release);
        self.0.stop.notify_waiters();
    }

    /// Cancels the tool: its caller has stopped waiting.
    pub(crate) fn cancel(&self) {
        self.0.stopped.store(true, Ordering::Release);
        self.0.stop.notify_waiters();
    }

    pub(crate) fn responders(&self) -> impl Iterator<Item = &dyn Responder> {
        let responders = self.0.responders.iter().flatten();
        responders.map(|responder| &*responder.0)
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

    /// The tool waits for an answer that only a repeated call will have.
    pub(crate) fn park(&self) {
        // It may have asked several things at once.
        let _ = self.0.parked.set(());
    }

    /// Waits until the tool is parked.
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
            .field("principal", &self.0.principal)
            .field("deadline", &self.0.deadline)
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
