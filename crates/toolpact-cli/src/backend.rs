//! Where tools come from and calls go: a running server, ours or any that speaks MCP, or tools whose
//! calls are made here, of files or of a config.

mod arguments;
mod config;
mod files;
mod mcp;
mod notes;

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::Context as _;
use toolpact::{Call, Registry, Session};
use toolpact_audit::Recorder;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::model::ToolName;
use toolpact_serve::{Client, Config, View};

pub(crate) use self::arguments::{BackendArguments, ClientArguments, ServerArguments};
use crate::output::{Output, complain, printable};
use crate::status::Status;

/// A backend that is not connected yet.
pub(crate) enum Target {
    Server(Server),
    /// A program that is an MCP server.
    Program(String),
    /// The config of a server.
    Config {
        config: Box<Config>,
        origin: String,
        /// Whether nobody named it.
        is_assumed: bool,
    },
    Files(Local),
}

/// A server that runs.
pub(crate) struct Server {
    client: Client,
    address: String,
    /// The token it asks for.
    token: Option<String>,
    /// Whether nobody named it.
    is_assumed: bool,
}

/// Tools that can be called.
pub(crate) enum Backend {
    /// The tools of a server, and its address.
    Server(Client, String),
    Local(Local),
}

/// The outcome of a call.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) worked: bool,
    pub(crate) text: String,
    /// The messages before it. Tools that are programs cannot send any.
    pub(crate) items: Vec<String>,
    /// What only those should see who debug the tool.
    pub(crate) notes: Vec<String>,
}

/// Tools whose calls are made here: of files, of a config, or of an MCP server.
pub(crate) struct Local {
    pub(crate) session: Session,
    origins: Origins,
    /// Of reading them.
    pub(crate) status: Status,
}

enum Origins {
    /// The file of each tool.
    Files(HashMap<String, String>),
    /// The server or the config of all.
    One(String),
}

impl Target {
    /// Connects. A server that is none of ours is an MCP server.
    pub(crate) async fn connect(self) -> anyhow::Result<Backend> {
        match self {
            Target::Server(server) => {
                let connected = server.connect().await;
                server.tell_if_assumed(connected)
            }
            other => Ok(Backend::Local(other.connect_here().await?)),
        }
    }

    /// Connects so that calls are made here, whose results are checked here: a server is asked over
    /// MCP. What nobody named is told.
    pub(crate) async fn connect_here(self) -> anyhow::Result<Local> {
        self.connect_here_recorded(None).await
    }

    /// The same; calls are recorded, if there is a recorder. Tools of files have to be opened with it.
    pub(crate) async fn connect_here_recorded(
        self,
        recorder: Option<Arc<Recorder>>,
    ) -> anyhow::Result<Local> {
        match self {
            Target::Server(server) => {
                let connected = server.connect_here(recorder).await;
                server.tell_if_assumed(connected)
            }
            Target::Program(command) => mcp::program(&command, recorder).await,
            Target::Config {
                config,
                origin,
                is_assumed,
            } => {
                if is_assumed {
                    say_used(&origin)?;
                }
                config::open(&config, origin, recorder).await
            }
            Target::Files(local) => Ok(local),
        }
    }
}

/// An empty registry, whose calls are recorded, if there is a recorder.
fn registry(recorder: Option<Arc<Recorder>>) -> Registry {
    match recorder {
        Some(recorder) => Registry::builder().log(recorder).build(),
        None => Registry::new(),
    }
}

fn say_used(what: &str) -> anyhow::Result<()> {
    writeln!(Output::stderr(), "using {}", printable(what))?;
    Ok(())
}

impl Server {
    async fn connect(&self) -> anyhow::Result<Backend> {
        match self.client.foreign().await? {
            None => Ok(Backend::Server(self.client.clone(), self.address.clone())),
            Some(answer) => Ok(Backend::Local(self.foreign(&answer, None).await?)),
        }
    }

    async fn connect_here(&self, recorder: Option<Arc<Recorder>>) -> anyhow::Result<Local> {
        if let Some(answer) = self.client.foreign().await? {
            return self.foreign(&answer, recorder).await;
        }
        let (url, token) = (self.client.mcp_address(), self.token.as_deref());
        match mcp::at(&url, token, &self.address, recorder).await {
            Ok(local) => local,
            Err(error) => {
                // Over REST, it says more clearly why it refuses.
                self.client.contracts().await?;
                Err(error.into())
            }
        }
    }

