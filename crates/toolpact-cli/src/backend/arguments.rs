//! The flags that say where tools come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use toolpact_audit::Recorder;
use toolpact_core::json::Limits;
use toolpact_serve::Client;
use toolpact_serve::config::in_folder;

use super::{Server, Target, files};
use crate::cli::ToolsFrom;
use crate::origin::Origin;

/// A server, a program or a config that has the tools.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServerArguments {
    /// URL of a running server: of toolpact, or any MCP server over HTTP [default: TOOLPACT_SERVER, or
    /// http://127.0.0.1:7878]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Program that is an MCP server on its standard input and output, with its arguments
    #[arg(long, value_name = "PROGRAM", conflicts_with = "server")]
    command: Option<String>,
    /// Environment variable with the token of the server
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    auth_token_env: Option<String>,
    /// Config of a server, whose tools are called from here: programs, HTTP calls, MCP servers
    #[arg(long, value_name = "FILE", conflicts_with_all = ["server", "command", "auth_token_env"])]
    config: Option<PathBuf>,
}

/// A server of toolpact that runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct ClientArguments {
    /// URL of a running server of toolpact [default: TOOLPACT_SERVER, or http://127.0.0.1:7878]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Environment variable with the token of the server
    #[arg(long, value_name = "NAME")]
    auth_token_env: Option<String>,
}

impl ClientArguments {
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        let (client, ..) = connect(self.server.clone(), self.auth_token_env.as_deref())?;
        Ok(client)
    }
}

/// The same, or files.
#[derive(Debug, Clone, Args)]
pub(crate) struct BackendArguments {
    #[command(flatten)]
    servers: ServerArguments,
    /// File, directory or pattern with tools, which are run here; can be given several times
    #[arg(
        long, value_name = "SOURCE",
        conflicts_with_all = ["server", "command", "auth_token_env", "config"]
    )]
    tools: Vec<PathBuf>,
    #[command(flatten)]
    from: ToolsFrom,
}

impl BackendArguments {
    /// What was named, or else a server.
    pub(crate) fn open(&self) -> anyhow::Result<Target> {
        self.open_recorded(None)
    }

    /// The same; calls of tools of files are recorded, if there is a recorder.
    pub(crate) fn open_recorded(&self, recorder: Option<Arc<Recorder>>) -> anyhow::Result<Target> {
        match self.files(&Limits::default(), recorder)? {
            Some(files) => Ok(files),
            None => self.servers.open(),
        }
    }

    /// What was named, or else what is [here](ServerArguments::open_here).
    pub(crate) fn open_here(&self, limits: &Limits) -> anyhow::Result<Target> {
        match self.files(limits, None)? {
            Some(files) => Ok(files),
            None => self.servers.open_here(),
        }
    }

    fn files(
        &self,
        limits: &Limits,
        recorder: Option<Arc<Recorder>>,
    ) -> anyhow::Result<Option<Target>> {
        if self.tools.is_empty() {
            return Ok(None);
        }
        let local = files::open(&self.tools, self.from.from, limits, recorder)?;
        Ok(Some(Target::Files(local)))
    }
}

impl Target {
    /// The server at an address; the token is in this environment variable.
    pub(crate) fn at(address: &str, token: Option<&str>) -> anyhow::Result<Self> {
        let (client, address, token) = connect(Some(address.to_owned()), token)?;
        Ok(Self::Server(Server {
            client,
            address,
            token,
            is_assumed: false,
        }))
    }

    /// The config in a file.
    pub(crate) fn config(file: &Path) -> anyhow::Result<Self> {
        of_config(&Origin::find(Some(file))?, false)
    }
}

impl ServerArguments {
    /// What was named, or else a server.
    fn open(&self) -> anyhow::Result<Target> {
        if let Some(config) = &self.config {
            return of_config(&Origin::find(Some(config))?, false);
        }
        match &self.command {
            Some(command) => Ok(Target::Program(command.clone())),
            None => self.server(false),
        }
    }

    /// What was named, or else the config of the working directory, or else a server.
    pub(crate) fn open_here(&self) -> anyhow::Result<Target> {
        let is_named = self.config.is_some() || self.command.is_some() || self.server.is_some();
        if is_named {
            return self.open();
        }
        match in_folder(Path::new("."))? {
            Some(config) => of_config(&Origin::Config(config), true),
            None => self.server(true),
        }
    }

    fn server(&self, is_assumed: bool) -> anyhow::Result<Target> {
        let (server, token) = (self.server.clone(), self.auth_token_env.as_deref());
        let (client, address, token) = connect(server, token)?;
        Ok(Target::Server(Server {
            client,
            address,
            token,
            is_assumed,
        }))
    }

    /// The environment is asked here and not by clap, for which a variable would contradict `--tools`.
    pub(crate) fn address(&self) -> String {
        address(self.server.clone())
    }
}

fn address(named: Option<String>) -> String {
    let named = named.or_else(|| std::env::var("TOOLPACT_SERVER").ok());
    named.unwrap_or_else(|| "http://127.0.0.1:7878".to_owned())
}

/// A client of a server, with its address and the token that it is shown.
fn connect(
    server: Option<String>,
    token: Option<&str>,
) -> anyhow::Result<(Client, String, Option<String>)> {
    let token = token.map(|name| {
        std::env::var(name).with_context(|| {
            format!("--auth-token-env: cannot read the environment variable {name}")
        })
    });
    let (token, address) = (token.transpose()?, address(server));
    let client = Client::new(&address, token.as_deref());
    let client = client.with_context(|| format!("cannot use --server {address}"))?;
    Ok((client, address, token))
}

fn of_config(origin: &Origin, is_assumed: bool) -> anyhow::Result<Target> {
    let config = origin.config().map_err(|error| {
        let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
        anyhow::anyhow!(lines.join("; "))
    });
    let config = Box::new(config?);
    let origin = origin.to_string();
    Ok(Target::Config {
        config,
        origin,
        is_assumed,
    })
}
