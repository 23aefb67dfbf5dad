//! The runtime: fulfils contracts of a host with the tools of a registry.

mod durable;
mod join;
mod outbox;
mod outcomes;
mod running;
mod serve;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_nats::Client;
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::call::CallLimits;
use toolpact::core::contract::Contract;
use toolpact::core::model::ToolName;
use toolpact::session::PerPrincipal;
use toolpact::{Principal, Registry, Session};

use crate::admission::Admission;
use crate::error::{Error, Reason};
use crate::identity::HostKeys;
use crate::presence::{self, Presence};
use crate::subject::{Id, Subjects};
use outcomes::Outcomes;
use running::Running;
use serve::CalledTool;

/// How many principals have sessions at once.
const PRINCIPALS: usize = 1024;

/// Runs the tools of a registry for the hosts of a grid. When it is dropped, it leaves at once; [`drain`](Self::drain)
/// lets calls end first.
pub struct Runtime {
    shared: Arc<RuntimeShared>,
    admission: watch::Receiver<Option<Admission>>,
    _tasks: DropGuard,
}

struct RuntimeShared {
    client: Client,
    subjects: Subjects,
    id: Id,
    keys: HostKeys,
    /// The session that it registers tools for.
    develops: Option<Id>,
    capacity: usize,
    places: Arc<Semaphore>,
    running: Running,
    /// Durable calls.
    held: durable::Held,
    outcomes: Outcomes,
    /// Bytes that may wait to be written to the connection.
    unwritten: Arc<Semaphore>,
    /// The tools that are listened for, by the digests of their contracts.
    called: RwLock<HashMap<Box<str>, Arc<CalledTool>>>,
    draining: AtomicBool,
    /// Whether the host takes results in parts, and whether it passes questions on.
    chunks: AtomicBool,
    questions: AtomicBool,
    /// Told when the presence is to be put at once.
    changed: Notify,
    /// Told when tools are to be offered at once.
    offers: Notify,
    registry: Registry,
    tools: RwLock<Arc<Tools>>,
    presence: async_nats::jetstream::kv::Store,
}

/// The tools of the registry, as they were when it was looked at.
struct Tools {
    session: Session,
    sessions: PerPrincipal<Session>,
    /// Under the names that calls use.
    contracts: BTreeMap<Box<str>, Arc<Contract>>,
}

/// Makes a [`Runtime`].
#[must_use]
pub struct RuntimeBuilder {
    client: Client,
    word: Box<str>,
    name: Box<str>,
    capacity: usize,
    keys: HostKeys,
    develops: Option<Box<str>>,
}

impl RuntimeBuilder {
    /// The first word of the subjects, if it is not `toolpact`.
    pub fn prefix(mut self, word: impl Into<Box<str>>) -> Self {
        self.word = word.into();
        self
    }

    /// What its id begins with.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = name.into();
        self
    }

    /// How many calls it takes at once. Those beyond are refused.
    pub fn capacity(mut self, calls: usize) -> Self {
        self.capacity = calls.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// The keys of the hosts that it believes. With one or more, calls that none of them signed are refused.
    pub fn host_keys(mut self, keys: HostKeys) -> Self {
        self.keys = keys;
        self
    }

    /// Registers the tools that hosts in DEVELOPMENT mode do not have, for a session of this name: their callers see them as
    /// `SESSION__TOOL`. Other hosts refuse them as ever.
    pub fn develop(mut self, session: impl Into<Box<str>>) -> Self {
        self.develops = Some(session.into());
        self
    }

    /// Offers the tools of a registry, under the names that a qualified session has for them, and follows its changes. This does not wait for a host: see [`Runtime::admitted`].
    pub async fn join(self, registry: &Registry) -> Result<Runtime, Error> {
        let tools = Tools::of(registry)?;
        let subjects = Subjects::new(&self.word)?;
        let shared = Arc::new(RuntimeShared {
            presence: presence::bucket(&self.client, &subjects).await?,
            id: Id::random(&self.name)?,
            subjects,
            keys: self.keys,
            develops: match &self.develops {
                Some(session) => Some(Id::new(session)?),
                None => None,
            },
            capacity: self.capacity,
            places: Arc::new(Semaphore::new(self.capacity)),
            running: Running::default(),
            held: durable::Held::default(),
            outcomes: Outcomes::start(self.client.clone()),
            unwritten: Arc::new(Semaphore::new(outbox::UNWRITTEN)),
            called: RwLock::default(),
            draining: AtomicBool::new(false),
            chunks: AtomicBool::new(false),
            questions: AtomicBool::new(false),
            changed: Notify::new(),
            offers: Notify::new(),
            registry: registry.clone(),
            tools: RwLock::new(Arc::new(tools)),
            client: self.client,
        });
        let stop = CancellationToken::new();
        let admission = join::start(&shared, &stop).await?;
        Ok(Runtime {
            shared,
            admission,
            _tasks: stop.drop_guard(),
        })
    }
}

