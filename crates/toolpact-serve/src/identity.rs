//! The files that say who may call, followed while the server runs.

use std::fmt::Display;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact_http::{Tls, TlsFiles};
use toolpact_identity::Identity;

use crate::config::{Config, NoIdentity, address};
use crate::reload::FileState;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// What is wrong with the tokens, keys and certificates that a config names.
pub(crate) fn check(config: &Config) -> Vec<String> {
    let identity = match config.identity() {
        Ok(_) => None,
        Err(NoIdentity::Token(why)) => Some(why),
        Err(NoIdentity::Other(error)) => Some(error.to_string()),
    };
    let tls = config.tls.as_ref().map(|tls| Tls::load(&tls.files()));
    let tls = tls.and_then(|tls| Some(tls.err()?.to_string()));
    let open = (!is_local(&config.listen) && !config.may_be_open())
        .then(|| open_to_others(&config.listen));
    identity.into_iter().chain(tls).chain(open).collect()
}

/// Why a server does not start where others can reach it.
pub(crate) fn open_to_others(address: impl Display) -> String {
    format!(
        "{address} can be reached from other machines, and whoever reaches it could call every tool: set `identity` \
         or `auth_token`, or listen on 127.0.0.1. If everybody may call, say so twice: \
         `identity: {{ anonymous: true, open_to_network: true }}`, or --anonymous and --open-to-network"
    )
}

/// Whether an address is one of this machine to itself, as far as its text tells.
fn is_local(listen: &str) -> bool {
    let Ok(address) = address(listen) else {
        return true;
    };
    let host = address.rsplit_once(':').map_or("", |(host, _)| host);
    let host = host.trim_matches(['[', ']']);
    let is_loopback = |ip: IpAddr| ip.is_loopback();
    host == "localhost" || host.parse().is_ok_and(is_loopback)
}

/// Follows named tokens, keys and certificates until the server is told to stop. What is wrong changes nothing.
pub(crate) async fn watch_identity(
    identity: Identity,
    tls: Option<(Tls, TlsFiles)>,
    stop: CancellationToken,
) {
    let refreshing = identity.clone();
    let refreshing = async move { refreshing.refresh().await };
    let following = follow(identity, tls);
    stop.run_until_cancelled(async { tokio::join!(refreshing, following) })
        .await;
}

async fn follow(identity: Identity, tls: Option<(Tls, TlsFiles)>) {
    let Ok(mut watched) = tokio::task::spawn_blocking(|| Watched::new(identity, tls)).await else {
        return;
    };
    while !watched.files.is_empty() {
        tokio::time::sleep(INTERVAL).await;
        // Files may be on a disk that is far away, and slow.
        let looked = tokio::task::spawn_blocking(move || {
            watched.look();
            watched
        });
        match looked.await {
            Ok(looked) => watched = looked,
            Err(error) => {
                tracing::error!(%error, "tokens, keys and certificates are not followed any more");
                return;
            }
        }
    }
}

struct Watched {
    identity: Identity,
    tls: Option<(Tls, TlsFiles)>,
    files: Vec<WatchedFile>,
}

struct WatchedFile {
    path: PathBuf,
    state: FileState,
    is_tls: bool,
}

impl Watched {
    fn new(identity: Identity, tls: Option<(Tls, TlsFiles)>) -> Self {
        let of_tls = tls.iter().flat_map(|(_, files)| {
            let client_ca = files.client_ca.clone();
            [files.certificate.clone(), files.key.clone()]
                .into_iter()
                .chain(client_ca)
        });
        let of_tls = of_tls.map(|path| (path, true));
        let of_identity = identity.files().into_iter().map(|path| (path, false));
        let files = of_identity.chain(of_tls).map(|(path, is_tls)| WatchedFile {
            state: FileState::of(&path),
            path,
            is_tls,
        });
        let mut watched = Self {
            files: files.collect(),
            identity,
            tls,
        };
        // They may have changed since the server has read them.
        watched.reload_all();
        watched
    }

    fn reload_all(&mut self) {
        for file in &self.files {
            self.reload(file);
        }
    }

    fn look(&mut self) {
        let changed: Vec<bool> = { self.files.iter_mut() }
            .map(|file| file.state.update(&file.path))
            .collect();
        for (file, _) in self
            .files
            .iter()
            .zip(changed)
            .filter(|(_, changed)| *changed)
        {
            let path = file.path.display();
            if self.reload(file) {
                tracing::info!(target: "toolpact::identity", file = %path, "the file has changed");
            }
        }
    }

    fn reload(&self, file: &WatchedFile) -> bool {
        let reloaded = match (&self.tls, file.is_tls) {
            (Some((tls, files)), true) => tls.reload(files).map_err(|error| error.to_string()),
            _ => { self.identity.reload(&file.path) }.map_err(|error| error.to_string()),
        };
        if let Err(error) = &reloaded {
            tracing::error!(target: "toolpact::identity", error, "the file is wrong, so what it said before stays");
        }
        reloaded.is_ok()
    }
}
