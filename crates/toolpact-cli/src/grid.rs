//! The flags that say where a grid is.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use toolpact_grid::{Operator, Role, Servers};

const GRID: &str = "Grid";

/// Where a grid is, and what its servers are shown.
#[derive(Debug, Clone, Args)]
pub(crate) struct GridArguments {
    /// NATS servers of one cluster, separated by commas: nats://HOST:4222, tls://USER:PASSWORD@HOST:4222
    #[arg(
        long, value_name = "URL", env = "TOOLPACT_GRID", hide_env_values = true, value_delimiter = ',',
        default_value = "nats://127.0.0.1:4222", help_heading = GRID, value_parser = address
    )]
    pub(crate) grid: Vec<String>,
    /// File with credentials of NATS: .creds, or the seed of a user's NKey
    #[arg(long, value_name = "FILE", env = "TOOLPACT_GRID_CREDENTIALS", help_heading = GRID)]
    credentials: Option<PathBuf>,
    /// Certificates of the authorities that servers have theirs from, in PEM [default: those of this system]
    #[arg(long, value_name = "FILE", help_heading = GRID)]
    tls_ca: Option<PathBuf>,
    /// Certificate to show to servers, in PEM
    #[arg(long, value_name = "FILE", help_heading = GRID, requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// Private key of that certificate, in PEM
    #[arg(long, value_name = "FILE", help_heading = GRID, requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// First word of the grid's subjects, where there are several grids on one account
    #[arg(long, value_name = "WORD", default_value = "toolpact", help_heading = GRID, value_parser = word)]
    pub(crate) prefix: String,
}

impl GridArguments {
    pub(crate) fn servers(&self) -> Servers {
        let certificate = self.tls_certificate.clone().zip(self.tls_key.clone());
        let mut servers = Servers::new(self.grid.clone());
        servers.credentials.clone_from(&self.credentials);
        servers.ca.clone_from(&self.tls_ca);
        servers.certificate = certificate;
        servers
    }

    /// Connects, to look after the grid.
    pub(crate) async fn operator(&self) -> anyhow::Result<Operator> {
        let servers = self.servers();
        let client = servers.connect(Role::Operator).await;
        let client = client.with_context(|| unreachable(&servers))?;
        Ok(Operator::new(client, &self.prefix)?)
    }
}

/// What to do about a grid that cannot be reached.
pub(crate) fn unreachable(servers: &Servers) -> String {
    format!(
        "the grid at {} cannot be reached; name its NATS servers with --grid, or start one here with `toolpact grid dev`",
        servers.shown()
    )
}

fn address(text: &str) -> anyhow::Result<String> {
    let text = text.trim();
    let is_one = ["nats://", "tls://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    anyhow::ensure!(
        is_one,
        "expected an address that begins with `nats://` or `tls://`"
    );
    Ok(text.to_owned())
}

fn word(text: &str) -> anyhow::Result<String> {
    toolpact_grid::Id::new(text)?;
    Ok(text.to_owned())
}
