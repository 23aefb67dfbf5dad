//! The connection to NATS, with the settings that the promises of the grid need.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, ServerAddr};

use crate::error::{Error, Reason};

/// Connects to one or several servers: `nats://…`, separated by commas.
pub async fn connect(servers: &str) -> Result<Client, Error> {
    connect_with(ConnectOptions::new(), servers).await
}

/// The same with credentials, TLS and the like.
pub async fn connect_with(options: ConnectOptions, servers: &str) -> Result<Client, Error> {
    let addresses = servers.split(',').map(|address| address.trim().parse());
    let addresses: Result<Vec<ServerAddr>, _> = addresses.collect();
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

/// Where the servers are, and what they are shown.
#[derive(Clone, Default)]
pub struct Servers {
    /// `nats://…` or `tls://…`, of servers of one cluster, perhaps with `USER:PASSWORD@`.
    pub addresses: Vec<String>,
    /// A file with credentials, as NATS makes them (`.creds`), or with the seed of an NKey of a user.
    pub credentials: Option<PathBuf>,
    /// The certificates of authorities that the servers have theirs from, in PEM, in place of those of the system.
    pub ca: Option<PathBuf>,
    /// A certificate to show, in PEM, and its private key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// What a client does on the grid. Its answers go to subjects of its role, so that a server can tell roles apart:
/// `_INBOX.host`, `_INBOX.runtime`, `_INBOX.operator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A [`Host`](crate::Host).
    Host,
    /// A [`Runtime`](crate::Runtime).
    Runtime,
    /// Somebody who looks after them: an [`Operator`](crate::Operator).
    Operator,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Runtime => "runtime",
            Self::Operator => "operator",
        }
    }
}

impl Servers {
    /// Servers without credentials.
    #[must_use]
    pub fn new<A: Into<String>>(addresses: impl IntoIterator<Item = A>) -> Self {
        Self {
            addresses: addresses.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Connects to one of them. Errors and the log do not say what is secret.
    pub async fn connect(&self, role: Role) -> Result<Client, Error> {
        for file in [&self.credentials, &self.ca].into_iter().flatten() {
            read(file)?;
        }
        let word = role.word();
        let mut options = ConnectOptions::new()
            .name(format!("toolpact {word}"))
            .custom_inbox_prefix(format!("_INBOX.{word}"));
        if let Some(file) = &self.credentials {
            let text = read(file)?;
            let secret = text.trim();
            options = match secret.starts_with("SU") {
                true => options.nkey(secret.to_owned()),
                false => {
                    let read = options.credentials(&text);
                    read.map_err(|_| Error::new(Reason::Credentials(file.clone())))?
                }
            };
        }
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options
                .add_client_certificate(certificate.clone(), key.clone())
                .require_tls(true);
        }
        connect_with(options, &self.addresses.join(",")).await
    }

    /// The addresses without users and passwords, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        let shown = self.addresses.iter().map(|address| {
            let Some((scheme, rest)) = address.split_once("://") else {
                return address.rsplit('@').next().unwrap_or_default().to_owned();
            };
            let host = rest.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}")
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// A key that a user of a NATS server shows, as an NKey: the seed, which only the user has, and the public half, for the
/// configuration of the server.
pub fn user_key() -> Result<(String, String), Error> {
    let pair = nkeys::KeyPair::new_user();
    let seed = pair.seed().map_err(Error::nats("make a key"))?;
    Ok((seed, pair.public_key()))
}

fn read(file: &PathBuf) -> Result<String, Error> {
    std::fs::read_to_string(file).map_err(|error| Error::new(Reason::File(file.clone(), error)))
}

/// Without what is secret.
impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Servers").field(&self.shown()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Servers;

    #[test]
    fn passwords_are_not_shown() {
        let servers = Servers::new(["nats://ada:secret@a:4222", "tls://b", "ada:se@cret@c:4222"]);
        assert_eq!(servers.shown(), "nats://a:4222, tls://b, c:4222");
        assert!(!format!("{servers:?}").contains("secret"));
    }
}
