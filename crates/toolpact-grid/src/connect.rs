//! The connection to NATS, with the settings that the promises of the grid need.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};

use crate::error::Error;

/// How often it is looked whether there is another connection.
const LOOK: Duration = Duration::from_millis(100);

/// Connects to one or several servers: `nats://…`, separated by commas.
pub async fn connect(servers: &str) -> Result<Client, Error> {
    connect_with(ConnectOptions::new(), servers).await
}

/// The same with credentials, TLS and the like.
pub async fn connect_with(options: ConnectOptions, servers: &str) -> Result<Client, Error> {
    let addresses = servers.split(',').map(|address| address.trim().parse());
    let addresses: Result<Vec<async_nats::ServerAddr>, _> = addresses.collect();
    let addresses = addresses.map_err(Error::nats("read an address"))?;
    options
        // A server that is gone without a word is noticed in seconds.
        .ping_interval(Duration::from_secs(2))
        .reconnect_delay_callback(|attempt| {
            Duration::from_millis(50).saturating_mul(1 << attempt.min(5))
        })
        .connect(addresses)
        .await
        .map_err(Error::nats("connect"))
}

/// That a connection was lost and is there again: what the server kept for it is gone.
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
