//! Our side of a connection: what we say of ourselves, and what the server tells us unasked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::{mpsc, watch};

/// How much may be told of one call before it is heard; what is beyond is dropped.
const WAITING: usize = 16;

#[derive(Clone)]
pub(super) struct Client(pub(super) Arc<Heard>);

/// What the server tells us.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) changes: watch::Sender<u64>,
    progress: Mutex<HashMap<ProgressToken, mpsc::Sender<ProgressNotificationParam>>>,
}

/// The progress of one call.
pub(super) struct Listening {
    token: ProgressToken,
    heard: Arc<Heard>,
    pub(super) updates: mpsc::Receiver<ProgressNotificationParam>,
}

impl Heard {
    pub(super) fn listen(self: &Arc<Self>, token: ProgressToken) -> Listening {
        let (sender, updates) = mpsc::channel(WAITING);
        self.listeners().insert(token.clone(), sender);
        Listening {
            token,
            heard: Arc::clone(self),
            updates,
        }
    }

    fn listeners(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<ProgressToken, mpsc::Sender<ProgressNotificationParam>>>
    {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.heard.listeners().remove(&self.token);
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let about = Implementation::new("toolpact", env!("CARGO_PKG_VERSION"));
        let mut config = ClientConfig::new(ClientCapabilities::default(), about);
        config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        config
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let listener = self.0.listeners().get(&params.progress_token).cloned();
        if let Some(listener) = listener {
            // A server that says more than can be heard is not waited for.
            let _ = listener.try_send(params);
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.changes.send_modify(|times| *times += 1);
    }
}
