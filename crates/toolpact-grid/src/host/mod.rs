//! The host: owns contracts, admits runtimes, calls them.

mod development;
mod durable;
mod in_flight;
mod report;
mod runtimes;
mod sender;
mod tasks;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::Definition;
use toolpact::call::CallLimits;
use toolpact::core::contract::Contract;

pub use durable::Operation;
pub(crate) use durable::{ANY_RUNTIME, NotDurable};
pub(crate) use in_flight::{Ended, Heard, InFlight, Key, Outcome, Waiting};
pub(crate) use report::CallCounts;
pub use report::{CallFigures, HostPresence, HostReport};
pub use runtimes::RuntimeStatus;
pub(crate) use runtimes::{Assigned, KnownRuntime, Nobody, Runtimes};
pub(crate) use sender::Outgoing;
pub(crate) use tasks::Control;

use crate::contracts::{self, Manifest};
use crate::durable::DurableCalls;
use crate::error::Error;
use crate::identity::HostKey;
use crate::presence;
use crate::remote_tool::RemoteTool;
use crate::replicas;
use crate::subject::{Id, Subjects};
use development::Development;
use durable::DurableHost;

/// Owns contracts and calls the runtimes that fulfil them. Cloning is cheap; when the last clone and the last of its
/// definitions are dropped, it leaves the grid.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    shared: Arc<HostShared>,
    manifest: Arc<Manifest>,
    _tasks: DropGuard,
}

/// What calls need of their host.
pub(crate) struct HostShared {
    pub(crate) client: Client,
    /// Where it was opened.
    pub(crate) threads: Handle,
    pub(crate) subjects: Subjects,
    pub(crate) id: Id,
    /// What reply subjects begin with.
    pub(crate) replies: Box<str>,
    pub(crate) key: Option<HostKey>,
    pub(crate) runtimes: Runtimes,
    /// Counters by tool.
    pub(crate) counts: HashMap<Box<str>, Arc<CallCounts>>,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) control: mpsc::UnboundedSender<Control>,
    outgoing: mpsc::UnboundedSender<Outgoing>,
    pub(crate) result_bytes: usize,
    /// What it has for durable calls, if a tool is durable.
    pub(crate) durable: Option<DurableHost>,
    /// What runtimes have registered, in DEVELOPMENT mode.
    pub(crate) development: Option<Development>,
}