impl Runtime {
    /// A runtime on this connection, which is to join.
    pub fn builder(client: Client) -> RuntimeBuilder {
        RuntimeBuilder {
            client,
            word: "toolpact".into(),
            name: "runtime".into(),
            capacity: 256,
            keys: HostKeys::default(),
            develops: None,
        }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.shared.id
    }

    /// Waits until a host has decided about its tools.
    pub async fn admitted(&self) -> Option<Admission> {
        let mut admission = self.admission.clone();
        let decided = admission.wait_for(Option::is_some).await;
        decided.ok().and_then(|admission| admission.clone())
    }

    /// Offers its tools again, as it does by itself now and then.
    pub fn offer(&self) {
        self.shared.offers.notify_one();
    }

    /// Told of each decision of hosts about its tools.
    #[must_use]
    pub fn admissions(&self) -> watch::Receiver<Option<Admission>> {
        self.admission.clone()
    }

    /// What a host decided last.
    #[must_use]
    pub fn admission(&self) -> Option<Admission> {
        self.admission.borrow().clone()
    }

    /// How many calls it runs.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.shared.in_flight()
    }

    /// Takes no more calls, waits for those that run, but no longer than this, and leaves. Returns how many were
    /// cancelled.
    pub async fn drain(self, most: Duration) -> usize {
        self.shared.begin_draining();
        let ended = async {
            while self.in_flight() > 0 || !self.shared.outcomes.all_sent() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(most, ended).await;
        let left = self.in_flight();
        self.shared.running.cancel_all();
        let _ = self.shared.presence.delete(self.id().as_str()).await;
        let _ = self.shared.client.flush().await;
        left
    }

    /// Waits until a host has told it to drain.
    pub async fn told_to_drain(&self) {
        while !self.shared.is_draining() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Tools {
    fn of(registry: &Registry) -> Result<Self, Error> {
        // How much at once is for the capacity to say, and how long a result may be for the limits of its tool.
        let none = usize::MAX;
        let limits = CallLimits::default().at_once(none).waiting(none);
        let session = registry.session().limits(limits.result_bytes(none));
        let session = session.qualified().leave_out_clashes().open();
        let session = session.map_err(|error| Error::new(Reason::Registry(Box::new(error))))?;
        // What its callers may see is not what it has.
        let all = session.unfiltered();
        let contracts = all.tools().filter_map(|(name, tool)| {
            let contract = tool.shared_contract();
            let contract = match contract.name().as_str() == name {
                true => Arc::clone(contract),
                false => Arc::new(contract.renamed(ToolName::new(name).ok()?)),
            };
            Some((name.into(), contract))
        });
        Ok(Self {
            contracts: contracts.collect(),
            sessions: PerPrincipal::new(PRINCIPALS),
            session,
        })
    }
}

/// Whoever waits for its calls is not answered, and hears that the runtime is gone.
impl Drop for Runtime {
    fn drop(&mut self) {
        self.shared.running.cancel_all();
    }
}

impl RuntimeShared {
    fn in_flight(&self) -> usize {
        self.running.count() + self.held.count()
    }

    fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    fn begin_draining(&self) {
        self.draining.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    fn listens_for(&self, tools: &BTreeMap<Box<str>, Box<str>>) {
        let tools = tools.iter().map(|(name, digest)| {
            let (name, digest) = (name.clone(), digest.clone());
            (digest.clone(), Arc::new(CalledTool { name, digest }))
        });
        *self.called.write().unwrap_or_else(PoisonError::into_inner) = tools.collect();
    }

    /// The tool with this contract, if it is listened for.
    fn called(&self, digest: &str) -> Option<Arc<CalledTool>> {
        let called = self.called.read().unwrap_or_else(PoisonError::into_inner);
        called.get(digest).cloned()
    }

    fn sends_chunks(&self) -> bool {
        self.chunks.load(Ordering::Acquire)
    }

    fn asks_questions(&self) -> bool {
        self.questions.load(Ordering::Acquire)
    }

    fn tools(&self) -> Arc<Tools> {
        Arc::clone(&self.tools.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at the registry again. Calls that run go on with the tools as they were.
    fn refresh(&self) {
        match Tools::of(&self.registry) {
            Ok(tools) => {
                let mut current = self.tools.write().unwrap_or_else(PoisonError::into_inner);
                *current = Arc::new(tools);
            }
            Err(error) => {
                tracing::error!(target: "toolpact::grid", %error, "the tools of the registry cannot be offered");
            }
        }
    }

    fn session_of(&self, principal: &Principal) -> Session {
        let tools = self.tools();
        match principal.is_anonymous() {
            true => tools.session.clone(),
            false => tools
                .sessions
                .get(principal, || tools.session.fork_for(principal.clone())),
        }
    }

    /// What it says about itself, with these tools.
    fn says(&self, tools: BTreeMap<Box<str>, Box<str>>) -> Presence {
        Presence {
            in_flight: self.in_flight(),
            draining: self.is_draining(),
            tools,
            ..Presence::ours(self.id.as_str(), self.capacity)
        }
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime")
            .field("id", self.id())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for RuntimeBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuntimeBuilder").finish_non_exhaustive()
    }
}
