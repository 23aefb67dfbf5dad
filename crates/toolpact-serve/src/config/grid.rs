//! The grid: where its servers are, and what this server owns there.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_grid::Servers;

use super::expand;

/// A grid of runtimes on NATS. This server is one of its hosts: it owns contracts, and runtimes run their tools.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridSource {
    /// The namespace of its tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The NATS servers of one cluster: `nats://…` or `tls://…`, with `${env:NAME}` for secrets.
    #[schemars(length(min = 1))]
    pub servers: Vec<String>,
    /// A file with credentials of NATS: `.creds`, or the seed of the NKey of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<PathBuf>,
    /// Which certificates count, and which one is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<GridTls>,
    /// The first word of the grid's subjects, if it is not `toolpact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The file with the key that the identity of callers is signed with, from `toolpact grid key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<PathBuf>,
    /// The manifest: files with contracts, in any dialect. Without them, it is the one that `toolpact grid manifest
    /// publish` has published.
    #[serde(default)]
    pub tools: Vec<PathBuf>,
}

/// TLS with a NATS server. All are files in PEM.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GridTls {
    /// The authorities of servers, in place of those of this system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
    /// The certificate to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<PathBuf>,
    /// Its private key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<PathBuf>,
}

impl GridSource {
    /// All files that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let tls = self.tls.iter();
        let tls = tls.flat_map(|tls| [&tls.ca, &tls.certificate, &tls.key]);
        let more = [&self.credentials, &self.key].into_iter().chain(tls);
        self.tools.iter().chain(more.flatten())
    }

    pub(super) fn base_on(&mut self, folder: &Path) {
        let tls = self.tls.iter_mut();
        let tls = tls.flat_map(|tls| [&mut tls.ca, &mut tls.certificate, &mut tls.key]);
        let more = [&mut self.credentials, &mut self.key]
            .into_iter()
            .chain(tls);
        for path in self.tools.iter_mut().chain(more.flatten()) {
            *path = folder.join(&*path);
        }
    }

    /// Where the servers are, with secrets filled in.
    pub(crate) fn servers(&self) -> Result<Servers, String> {
        let addresses: Result<Vec<String>, String> =
            self.servers.iter().map(|one| expand(one)).collect();
        let tls = self.tls.clone().unwrap_or_default();
        Ok(Servers {
            addresses: addresses?,
            credentials: self.credentials.clone(),
            ca: tls.ca,
            certificate: tls.certificate.zip(tls.key),
        })
    }

    pub(crate) fn word(&self) -> &str {
        self.prefix.as_deref().unwrap_or("toolpact")
    }
}

/// Addresses may have secrets.
impl std::fmt::Debug for GridSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GridSource")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