impl HostShared {
    /// Sends a call with the next message to its runtime.
    pub(crate) fn send(&self, call: Outgoing) {
        let key = call.key;
        if self.outgoing.send(call).is_err() {
            self.in_flight.tell(key, Some(Heard::NotSent));
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}

/// Makes a [`Host`].
#[must_use]
pub struct HostBuilder {
    client: Client,
    word: Box<str>,
    name: Box<str>,
    key: Option<HostKey>,
    result_bytes: usize,
    durable: DurableCalls,
    development: Option<usize>,
}

impl HostBuilder {
    /// The first word of the subjects, if it is not `toolpact`: grids with other words do not see each other.
    pub fn prefix(mut self, word: impl Into<Box<str>>) -> Self {
        self.word = word.into();
        self
    }

    /// What its id begins with.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = name.into();
        self
    }

    /// The key that it signs the identity of its callers with.
    pub fn key(mut self, key: HostKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Most bytes of a result that comes in parts.
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }

    /// Which calls are durable, beside those of tools whose contracts say so, and for how long.
    pub fn durable(mut self, calls: DurableCalls) -> Self {
        self.durable = calls;
        self
    }

    /// In DEVELOPMENT mode: runtimes may register contracts that are not in the manifest, each for the session that it names,
    /// and so many of a session at most. They are served as [`Host::registered`] says, and gone with their runtimes. Without
    /// this, the host is in STRICT mode and calls what its manifest has.
    pub fn development(mut self, most_tools: usize) -> Self {
        self.development = Some(most_tools);
        self
    }

    /// Publishes the contracts, and begins to admit runtimes.
    pub async fn open(self, contracts: impl IntoIterator<Item = Contract>) -> Result<Host, Error> {
        Box::pin(self.open_with(Manifest::new(contracts)?)).await
    }

    /// The same with a manifest, such as the one that [`Operator::published`](crate::Operator::published) has.
    pub async fn open_with(self, manifest: Manifest) -> Result<Host, Error> {
        let manifest = Arc::new(manifest);
        let subjects = Subjects::new(&self.word)?;
        let id = Id::random(&self.name)?;
        let store = contracts::bucket(&self.client, &subjects).await?;
        contracts::publish(&store, &manifest).await?;
        let buckets = tasks::Buckets {
            runtimes: presence::bucket(&self.client, &subjects).await?,
            hosts: presence::hosts(&self.client, &subjects).await?,
        };
        let (control, orders) = mpsc::unbounded_channel();
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let drop_guard = stop.clone().drop_guard();
        let (client, calls) = (&self.client, self.durable);
        let durable = DurableHost::open(client, &subjects, &id, &manifest, calls, &stop);
        let durable = Box::pin(durable).await?;
        let shared = Arc::new(HostShared {
            durable,
            development: self.development.map(Development::new),
            replies: subjects.replies(&id).into(),
            client: self.client,
            threads: Handle::current(),
            subjects,
            id,
            key: self.key,
            runtimes: Runtimes::default(),
            counts: report::counts_of(&manifest),
            in_flight: InFlight::new(),
            control,
            outgoing,
            result_bytes: self.result_bytes,
        });
        tasks::start(&shared, &manifest, buckets, orders, &stop).await?;
        tasks::spawn(&stop, sender::run(Arc::clone(&shared), to_send));
        let (client, subjects) = (shared.client.clone(), shared.subjects.clone());
        tasks::spawn(&stop, replicas::keep(client, subjects));
        Ok(Host(Arc::new(Inner {
            shared,
            manifest,
            _tasks: drop_guard,
        })))
    }
}

impl Host {
    /// A host on this connection, which is to be opened.
    pub fn builder(client: Client) -> HostBuilder {
        HostBuilder {
            client,
            word: "toolpact".into(),
            name: "host".into(),
            key: None,
            result_bytes: CallLimits::RESULT_BYTES,
            durable: DurableCalls::default(),
            development: None,
        }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.0.shared.id
    }

    /// Its contracts.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// The tools of its manifest, for a registry: calls go to runtimes. They are there also while no runtime is.
    #[must_use]
    pub fn definitions(&self) -> Vec<Definition> {
        let tools = self.0.manifest.tools();
        tools
            .map(|tool| RemoteTool::definition(self.clone(), tool))
            .collect()
    }

    /// The runtimes it knows.
    #[must_use]
    pub fn runtimes(&self) -> Vec<RuntimeStatus> {
        self.0.shared.runtimes.status()
    }

    /// Whether it has a connection to NATS now.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.0.shared.is_connected()
    }

    /// Waits until it knows a runtime, or the time is up.
    pub async fn settled(&self, most: Duration) -> bool {
        let there = async {
            while self.0.shared.runtimes.is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(most, there).await.is_ok()
    }

    /// Waits until a runtime has this tool, or the time is up.
    pub async fn wait_for(&self, tool: &str, most: Duration) -> bool {
        let there = async {
            while self.0.shared.runtimes.pick(tool, &[]).is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(most, there).await.is_ok()
    }

    /// Tells a runtime to take no more calls.
    pub fn drain(&self, runtime: &Id) {
        // The task that sends it ends with the host.
        let _ = self.0.shared.control.send(Control::Drain(runtime.clone()));
    }

    pub(crate) fn shared(&self) -> &Arc<HostShared> {
        &self.0.shared
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("id", self.id())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for HostBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostBuilder").finish_non_exhaustive()
    }
}
