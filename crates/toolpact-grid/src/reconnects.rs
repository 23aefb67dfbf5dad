//! That a connection was lost and is there again: what the server kept for it is gone.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::Client;

/// How often it is looked whether there is another connection.
const LOOK: Duration = Duration::from_millis(100);

/// The times that a client has connected again.
pub(crate) struct Reconnects {
    client: Client,
    seen: u64,
}

impl Reconnects {
    /// Those from now on.
    pub(crate) fn of(client: &Client) -> Self {
        Self {
            seen: connections(client),
            client: client.clone(),
        }
    }

    /// Waits for the next.
    pub(crate) async fn next(&mut self) {
        while connections(&self.client) == self.seen {
            tokio::time::sleep(LOOK).await;
        }
        self.seen = connections(&self.client);
    }
}

/// How many times it has connected.
fn connections(client: &Client) -> u64 {
    client.statistics().connects.load(Ordering::Relaxed)
}