    /// Says which server it is if nobody named it, or what could be named instead.
    fn tell_if_assumed<T>(&self, connected: anyhow::Result<T>) -> anyhow::Result<T> {
        if !self.is_assumed {
            return connected;
        }
        let address = printable(&self.address);
        let connected = connected.with_context(|| {
            format!(
                "there is no toolpact.yaml here, so the server at {address} was asked; name another \
                 source of tools, as --help shows"
            )
        })?;
        say_used(&format!("the server at {address}"))?;
        Ok(connected)
    }

    /// The server that is none of ours: `answer` says why.
    async fn foreign(
        &self,
        answer: &str,
        recorder: Option<Arc<Recorder>>,
    ) -> anyhow::Result<Local> {
        let (url, token) = (self.client.address(), self.token.as_deref());
        mcp::foreign(url, token, &self.address, answer, recorder).await
    }
}

impl Local {
    /// The contracts, under the names that calls use.
    pub(crate) fn contracts(&self) -> Vec<Contract> {
        let contracts = self.session.contracts();
        contracts
            .filter_map(|(name, contract)| Some(contract.renamed(ToolName::new(name).ok()?)))
            .collect()
    }

    /// Whether there are no tools, which is then reported, unless other reasons are.
    pub(crate) fn is_empty(&self) -> bool {
        let is_empty = self.session.names().next().is_none();
        if is_empty && self.status == Status::Fine {
            let origin = self.origin("");
            complain(&anyhow::anyhow!("there are no tools in {origin}"));
        }
        is_empty
    }

    /// Whether files say how at least one of the tools is run. Elsewhere all of them are.
    pub(crate) fn can_run(&self) -> bool {
        let is_run = |(_, contract): (&str, &Contract)| contract.run().is_some();
        matches!(self.origins, Origins::One(_)) || self.session.contracts().any(is_run)
    }

    /// The origin of a tool.
    fn origin(&self, tool: &str) -> String {
        match &self.origins {
            Origins::Files(files) => files.get(tool).cloned().unwrap_or_default(),
            Origins::One(origin) => origin.clone(),
        }
    }
}

impl Backend {
    /// The contracts, under the names that calls use.
    pub(crate) async fn contracts(&self) -> anyhow::Result<Vec<Contract>> {
        match self {
            Backend::Server(client, ..) => Ok(client.contracts().await?),
            Backend::Local(local) => Ok(local.contracts()),
        }
    }

    /// The names that calls use, and the digests of the contracts.
    pub(crate) async fn digests(&self) -> anyhow::Result<Vec<(String, String)>> {
        match self {
            Backend::Server(client, ..) => Ok(client.digests().await?),
            Backend::Local(Local { session, .. }) => {
                let contracts = session.contracts();
                Ok(contracts
                    .map(|(name, contract)| (name.to_owned(), contract.digest().to_string()))
                    .collect())
            }
        }
    }

    /// Makes a call.
    pub(crate) async fn call(&self, tool: &str, args: Value, view: View) -> anyhow::Result<Answer> {
        match self {
            Backend::Server(client, ..) => {
                let (worked, text) = client.call(tool, &args, view).await?;
                Ok(Answer {
                    worked,
                    text,
                    ..Answer::default()
                })
            }
            Backend::Local(Local { session, .. }) => {
                let completed = session.call(Call::new(tool, args).json_only()).await;
                Ok(Answer {
                    worked: completed.is_success(),
                    text: view.write(&completed),
                    items: Vec::new(),
                    notes: notes::of(&completed),
                })
            }
        }
    }

    /// Makes a call and collects its messages. The result is JSON.
    pub(crate) async fn call_streaming(&self, tool: &str, args: Value) -> anyhow::Result<Answer> {
        let Backend::Server(client, ..) = self else {
            return self.call(tool, args, View::Json).await;
        };
        let heard = client.call_streaming(tool, &args).await?;
        Ok(Answer {
            worked: heard.worked,
            text: heard.answer,
            items: heard.items,
            notes: Vec::new(),
        })
    }

    /// The origin of a tool.
    pub(crate) fn origin(&self, tool: &str) -> String {
        match self {
            Backend::Server(_, address) => address.clone(),
            Backend::Local(local) => local.origin(tool),
        }
    }

    /// The status of reading the tools.
    pub(crate) fn status(&self) -> Status {
        match self {
            Backend::Server(..) => Status::Fine,
            Backend::Local(local) => local.status,
        }
    }
}
