//! The grid: where its servers are, and what this server owns there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_grid::{DurableCalls, Servers};

use super::{Trust, expand};

/// A grid of runtimes on NATS. This server is one of its hosts: it owns contracts, and runtimes run their tools.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridSource {
    /// The namespace of its tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of its tools are served, whatever `trust` of the config says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
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
    /// Which calls are durable besides those of tools whose contracts say so, and for how long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durable: Option<GridDurable>,
    /// Whether it has the contracts of its manifest only, or takes those of runtimes, too.
    #[serde(default)]
    pub mode: GridMode,
    /// The manifest: files with contracts, in any dialect. Without them, it is the one that `toolpact grid manifest
    /// publish` has published.
    #[serde(default)]
    pub tools: Vec<PathBuf>,
}

/// Whether a host has the contracts of its manifest only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GridMode {
    /// It has.
    #[default]
    Strict,
    /// Runtimes may bring contracts of their own, each for a session of its name: `toolpact work --develop NAME`. For
    /// machines of developers.
    Development,
}

/// Durable calls: they outlive the host, the runtime and the NATS server.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GridDurable {
    /// The tools whose calls are durable, whatever their contracts say.
    pub tools: Vec<String>,
    /// How long after it was made a call may still be executed, in milliseconds.
    pub within_ms: u64,
    /// How long outcomes are kept, in milliseconds.
    pub keep_ms: u64,
    /// Most calls in the queue. Those beyond are refused.
    pub most_queued: u32,
    /// The name of the tool that says what came of a call, by the id of its operation. It is there if a tool is durable.
    #[schemars(length(min = 1))]
    pub operation_tool: String,
}

impl Default for GridDurable {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            within_ms: 3_600_000,
            keep_ms: 86_400_000,
            most_queued: 100_000,
            operation_tool: "operation".to_owned(),
        }
    }
}

impl GridDurable {
    pub(crate) fn calls(&self) -> DurableCalls {
        let calls = match self.tools.is_empty() {
            true => DurableCalls::new(),
            false => DurableCalls::new().of(self.tools.iter().map(String::as_str)),
        };
        calls
            .within(Duration::from_millis(self.within_ms))
            .keep(Duration::from_millis(self.keep_ms))
            .most_queued(self.most_queued)
    }
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
