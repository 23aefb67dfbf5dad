//! Where the tools of these tests run: each in a runtime behind a host of its own, through a real NATS server. To
//! tests nothing but that is different.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use toolpact::call::CallLimits;
use toolpact::core::contract::Contract;
use toolpact::registry::ToolsetHandle;
use toolpact::{Definition, Error, Registry, define::IntoDefinition};
use toolpact_grid::async_nats::Client;
use toolpact_grid::{Host, HostKey, HostKeys, Runtime, connect};

use crate::differences::DIFFERENCES;
use crate::server::NatsServer;

/// Most runtimes of one test.
const MOST: usize = 32;

/// Longer than joining takes on a busy machine.
const LONG: Duration = Duration::from_secs(50);

/// More than any result of a test: what a result may have at most is for the limits of calls to say.
const LARGE: usize = 1 << 30;

/// Registers tools that run in this world.
pub(crate) trait Place {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error>;

    fn place_all<T: IntoDefinition>(&self, tools: impl IntoIterator<Item = T>)
    -> Result<(), Error>;
}

impl Place for Registry {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.place_all([tool])
    }

    fn place_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        self.add_all(remote(tools)?)
    }
}

impl Place for ToolsetHandle<'_> {
    fn place(&self, tool: impl IntoDefinition) -> Result<(), Error> {
        self.place_all([tool])
    }

    fn place_all<T: IntoDefinition>(
        &self,
        tools: impl IntoIterator<Item = T>,
    ) -> Result<(), Error> {
        self.add_all(remote(tools)?)
    }
}

/// A tool that runs in this world, for what is added and replaced in other ways.
pub(crate) fn placed(tool: Definition) -> Definition {
    remote([tool]).unwrap().remove(0)
}

/// Milliseconds in which a tool begins: a busy machine has to carry the call through a server first.
pub(crate) const SHORT_MS: u64 = 700;

/// How many calls are many, where all of them go through one server on the machine of the test: a runtime that is not heard
/// of for 1.5 s would be taken for dead.
pub(crate) const CROWD: usize = 1000;

/// How many items a tool may be ahead of a slow reader: what waits in process, once in the runtime and once in the host,
/// and the window between them.
pub(crate) const AHEAD: usize = 17 + 17 + 16;

/// Whether a test is left out since it is about what only exists in process.
pub(crate) fn leaves_out(test: &str) -> bool {
    let row = DIFFERENCES.iter().find(|(name, _)| *name == test);
    let (_, why) = row.unwrap_or_else(|| panic!("`{test}` is not in the table of differences"));
    eprintln!("left out: {why}");
    true
}

/// The same tools, which run in a runtime.
fn remote<T: IntoDefinition>(tools: impl IntoIterator<Item = T>) -> Result<Vec<Definition>, Error> {
    let tools: Result<Vec<Definition>, Error> = tools.into_iter().map(T::into_definition).collect();
    let tools = tools?;
    let Some(grid) = Grid::shared() else {
        return Ok(tools);
    };
    let contracts = tools.iter().map(|tool| tool.contract().clone()).collect();
    // Limits are kept by the host, which retries as well.
    let limits = CallLimits::default().result_bytes(LARGE);
    let unlimited = |tool: &Definition| tool.clone().limits(limits.clone());
    let registry = Registry::builder().limits(limits.clone()).build();
    registry.add_all(tools.iter().map(unlimited))?;
    let remote = grid.join(registry, contracts).into_iter().zip(&tools);
    Ok(remote
        .map(|(remote, tool)| remote.with_settings_of(tool))
        .collect())
}

/// The server of all tests of this process, and connections to it.
struct Grid {
    threads: tokio::runtime::Runtime,
    host: Client,
    runtime: Client,
}

impl Grid {
    fn shared() -> Option<&'static Self> {
        static GRID: OnceLock<Option<Grid>> = OnceLock::new();
        GRID.get_or_init(|| std::thread::spawn(Self::start).join().unwrap())
            .as_ref()
    }

    fn start() -> Option<Self> {
        let url = NatsServer::for_this_process()?;
        let threads = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(2)
            .build()
            .unwrap();
        let client = || threads.block_on(connect(&url)).unwrap();
        let (host, runtime) = (client(), client());
        Some(Self {
            threads,
            host,
            runtime,
        })
    }

    /// Offers the tools, in a grid of their own, and returns them as their host has them.
    fn join(&'static self, registry: Registry, contracts: Vec<Contract>) -> Vec<Definition> {
        thread_local! {
            /// They run as long as their test, or until there are enough of others.
            static RUNTIMES: RefCell<VecDeque<Runtime>> = RefCell::default();
        }
        let (sender, joined) = mpsc::channel();
        self.threads.spawn(async move {
            // Nobody waits for what takes too long.
            let _ = sender.send(self.opened(&registry, contracts).await);
        });
        let joined = joined.recv_timeout(LONG);
        let (runtime, tools) = joined.expect("the runtime did not join");
        RUNTIMES.with_borrow_mut(|all| {
            all.push_back(runtime);
            if all.len() > MOST {
                all.pop_front();
            }
        });
        tools
    }

    async fn opened(
        &self,
        registry: &Registry,
        contracts: Vec<Contract>,
    ) -> (Runtime, Vec<Definition>) {
        static GRIDS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = GRIDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let word = format!("grid{}-{number}", std::process::id());
        let key = HostKey::from_seed("host", &[7; 32]).unwrap();
        let keys = HostKeys::new().add("host", &key.public()).unwrap();
        let names: Vec<String> = contracts.iter().map(|one| one.name().to_string()).collect();
        let host = Host::builder(self.host.clone()).prefix(&*word).key(key);
        let host = host.result_bytes(LARGE).open(contracts).await.unwrap();
        let runtime = Runtime::builder(self.runtime.clone()).prefix(&*word);
        let runtime = runtime.host_keys(keys).capacity(100_000);
        let runtime = runtime.join(registry).await.unwrap();
        for name in names {
            assert!(host.wait_for(&name, LONG).await, "nobody has `{name}`");
        }
        (runtime, host.definitions())
    }
}
