//! The servers, each of which is a process of its own, so that its time can be told from the others'.

use std::fmt;
use std::io::Read as _;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact::observe::Detail;
use toolpact_audit::{AuditConfig, AuditLog};
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http, listen};

use crate::Result;
use crate::tool;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// No audit.
    Off,
    /// As a config has it that names a directory and nothing else.
    Digest,
    /// With all arguments and results.
    Whole,
}

impl Kind {
    /// The base of the comparison first.
    pub(crate) const ALL: [Kind; 3] = [Kind::Off, Kind::Digest, Kind::Whole];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Off => "off",
            Kind::Digest => "digest",
            Kind::Whole => "whole",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Off => "no audit",
            Kind::Digest => "audit, digests",
            Kind::Whole => "audit, whole values",
        })
    }
}

/// Says its port, and serves until the process that started it closes its input or is gone.
pub(crate) fn http(kind: Kind) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    println!("{}", listener.local_addr()?.port());
    let mut config = AuditConfig::new(directory.path());
    if let Kind::Whole = kind {
        (config.arguments, config.results) = (Detail::Whole, Detail::Whole);
    }
    let registry = match kind {
        Kind::Off => Registry::new(),
        _ => Registry::builder().log(AuditLog::open(&config)?).build(),
    };
    registry.add(tool::echo::tool())?;
    let service = Server::new(registry)?.http(Http::default());
    let (connections, stop) = (Connections::default(), CancellationToken::new());
    runtime.spawn(listen(listener, service, connections, stop));
    std::io::stdin().read_to_end(&mut Vec::new())?;
    runtime.shutdown_background();
    Ok(())
}
