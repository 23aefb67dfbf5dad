//! Who calls, as a runtime knows it.

use std::time::Instant;

use toolpact::{Principal, Registry};
use toolpact_grid::{Host, HostKey, HostKeys, Runtime};

use crate::kit::{self, AT_ONCE, NatsServer, SOON, call, contracts, grid_reason, join};

#[tokio::test(flavor = "multi_thread")]
async fn the_principal_of_a_caller_travels() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let key = || HostKey::from_seed("h1", &[7; 32]).unwrap();
    let keys = HostKeys::new().add("h1", &key().public()).unwrap();
    let builder = Host::builder(server.client().await).key(key());
    let host = builder.open(contracts(&kit::registry())).await.unwrap();
    let registry = Registry::new();
    registry.add_all(host.definitions()).unwrap();
    let runtime = Runtime::builder(server.client().await).host_keys(keys);
    let _runtime = join(runtime, &kit::registry()).await;
    assert!(host.wait_for("whoami", SOON).await);
    let ada = Principal::new("ada").with_tenant("acme").groups(["staff"]);
    for (principal, expected) in [
        (ada, r#"ada of Some("acme") in ["staff"]"#),
        (Principal::new("bob"), "bob of None in []"),
        (Principal::anonymous(), "anonymous of None in []"),
    ] {
        let session = registry.session().principal(principal).open().unwrap();
        let completed = session.call(call("whoami", "{}")).await;
        assert_eq!(completed.text(), expected, "{completed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_a_runtime_does_not_know_is_refused() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let known = HostKey::from_seed("h1", &[7; 32]).unwrap();
    let keys = HostKeys::new().add("h1", &known.public()).unwrap();
    for key in [None, Some(HostKey::from_seed("h1", &[8; 32]).unwrap())] {
        let mut builder = Host::builder(server.client().await);
        if let Some(key) = key {
            builder = builder.key(key);
        }
        let host = kit::TestHost::with(builder, contracts(&kit::registry())).await;
        let runtime = Runtime::builder(server.client().await).host_keys(keys.clone());
        let _runtime = join(runtime, &kit::registry()).await;
        assert!(host.host.wait_for("add", SOON).await);
        let start = Instant::now();
        let completed = host.call("add", r#"{"a": 1, "b": 2}"#).await;
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        assert_eq!(grid_reason(&completed), "identity_refused");
    }
}
