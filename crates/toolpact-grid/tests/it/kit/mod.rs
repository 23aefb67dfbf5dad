//! A server, tools, and hosts and runtimes of them.

mod process;
mod python;
mod server;
mod tools;

use std::time::Duration;

use toolpact::core::contract::Contract;
use toolpact::{Call, Completed, Registry, Session};
use toolpact_grid::async_nats::Client;
use toolpact_grid::{Host, HostBuilder, Runtime, RuntimeBuilder, connect};

pub(crate) use process::Process;
pub(crate) use python::{PythonRuntime, discover};
pub(crate) use server::{Cluster, NatsServer};
pub(crate) use tools::{EFFECTS, EMITTED, registry};

/// Sooner than any time-out. Tests run on busy machines: how quick it is on a quiet one is for a benchmark to say.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(2);

/// Long enough for whatever should come at once.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// Prints how long some things took, and asserts that most of them took less than was promised, and none very long. The
/// machine is busy with other tests, which may hold up any one of them.
pub(crate) fn in_time(what: &str, mut took: Vec<Duration>, promised: Duration) {
    took.sort_unstable();
    let (median, longest) = (took[took.len() / 2], took[took.len() - 1]);
    let said = format!(
        "{what}: {} times, {median:?} in the middle, {longest:?} at most",
        took.len()
    );
    eprintln!("{said}");
    assert!(median < promised, "{said}");
    assert!(longest < AT_ONCE, "{said}");
}

pub(crate) fn contracts(registry: &Registry) -> Vec<Contract> {
    let tools = registry.list();
    tools.iter().map(|tool| tool.contract().clone()).collect()
}

/// A host with a session whose tools are all remote.
pub(crate) struct TestHost {
    pub(crate) host: Host,
    pub(crate) session: Session,
}

impl TestHost {
    pub(crate) async fn open(server: &NatsServer) -> Self {
        Self::with(Host::builder(server.client().await), contracts(&registry())).await
    }

    pub(crate) async fn with(builder: HostBuilder, contracts: Vec<Contract>) -> Self {
        let host = builder.open(contracts).await.unwrap();
        let registry = Registry::new();
        registry.add_all(host.definitions()).unwrap();
        let session = registry.session().open().unwrap();
        Self { host, session }
    }

    pub(crate) async fn call(&self, name: &str, args: &str) -> Completed {
        self.session.call(call(name, args)).await
    }
}

pub(crate) fn call(name: &str, args: &str) -> Call {
    Call::from_json(format!(r#"{{"name": "{name}", "args": {args}}}"#)).unwrap()
}

/// What the grid says went wrong.
pub(crate) fn grid_reason(completed: &Completed) -> String {
    let error = completed.error().unwrap_or_else(|| panic!("{completed:?}"));
    let detail = error.as_standard().detail("grid");
    detail.map_or_else(
        || format!("none: {error:?}"),
        |detail| detail.text().trim_matches('"').to_owned(),
    )
}

/// A runtime that a host has admitted.
pub(crate) async fn join(builder: RuntimeBuilder, registry: &Registry) -> Runtime {
    let runtime = builder.join(registry).await.unwrap();
    let admitted = tokio::time::timeout(SOON, runtime.admitted()).await;
    admitted.unwrap().unwrap();
    runtime
}

pub(crate) async fn runtime(server: &NatsServer) -> Runtime {
    join(Runtime::builder(server.client().await), &registry()).await
}

/// A host and a runtime that know each other.
pub(crate) async fn pair(server: &NatsServer) -> (TestHost, Runtime) {
    let host = TestHost::open(server).await;
    let runtime = runtime(server).await;
    assert!(host.host.wait_for("add", SOON).await);
    (host, runtime)
}

impl NatsServer {
    pub(crate) async fn client(&self) -> Client {
        connect(self.url()).await.unwrap()
    }
}
