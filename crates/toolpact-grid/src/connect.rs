//! The connection to NATS, with the settings that the promises of the grid need.

use std::time::Duration;

use async_nats::{Client, ConnectOptions};

use crate::error::Error;

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
