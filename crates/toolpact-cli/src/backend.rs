//! Where calls go: to a running server, ours or any that speaks MCP, or to tools of files that run here.

mod mcp;
mod notes;

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use toolpact::{Call, Session};
use toolpact_core::contract::Contract;
use toolpact_core::json::{Limits, Value};
use toolpact_serve::{Client, View};

use crate::cli::ToolsFrom;
use crate::commands::run::tools::session;
use crate::status::Status;
use crate::tools::load;

/// Which backend to use.
#[derive(Debug, Clone, Args)]
pub(crate) struct BackendArguments {
    /// URL of a running server: of toolpact, or any MCP server over HTTP [default: TOOLPACT_SERVER, or
    /// http://127.0.0.1:7878]
    #[arg(long, value_name = "URL", conflicts_with = "tools")]
    server: Option<String>,
    /// Program that is an MCP server on its standard input and output, with its arguments
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["server", "tools"])]
    command: Option<String>,
    /// Environment variable with the token of the server
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tools", "command"])]
    auth_token_env: Option<String>,
    /// File, directory or pattern with tools, which are run here; can be given several times
    #[arg(long, value_name = "SOURCE")]
    tools: Vec<PathBuf>,
    #[command(flatten)]
    from: ToolsFrom,
}

/// A backend that is not connected yet.
pub(crate) enum Target {
    /// A server, its address, and the token it asks for.
    Server(Client, String, Option<String>),
    /// A program that is an MCP server.
    Program(String),
    Files(Local),
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

/// Tools whose calls are made here: of files, or of an MCP server.
pub(crate) struct Local {
    session: Session,
    /// The file of each tool, or the server of all.
    origins: Origins,
    status: Status,
}

enum Origins {
    Files(HashMap<String, String>),
    Server(String),
}

impl BackendArguments {
    /// The environment is asked here and not by clap, for which a variable would contradict `--tools`.
    fn server(&self) -> String {
        let named = self.server.clone();
        let named = named.or_else(|| std::env::var("TOOLPACT_SERVER").ok());
        named.unwrap_or_else(|| "http://127.0.0.1:7878".to_owned())
    }

    pub(crate) fn open(&self) -> anyhow::Result<Target> {
        if !self.tools.is_empty() {
            let loaded = load(&self.tools, self.from.from, &Limits::default());
            return Ok(Target::Files(Local {
                session: session(loaded.list)?,
                origins: Origins::Files(loaded.files),
                status: loaded.status,
            }));
        }
        if let Some(command) = &self.command {
            return Ok(Target::Program(command.clone()));
        }
        let token = self.auth_token_env.as_deref().map(|name| {
            std::env::var(name).with_context(|| {
                format!("--auth-token-env: cannot read the environment variable {name}")
            })
        });
        let token = token.transpose()?;
        let server = self.server();
        let client = Client::new(&server, token.as_deref());
        let client = client.with_context(|| format!("cannot use --server {server}"))?;
        Ok(Target::Server(client, server, token))
    }
}

impl Target {
    /// Connects. A server that is none of ours is an MCP server.
    pub(crate) async fn connect(self) -> anyhow::Result<Backend> {
        match self {
            Target::Server(client, address, token) => match client.foreign().await? {
                None => Ok(Backend::Server(client, address)),
                Some(answer) => mcp::at(&address, token.as_deref(), &answer).await,
            },
            Target::Program(command) => mcp::program(&command).await,
            Target::Files(local) => Ok(Backend::Local(local)),
        }
    }
}

impl Backend {
    /// The contracts, under the names that calls use.
    pub(crate) async fn contracts(&self) -> anyhow::Result<Vec<Contract>> {
        match self {
            Backend::Server(client, ..) => Ok(client.contracts().await?),
            Backend::Local(Local { session, .. }) => {
                let contracts = session.contracts();
                Ok(contracts.map(|(_, contract)| contract.clone()).collect())
            }
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
            Backend::Local(Local { origins, .. }) => match origins {
                Origins::Files(files) => files.get(tool).cloned().unwrap_or_default(),
                Origins::Server(server) => server.clone(),
            },
        }
    }

    /// The status of reading the files.
    pub(crate) fn status(&self) -> Status {
        match self {
            Backend::Server(..) => Status::Fine,
            Backend::Local(local) => local.status,
        }
    }
}
