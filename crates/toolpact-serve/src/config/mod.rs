//! The config of a server: what is served, and to whom.

mod calls;
mod code;
mod data;
mod error;
mod find;
mod grid;
mod hints;
mod listen;
mod locate;
mod read;
mod secret;
mod source;
mod tls;
mod trust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::code::SigningKey;
pub use toolpact::mock::Mock;
use toolpact_audit::AuditConfig;
use toolpact_http::{BodyLimits, Room};
use toolpact_mcp::ServerInfo;
pub use toolpact_policy::{Allow, PolicyConfig, ToolEffects};

pub use toolpact_identity::IdentityConfig;

pub use calls::{AllCalls, CallsConfig, PrincipalCalls, ResultsConfig, ToolCalls};
pub use code::CodeConfig;
pub use error::{ConfigError, Problem};
pub use find::in_folder;
pub use grid::{GridDurable, GridMode, GridSource, GridTls};
pub(crate) use listen::address;
pub(crate) use locate::locate;
pub(crate) use read::format;
pub use read::{json_schema, starter};
pub(crate) use secret::expand;
pub use source::{
    Api, Body, Command, Environment, Executor, FilesSource, HttpExecutor, Lift, McpSource, Method,
    Never, OlderCommand, ShopSource, Source,
};
pub(crate) use tls::NoIdentity;
pub use tls::TlsConfig;
pub use trust::{LOCK, Trust};

/// The config of a server.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The address that is listened on. A port alone is one of this machine to itself.
    #[serde(deserialize_with = "listen::read")]
    #[schemars(schema_with = "listen::schema")]
    pub listen: String,
    /// The folder for what has to be kept. Relative paths begin at the config. Without this, it is
    /// one for this config in the user's folder for data of programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// The token that each request has to show, as `Authorization: Bearer …`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<Token>,
    /// Who may call, and how that is found out.
    pub identity: IdentityConfig,
    /// TLS. Without this, the server speaks plain HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsConfig>,
    /// What MCP clients are told about the server.
    pub server: About,
    /// What the answers of MCP clients to questions of tools are sealed with, at least 16 bytes.
    /// Servers that take calls for each other have the same. Without one it is made by chance at
    /// every start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signing_key: Option<Token>,
    /// Names that requests may be sent to, besides those of this machine to itself.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages that may ask, such as `https://app.example.com`.
    pub allowed_origins: Vec<String>,
    /// Limits on requests, sessions and calls.
    pub limits: Limits,
    /// How many calls run at once and wait, of all tools and of each.
    pub calls: CallsConfig,
    /// How results are checked against their contracts.
    pub results: ResultsConfig,
    /// Who may call which tools. Without this, whoever reaches the server may call all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyConfig>,
    /// A tool that runs scripts of agents. Without this, there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeConfig>,
    /// Where every call is recorded. Without this, none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AuditConfig")]
    pub audit: Option<AuditConfig>,
    /// Answers made from the contracts, in place of tools that run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mock: Option<Mock>,
    /// The lock, which says what tools were agreed on. Relative paths begin at the config. Without this, it is
    /// `toolpact.lock` beside the config, if there is such a file. One that is named has to be there, unless `trust`
    /// says something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<PathBuf>,
    /// Which tools are served, of sources that do not say so themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// The same for all sources, whatever they say, as flags have it. No part of the document.
    #[serde(skip)]
    pub trust_all: Option<Trust>,
    /// Where the tools come from.
    pub sources: Vec<Source>,
}

/// What MCP clients are told about the server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct About {
    /// The name, for programs. Without this, it is `toolpact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// The name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub title: Option<String>,
    /// The version. Without this, it is that of toolpact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub version: Option<String>,
    /// What clients may tell the model about the tools as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub instructions: Option<String>,
}

/// A secret.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Token {
    /// The environment variable that holds it.
    Env(String),
    /// The secret itself, for those who keep the config as secret as that.
    Literal(String),
}

