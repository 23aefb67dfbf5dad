//! Where calls go: to a running server, or to tools of files that run here.

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
    /// URL of a running server
    #[arg(
        long,
        value_name = "URL",
        env = "TOOLPACT_SERVER",
        default_value = "http://127.0.0.1:7878",
        conflicts_with = "tools"
    )]
    server: String,
    /// Environment variable with the token of the server
    #[arg(long, value_name = "NAME", conflicts_with = "tools")]
    auth_token_env: Option<String>,
    /// File, directory or pattern with tools, which are run here; can be given several times
    #[arg(long, value_name = "SOURCE")]
    tools: Vec<PathBuf>,
    #[command(flatten)]
    from: ToolsFrom,
}

/// Tools that can be called.
pub(crate) enum Backend {
    /// The tools of a server, and its address.
    Server(Client, String),
    Local(Local),
}

/// Tools of files.
pub(crate) struct Local {
    session: Session,
    /// The file of each tool.
    files: HashMap<String, String>,
    status: Status,
}

impl BackendArguments {
    pub(crate) fn open(&self) -> anyhow::Result<Backend> {
        if !self.tools.is_empty() {
            let loaded = load(&self.tools, self.from.from, &Limits::default());
            return Ok(Backend::Local(Local {
                session: session(loaded.list)?,
                files: loaded.files,
                status: loaded.status,
            }));
        }
        let token = self.auth_token_env.as_deref().map(|name| {
            std::env::var(name).with_context(|| {
                format!("--auth-token-env: cannot read the environment variable {name}")
            })
        });
        let client = Client::new(&self.server, token.transpose()?.as_deref());
        let client = client.with_context(|| format!("cannot use --server {}", self.server))?;
        Ok(Backend::Server(client, self.server.clone()))
    }
}

impl Backend {
    /// The contracts, under the names that calls use.
    pub(crate) async fn contracts(&self) -> anyhow::Result<Vec<Contract>> {
        match self {
            Backend::Server(client, _) => Ok(client.contracts().await?),
            Backend::Local(Local { session, .. }) => {
                let contracts = session.contracts();
                Ok(contracts.map(|(_, contract)| contract.clone()).collect())
            }
        }
    }

    /// Makes a call: whether it succeeded, and its result.
    pub(crate) async fn call(
        &self,
        tool: &str,
        args: Value,
        view: View,
    ) -> anyhow::Result<(bool, String)> {
        match self {
            Backend::Server(client, _) => Ok(client.call(tool, &args, view).await?),
            Backend::Local(Local { session, .. }) => {
                let completed = session.call(Call::new(tool, args).json_only()).await;
                Ok((completed.is_success(), view.write(&completed)))
            }
        }
    }

    /// Makes a call and collects its messages: whether it succeeded, its result as JSON, and the
    /// messages before it. Tools that are programs cannot send any.
    pub(crate) async fn call_listening(
        &self,
        tool: &str,
        args: Value,
    ) -> anyhow::Result<(bool, String, Vec<String>)> {
        match self {
            Backend::Server(client, _) => {
                let heard = client.call_listening(tool, &args).await?;
                Ok((heard.worked, heard.answer, heard.items))
            }
            Backend::Local(_) => {
                let (worked, answer) = self.call(tool, args, View::Json).await?;
                Ok((worked, answer, Vec::new()))
            }
        }
    }

    /// The origin of a tool.
    pub(crate) fn origin(&self, tool: &str) -> String {
        match self {
            Backend::Server(_, address) => address.clone(),
            Backend::Local(local) => local.files.get(tool).cloned().unwrap_or_default(),
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
