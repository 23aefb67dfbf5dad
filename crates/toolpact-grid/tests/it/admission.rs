//! Which tools a host takes from a runtime.

use toolpact::returns::{NumberValue, StringValue};
use toolpact::{Registry, tool, tools};
use toolpact_grid::{AdmissionStatus, Host, RefusalReason, Runtime};

use crate::kit::{self, NatsServer, SOON, TestHost, contracts, grid_reason, join, pair};

mod other {
    use super::{StringValue, tool};

    /// Concatenates two texts.
    #[tool(read_only)]
    pub(super) async fn add(a: String, b: String) -> StringValue {
        StringValue::success(a + &b)
    }
}

/// Subtracts two numbers.
#[tool(read_only)]
async fn sub(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a - b)
}

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_tool_is_accepted_or_refused_for_itself() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let ours = Registry::new();
    ours.add_all(tools![add, sub]).unwrap();
    let host = TestHost::with(Host::builder(server.client().await), contracts(&ours)).await;
    let theirs = kit::registry();
    theirs.remove("add").unwrap();
    theirs.add(other::add::tool()).unwrap();
    theirs.add(sub::tool()).unwrap();
    let runtime = join(Runtime::builder(server.client().await), &theirs).await;

    let admission = runtime.admission().unwrap();
    assert_eq!(admission.status, AdmissionStatus::PartialSuccess);
    assert_eq!(admission.accepted, ["sub".into()]);
    let of = |name: &str| {
        admission
            .refused
            .iter()
            .find(|tool| &*tool.name == name)
            .unwrap()
    };
    let refused = of("add");
    assert_eq!(refused.reason, RefusalReason::DigestDiffers);
    let expected = host
        .host
        .manifest()
        .digests()
        .find(|(name, _)| *name == "add")
        .unwrap()
        .1;
    assert_eq!(refused.expected.as_deref(), Some(expected));
    assert_eq!(of("whoami").reason, RefusalReason::NotInManifest);

    assert!(host.host.wait_for("sub", SOON).await);
    assert_eq!(host.call("sub", r#"{"a": 3, "b": 2}"#).await.text(), "1");
    let completed = host.call("add", r#"{"a": 3, "b": 2}"#).await;
    assert_eq!(grid_reason(&completed), "no_runtime");
}

/// Whoever starts first waits for the other, and a host that comes back is offered the same again.
#[tokio::test(flavor = "multi_thread")]
async fn runtimes_wait_for_hosts() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let builder = Runtime::builder(server.client().await);
    let runtime = builder.join(&kit::registry()).await.unwrap();
    assert_eq!(runtime.admission(), None);
    for _ in 0..2 {
        let host = TestHost::open(&server).await;
        assert!(host.host.wait_for("add", SOON).await);
        assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
        assert_eq!(
            runtime.admission().unwrap().status,
            AdmissionStatus::Success
        );
    }
}

/// Two hosts of one manifest know the same, and neither is in the way of the other.
#[tokio::test(flavor = "multi_thread")]
async fn hosts_work_side_by_side() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (one, _runtime) = pair(&server).await;
    let two = TestHost::open(&server).await;
    assert_eq!(one.host.manifest().digest(), two.host.manifest().digest());
    assert!(two.host.wait_for("add", SOON).await);
    for host in [&one, &two, &one] {
        assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grids_of_other_words_do_not_see_each_other() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let builder = Host::builder(server.client().await).prefix("other");
    let other = TestHost::with(builder, contracts(&kit::registry())).await;
    assert!(
        !other
            .host
            .wait_for("add", std::time::Duration::from_secs(1))
            .await
    );
    assert_eq!(host.host.runtimes().len(), 1);
}
