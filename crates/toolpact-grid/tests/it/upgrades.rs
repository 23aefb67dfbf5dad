//! Hosts of several manifests, and registries that change.

use toolpact::Registry;
use toolpact::returns::StringValue;
use toolpact::tool;
use toolpact_grid::{AdmissionStatus, Host, Runtime};

use crate::kit::{self, NatsServer, SOON, TestHost, grid_reason, join};

/// Says which version it is.
#[tool(read_only)]
async fn which() -> StringValue {
    StringValue::success("stays")
}

mod old {
    use toolpact::returns::StringValue;
    use toolpact::tool;

    /// Says it is old.
    #[tool(read_only)]
    pub(super) async fn version() -> StringValue {
        StringValue::success("old")
    }
}

mod new {
    use toolpact::returns::StringValue;
    use toolpact::tool;

    /// Says it is new.
    #[tool(read_only)]
    pub(super) async fn version() -> StringValue {
        StringValue::success("new")
    }
}

fn old_registry() -> Registry {
    let registry = Registry::new();
    registry.add(which::tool()).unwrap();
    registry.add(old::version::tool()).unwrap();
    registry
}

fn new_registry() -> Registry {
    let registry = Registry::new();
    registry.add(which::tool()).unwrap();
    registry.add(new::version::tool()).unwrap();
    registry
}

async fn host(server: &NatsServer, registry: &Registry) -> TestHost {
    let builder = Host::builder(server.client().await);
    TestHost::with(builder, kit::contracts(registry)).await
}

/// Each tool of a runtime is used by the hosts that have its contract, whichever host answers first.
#[tokio::test(flavor = "multi_thread")]
async fn hosts_of_two_manifests_have_their_runtimes() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (old_host, new_host) = (
        host(&server, &old_registry()).await,
        host(&server, &new_registry()).await,
    );
    let builder = async || Runtime::builder(server.client().await);
    let old_runtime = join(builder().await, &old_registry()).await;
    let _new_runtime = join(builder().await, &new_registry()).await;
    for (host, says) in [(&old_host, "old"), (&new_host, "new")] {
        for tool in ["version", "which"] {
            assert!(host.host.wait_for(tool, SOON).await, "{says} {tool}");
        }
        for _ in 0..4 {
            assert_eq!(host.call("version", "{}").await.text(), says);
            assert_eq!(host.call("which", "{}").await.text(), "stays");
        }
    }
    // All hosts together accept all.
    let mut admissions = old_runtime.admissions();
    let all = admissions.wait_for(|admission| {
        let admission = admission.as_ref();
        admission.is_some_and(|admission| admission.status == AdmissionStatus::Success)
    });
    tokio::time::timeout(SOON, all).await.unwrap().unwrap();
    // The old manifest goes, and with it the use of its tools.
    drop(old_host);
    old_runtime.offer();
    let gone = admissions.wait_for(|admission| {
        let admission = admission.as_ref();
        admission.is_some_and(|admission| {
            admission.accepted.len() == 1 && &*admission.refused[0].name == "version"
        })
    });
    tokio::time::timeout(SOON, gone).await.unwrap().unwrap();
    for _ in 0..4 {
        assert_eq!(new_host.call("version", "{}").await.text(), "new");
    }
}

/// A runtime offers what its registry has now, under the names that clients of it would use.
#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_follows_its_registry() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let registry = old_registry();
    let all = new_registry();
    let renamed = kit::contracts(&all)
        .into_iter()
        .map(|contract| contract.renamed(format!("ours__{}", contract.name()).parse().unwrap()));
    let contracts = kit::contracts(&all).into_iter().chain(renamed).collect();
    let host = TestHost::with(Host::builder(server.client().await), contracts).await;
    let _runtime = join(Runtime::builder(server.client().await), &registry).await;
    assert!(host.host.wait_for("which", SOON).await);
    let missing = host.call("version", "{}").await;
    assert_eq!(grid_reason(&missing), "no_runtime");
    registry.replace(new::version::tool()).unwrap();
    assert!(host.host.wait_for("version", SOON).await);
    assert_eq!(host.call("version", "{}").await.text(), "new");
    let ours = registry.toolset("ours").unwrap();
    ours.add(new::version::tool()).unwrap();
    assert!(host.host.wait_for("ours__version", SOON).await);
    assert_eq!(host.call("ours__version", "{}").await.text(), "new");
    registry.remove("version").unwrap();
    let gone = async {
        while host.call("version", "{}").await.is_success() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON, gone).await.unwrap();
    assert_eq!(host.call("ours__version", "{}").await.text(), "new");
}
