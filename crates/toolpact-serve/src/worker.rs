//! A runtime of a grid, from a config.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact::core::contract::Contract;
use toolpact::core::model::ToolName;
use toolpact::observe::Reading;
use toolpact::{Registry, Session};
use toolpact_grid::{Admission, HostKeys, Id, Role, Runtime, Servers};

use crate::config::{Config, Source};
use crate::config_tools::{ConfigTools, all_tools};
use crate::reload::watch_config;
use crate::sources::{Health, Supervisor};
use crate::start_error::{Reason, StartError};

/// Where a [`Worker`] works.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GridPlace {
    /// The servers of NATS.
    pub servers: Servers,
    /// The first word of the grid's subjects.
    pub prefix: String,
    /// What the id of the runtime begins with.
    pub name: String,
    /// How many calls it takes at once.
    pub capacity: usize,
    /// The session that hosts in DEVELOPMENT mode get its tools for.
    pub develop: Option<String>,
    /// The keys of the hosts that it believes. With none, it believes all, and callers are anonymous.
    pub host_keys: HostKeys,
}

/// The tools of a config as a runtime of a grid: a [`Service`](crate::Service) that takes its calls from hosts.
///
/// ```no_run
/// use std::time::Duration;
/// use tokio_util::sync::CancellationToken;
/// use toolpact_grid::Servers;
/// use toolpact_serve::{Config, GridPlace, Worker};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let place = GridPlace::new(Servers::new(["nats://127.0.0.1:4222"]));
/// let worker = Worker::start(Config::shop(), None, place, CancellationToken::new()).await?;
/// worker.told_to_drain().await;
/// worker.drain(Duration::from_secs(10)).await;
/// # Ok(())
/// # }
/// ```
pub struct Worker {
    runtime: Runtime,
    registry: Registry,
    supervisor: Arc<Supervisor>,
    /// The tools as they were at the start.
    session: Session,
}

impl GridPlace {
    /// On these servers, under the names that are usual.
    #[must_use]
    pub fn new(servers: Servers) -> Self {
        Self {
            servers,
            prefix: "toolpact".to_owned(),
            name: "runtime".to_owned(),
            capacity: 256,
            develop: None,
            host_keys: HostKeys::new(),
        }
    }
}

impl Worker {
    /// Starts the sources of a config and offers their tools. With a `file`, which is where the config came from, its
    /// changes are followed. The policies and the limits of the config hold, and its calls are recorded, as on a
    /// server; who may reach the server is the affair of hosts.
    pub async fn start(
        config: Config,
        file: Option<PathBuf>,
        place: GridPlace,
        stop: CancellationToken,
    ) -> Result<Self, StartError> {
        if let Some(Source::Grid(_)) = config.sources.iter().find(|one| one.kind() == "grid") {
            return Err(StartError::new(Reason::HostAsRuntime));
        }
        let grid = |error| StartError::new(Reason::Grid(error));
        let client = place.servers.connect(Role::Runtime).await.map_err(grid)?;
        let mut tools = ConfigTools::new(&config, None, None)?;
        let followers = tools.start(&config, &stop).await?;
        let mut builder = Runtime::builder(client)
            .prefix(place.prefix)
            .name(place.name)
            .capacity(place.capacity)
            .host_keys(place.host_keys);
        if let Some(session) = place.develop {
            builder = builder.develop(session);
        }
        let runtime = builder.join(&tools.registry).await.map_err(grid)?;
        tokio::spawn(watch_config(file, config, followers, stop));
        Ok(Self {
            session: all_tools(&tools.registry).map_err(StartError::tools)?,
            runtime,
            registry: tools.registry,
            supervisor: tools.supervisor,
        })
    }

    /// The id of the runtime.
    #[must_use]
    pub fn id(&self) -> &Id {
        self.runtime.id()
    }

    /// How the sources are.
    #[must_use]
    pub fn health(&self) -> Vec<Health> {
        self.supervisor.health()
    }

    /// The contracts of its tools, under the names that it offers: a manifest that it fulfils.
    #[must_use]
    pub fn contracts(&self) -> Vec<Contract> {
        let session = all_tools(&self.registry).unwrap_or_else(|_| self.session.clone());
        let contracts = session.contracts();
        contracts
            .filter_map(|(name, contract)| Some(contract.renamed(ToolName::new(name).ok()?)))
            .collect()
    }

    /// What telemetry exports: the tools as they are, with their counters.
    pub fn measure(&self) -> impl Fn() -> (Session, Vec<Reading>) + Send + Sync + 'static {
        let (registry, first) = (self.registry.clone(), self.session.clone());
        move || {
            (
                all_tools(&registry).unwrap_or_else(|_| first.clone()),
                Vec::new(),
            )
        }
    }

    /// Told when tools come, go or change.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.registry.changes()
    }

    /// Told of each decision of hosts about its tools.
    #[must_use]
    pub fn admissions(&self) -> watch::Receiver<Option<Admission>> {
        self.runtime.admissions()
    }

    /// Waits until somebody has told it to leave, as `toolpact grid drain` does.
    pub async fn told_to_drain(&self) {
        self.runtime.told_to_drain().await;
    }

    /// Takes no more calls, waits for those that run, but no longer than this, and leaves. Returns how many were cut.
    pub async fn drain(self, most: Duration) -> usize {
        let cut = self.runtime.drain(most).await;
        self.registry.close();
        cut
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("runtime", &self.runtime)
            .finish_non_exhaustive()
    }
}
