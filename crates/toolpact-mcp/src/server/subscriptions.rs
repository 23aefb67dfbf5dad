//! The resources that clients are told updates of.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::passthrough::{Change, Passthrough};
use crate::rpc::{ErrorCode, RpcError};

/// Most resources that one client is told updates of.
const SUBSCRIPTIONS: usize = 1000;

/// The resources that one client is told updates of, for as long as this is held.
pub(crate) struct Subscriptions {
    passthrough: Arc<dyn Passthrough>,
    uris: Mutex<BTreeSet<String>>,
}

impl Subscriptions {
    pub(crate) fn new(passthrough: &Arc<dyn Passthrough>) -> Self {
        Self {
            passthrough: Arc::clone(passthrough),
            uris: Mutex::default(),
        }
    }

    pub(crate) fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Prompts | Change::Resources => true,
            Change::Updated(uri) => self.uris().contains(&**uri),
        }
    }

    /// Counts a resource that the server tells updates of.
    pub(crate) fn add(&self, uri: &str) -> Result<(), RpcError> {
        let mut uris = self.uris();
        if uris.len() >= SUBSCRIPTIONS {
            let text = format!("expected at most {SUBSCRIPTIONS} subscriptions; end some");
            return Err(RpcError::new(ErrorCode::OVERLOADED, text));
        }
        if uris.insert(uri.to_owned()) {
            self.passthrough.retain(uri);
        }
        Ok(())
    }

    /// Whether nobody else is told of this resource.
    pub(crate) fn remove(&self, uri: &str) -> bool {
        self.uris().remove(uri) && self.passthrough.release(uri)
    }

    fn uris(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        let uris = std::mem::take(&mut *self.uris());
        let passthrough = &self.passthrough;
        let last = uris.into_iter().filter(|uri| passthrough.release(uri));
        let ends = last
            .filter_map(|uri| passthrough.forward("resources/unsubscribe", json!({"uri": uri})));
        let ends: Vec<_> = ends.collect();
        if let (false, Ok(runtime)) = (ends.is_empty(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(futures_util::future::join_all(ends));
        }
    }
}