/// Limits on requests, sessions and calls.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Most bytes of a request.
    pub body_bytes: usize,
    /// How long a client may take to send a request, in milliseconds.
    pub body_ms: u64,
    /// Most connections at once. Those that are not in use make room for others.
    pub connections: usize,
    /// Most connections of one address at once. Addresses of this machine have no such limit.
    pub connections_per_address: usize,
    /// Most sessions at once, of MCP and of REST each. Those that are not in use make room for others.
    pub sessions: usize,
    /// Most sessions of one address at once, of MCP and of REST each. Addresses of this machine have no such
    /// limit.
    pub sessions_per_address: usize,
    /// Most sessions of one principal with a name of its own, of MCP and of REST each.
    pub sessions_per_principal: usize,
    /// Most MCP clients without a session that listen for changes.
    pub listeners: usize,
    /// Most of them of one address. Addresses of this machine have no such limit.
    pub listeners_per_address: usize,
    /// Most of them of one principal with a name of its own.
    pub listeners_per_principal: usize,
    /// How long one of them may listen before it has to ask again, in milliseconds.
    pub listen_ms: u64,
    /// How long a session stays open without a request, in milliseconds.
    pub idle_ms: u64,
    /// How long the call of an EventStream goes on without its listener, who may come back, in
    /// milliseconds.
    pub resume_ms: u64,
    /// How long what runs may go on when the server is told to stop, in milliseconds.
    pub drain_ms: u64,
    /// How long a call may take if its contract does not say, in milliseconds.
    pub call_ms: u64,
    /// Most calls of a batch.
    pub batch: usize,
    /// Most bytes of everything together that requests and other servers make the process hold. A fourth each
    /// is for requests and results, an eighth each for streams, for answers that are being read, for lists of
    /// other servers and for documents of all tools. Without this, it is 1 GiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<usize>,
    /// Most bytes of all results that are not sent yet or that sessions keep. Without this, it is a fourth of
    /// `memory_bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results_bytes: Option<usize>,
    /// Most tools that are served of another MCP server.
    pub tools: usize,
    /// Most bytes of the definitions of these tools.
    pub tools_bytes: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:7878".to_owned(),
            data: None,
            auth_token: None,
            identity: IdentityConfig::default(),
            tls: None,
            server: About::default(),
            signing_key: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            limits: Limits::default(),
            calls: CallsConfig::default(),
            results: ResultsConfig::default(),
            policy: None,
            code: None,
            audit: None,
            mock: None,
            lock: None,
            trust: None,
            trust_all: None,
            sources: Vec::new(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            body_ms: 30_000,
            connections: 4096,
            connections_per_address: 512,
            sessions: 1000,
            sessions_per_address: 250,
            sessions_per_principal: 250,
            listeners: 1000,
            listeners_per_address: 250,
            listeners_per_principal: 250,
            listen_ms: 1_800_000,
            idle_ms: 300_000,
            resume_ms: 120_000,
            drain_ms: 10_000,
            call_ms: 60_000,
            batch: 100,
            memory_bytes: None,
            results_bytes: None,
            tools: 10_000,
            tools_bytes: 32 << 20,
        }
    }
}

impl Config {
    /// What is served without a config: the shop.
    #[must_use]
    pub fn shop() -> Self {
        Self {
            sources: vec![Source::Shop(ShopSource::default())],
            ..Self::default()
        }
    }

    /// The key itself, if there is one.
    pub(crate) fn signing_key(&self) -> Result<Option<SigningKey>, String> {
        let Some(key) = &self.signing_key else {
            return Ok(None);
        };
        let key = SigningKey::new(key.resolve()?.trim());
        key.map(Some).map_err(|error| error.to_string())
    }

    /// With the lock of a folder, if none is named.
    #[must_use]
    pub fn with_lock_beside(mut self, folder: &Path) -> Self {
        match self.lock {
            Some(_) => self.trust = self.trust.or(Some(Trust::Locked)),
            None => self.lock = Some(folder.join(LOCK)),
        }
        self
    }

    /// With another port to listen on.
    #[must_use]
    pub fn with_port(mut self, port: u16) -> Self {
        self.listen = listen::with_port(&self.listen, port);
        self
    }

    /// What is served of files with tools alone, each a source of its own: one that is wrong does
    /// not keep the others from being served.
    #[must_use]
    pub fn of_tools(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let source = |path| {
            Source::Files(FilesSource {
                paths: vec![path],
                ..FilesSource::default()
            })
        };
        Self {
            sources: paths.into_iter().map(source).collect(),
            ..Self::default()
        }
    }
}

impl About {
    pub(crate) fn to_info(&self) -> ServerInfo {
        let mut info = ServerInfo::default();
        let About {
            name,
            title,
            version,
            instructions,
        } = self.clone();
        info.name = name.unwrap_or(info.name);
        info.version = version.unwrap_or(info.version);
        (info.title, info.instructions) = (title, instructions);
        info
    }
}

impl Limits {
    /// Changes the limit of this name, or says which there are.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ConfigError> {
        let unknown = |why: serde_json::Error| {
            ConfigError::of_message(format!("the limit `{name}` cannot be set: {why}"))
        };
        let mut limits = serde_json::to_value(*self).map_err(unknown)?;
        limits[name] = value.into();
        *self = serde_json::from_value(limits).map_err(unknown)?;
        Ok(())
    }

    pub(crate) fn body(&self) -> BodyLimits {
        BodyLimits {
            bytes: self.body_bytes,
            time: Duration::from_millis(self.body_ms),
        }
    }

    pub(crate) fn idle(&self) -> Duration {
        Duration::from_millis(self.idle_ms)
    }

    pub(crate) fn session_room(&self) -> Room {
        Room {
            most: self.sessions,
            per_address: self.sessions_per_address,
            per_principal: self.sessions_per_principal,
        }
    }

    pub(crate) fn listen(&self) -> Duration {
        Duration::from_millis(self.listen_ms)
    }

    pub(crate) fn resume(&self) -> Duration {
        Duration::from_millis(self.resume_ms)
    }

    pub(crate) fn drain(&self) -> Duration {
        Duration::from_millis(self.drain_ms)
    }

    pub(crate) fn call(&self) -> Duration {
        Duration::from_millis(self.call_ms)
    }
}

impl Token {
    /// The secret, or which variable is missing.
    pub(crate) fn resolve(&self) -> Result<String, String> {
        let secret = match self {
            Token::Env(name) => secret::variable(name)?,
            Token::Literal(secret) => secret.clone(),
        };
        match secret.trim().is_empty() {
            true => Err("expected a token, found an empty one".to_owned()),
            false => Ok(secret),
        }
    }
}

/// Without the secret.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Env(name) => f.debug_tuple("Env").field(name).finish(),
            Token::Literal(_) => f.write_str("Literal(…)"),
        }
    }
}
