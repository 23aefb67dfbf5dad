//! Why a server or a worker does not start.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use toolpact_audit::AuditError;
use toolpact_http::TlsError;
use toolpact_mcp::ServeError;
use toolpact_policy::PolicyError;

use crate::config::NoIdentity;
use crate::identity::open_to_others;
use crate::sources::LockError;

/// Why a server does not start.
#[derive(Debug)]
pub struct StartError(Box<Reason>);

#[derive(Debug)]
pub(crate) enum Reason {
    Token(String),
    Identity(String),
    Scopes,
    Tls(TlsError),
    Open(SocketAddr),
    Key(String),
    Data(PathBuf, io::Error),
    NoFolder(PathBuf),
    Audit(AuditError),
    AuditOfRegistry,
    Tools(toolpact::Error),
    Listen(String, io::Error),
    Client(ServeError),
    Policy(PolicyError),
    OwnRegistry,
    Grid(toolpact_grid::Error),
    HostAsRuntime,
    Lock(LockError),
}

impl StartError {
    pub(crate) fn new(reason: Reason) -> Self {
        Self(Box::new(reason))
    }

    /// Whether the servers of a grid cannot be reached, or do not let this program in.
    #[must_use]
    pub fn is_about_grid(&self) -> bool {
        matches!(*self.0, Reason::Grid(_))
    }

    pub(crate) fn identity(error: NoIdentity) -> Self {
        Self::new(match error {
            NoIdentity::Token(why) => Reason::Token(why),
            NoIdentity::Other(error) => Reason::Identity(error.to_string()),
        })
    }

    pub(crate) fn policy(error: PolicyError) -> Self {
        Self::new(Reason::Policy(error))
    }

    pub(crate) fn tools(error: toolpact::Error) -> Self {
        Self::new(Reason::Tools(error))
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Reason::Token(why) => write!(f, "the token cannot be used: {why}"),
            Reason::Identity(why) => write!(f, "it cannot be found out who calls: {why}"),
            Reason::Scopes => f.write_str(
                "`identity.oauth.scopes` is for the tools of a config, and this server has a registry of its own: \
                 give that a guard with `RegistryBuilder::guard`",
            ),
            Reason::Tls(error) => write!(f, "TLS cannot be used: {error}"),
            Reason::Open(address) => f.write_str(&open_to_others(address)),
            Reason::Key(why) => write!(f, "the signing key cannot be used: {why}"),
            Reason::Data(path, error) => {
                write!(
                    f,
                    "the folder for data, {}, cannot be made: {error}; name another with --data",
                    path.display()
                )
            }
            Reason::NoFolder(path) => {
                write!(
                    f,
                    "expected {} to be a folder for data, found a file; name a folder with --data",
                    path.display()
                )
            }
            Reason::Audit(error) => write!(f, "calls cannot be recorded: {error}"),
            Reason::AuditOfRegistry => f.write_str(
                "calls cannot be recorded: the registry was made elsewhere, so give it its log there, with \
                 `AuditLog::open` and `RegistryBuilder::log`, and leave `audit` out of the config",
            ),
            Reason::Tools(error) => write!(f, "the tools cannot be served: {error}"),
            Reason::Listen(address, error) => {
                write!(
                    f,
                    "cannot listen on {address}: {error}; choose another with --port or --listen"
                )
            }
            Reason::Policy(error) => write!(f, "the policies cannot be used: {error}"),
            Reason::OwnRegistry => f.write_str(
                "the policy of the config cannot guard a registry that is made already; give that registry a \
                 `PolicyGuard` as its guard and its tool filter",
            ),
            Reason::Grid(error) => write!(f, "the grid cannot be joined: {error}"),
            Reason::HostAsRuntime => f.write_str(
                "a config with a `grid` source is one of a host, and calls would go around in circles; run the other \
                 sources as a runtime from a config of their own",
            ),
            Reason::Lock(error) => error.fmt(f),
            Reason::Client(error) => write!(f, "the client could not be served: {error}"),
        }
    }
}

impl Error for StartError {}
