//! What many tests need.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{Call, Completed, Registry, Session, testing};
use toolpact_shop::{Shop, ShopErrorKind};

/// Longer than anything takes on a busy machine. A test that waits for so long has failed.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// How many orders the shop of a test has.
pub(crate) const ORDERS: u64 = 230;

/// A shop in a directory of its own, and a conversation with it.
pub(crate) struct Fixture {
    pub(crate) dir: TempDir,
    pub(crate) session: Session,
}

pub(crate) fn shop() -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let session = open(dir.path());
    Fixture { dir, session }
}

/// The shop lives as long as the session.
pub(crate) fn open(dir: &Path) -> Session {
    session(&made(dir))
}

pub(crate) fn made(dir: &Path) -> Arc<Shop> {
    let options = Shop::options().orders(u32::try_from(ORDERS).unwrap());
    options.open(dir).unwrap()
}

/// Waits until the last call has let go of the shop, which may be a moment after it was answered.
pub(crate) async fn closed(dir: &Path) {
    let closed = async {
        while let Err(error) = Shop::open(dir) {
            assert_eq!(error.kind(), ShopErrorKind::InUse, "{error}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, closed).await.unwrap();
}

pub(crate) fn session(shop: &Arc<Shop>) -> Session {
    let registry = Registry::new();
    shop.register(&registry).unwrap();
    registry.session().open().unwrap()
}

impl Fixture {
    /// What came of a call, as JSON. It has to work.
    pub(crate) async fn ok(&self, tool: &str, args: Json) -> Json {
        ok(&self.session, tool, args).await
    }

    /// What a call fails with.
    pub(crate) async fn fails(&self, tool: &str, args: Json, kind: ErrorKind) -> Failure {
        let completed = call(&self.session, tool, args).await;
        testing::assert_failure(&completed, kind);
        Failure::of(&completed)
    }

    /// The newest order that is this far, with its version.
    pub(crate) async fn newest(&self, status: &str) -> (String, u64) {
        let args = json!({"filter": {"status": status}, "per_page": 1});
        let found = self.ok("search_orders", args).await;
        let order = &found["data"][0];
        (text(&order["order"]), order["version"].as_u64().unwrap())
    }

    /// Takes an order and returns its number.
    pub(crate) async fn order(&self, product: &str, quantity: u32) -> String {
        create(&self.session, product, quantity).await
    }
}

pub(crate) async fn create(session: &Session, product: &str, quantity: u32) -> String {
    let lines = json!([{"product": product, "quantity": quantity}]);
    let made = ok(
        session,
        "create_order",
        json!({"customer": "C-101", "lines": lines}),
    )
    .await;
    assert_eq!(made["type"], "order");
    text(&made["id"])
}

pub(crate) async fn call(session: &Session, tool: &str, args: Json) -> Completed {
    let args = Value::from_json(args.to_string()).unwrap();
    let called = session.call(Call::new(tool, args));
    tokio::time::timeout(LONG, called).await.unwrap()
}

pub(crate) async fn ok(session: &Session, tool: &str, args: Json) -> Json {
    let completed = call(session, tool, args).await;
    testing::assert_success(&completed);
    serde_json::from_slice(&completed.to_json().unwrap()).unwrap()
}

pub(crate) fn text(value: &Json) -> String {
    value.as_str().unwrap().to_owned()
}

/// In hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// What a caller is told of a failure.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) details: Json,
}

impl Failure {
    pub(crate) fn of(completed: &Completed) -> Self {
        let error = completed.error().unwrap().as_standard();
        let error: Json = serde_json::from_str(&error.to_json()).unwrap();
        Self {
            message: text(&error["message"]),
            details: error["details"].clone(),
        }
    }
}
