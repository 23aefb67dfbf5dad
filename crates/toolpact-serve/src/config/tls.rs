//! TLS, and who may call.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_http::TlsFiles;
use toolpact_identity::{Identity, IdentityError};

use super::Config;

/// The certificate of the server, and whose certificates clients may show. All are files in PEM, which are read again
/// when they change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// The certificate of the server, and those between it and its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities of clients: who shows a certificate of one of them is who it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_ca: Option<PathBuf>,
}

impl TlsConfig {
    pub(super) fn base_on(&mut self, folder: &Path) {
        let client_ca = self.client_ca.as_mut();
        for path in [&mut self.certificate, &mut self.key]
            .into_iter()
            .chain(client_ca)
        {
            *path = folder.join(&*path);
        }
    }

    pub(crate) fn files(&self) -> TlsFiles {
        TlsFiles {
            certificate: self.certificate.clone(),
            key: self.key.clone(),
            client_ca: self.client_ca.clone(),
        }
    }
}

/// Why it cannot be found out who calls.
pub(crate) enum NoIdentity {
    Token(String),
    Other(IdentityError),
}

impl Config {
    /// Who finds out who calls.
    pub(crate) fn identity(&self) -> Result<Identity, NoIdentity> {
        let token = self.auth_token.as_ref().map(super::Token::resolve);
        let token = token.transpose().map_err(NoIdentity::Token)?;
        let identity = Identity::with(&self.identity, token.as_deref(), self.takes_certificates());
        identity.map_err(NoIdentity::Other)
    }

    fn takes_certificates(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some())
    }

    /// Whether requests without credentials are answered.
    fn allows_anonymous(&self) -> bool {
        let asks = self.auth_token.is_some()
            || self.identity.has_credentials()
            || self.takes_certificates();
        self.identity.anonymous.unwrap_or(!asks)
    }

    /// Whether it may be served where other machines can reach it: callers have to say who they are, or it was said
    /// twice that they need not.
    pub(crate) fn may_be_open(&self) -> bool {
        let said_twice = self.identity.anonymous == Some(true) && self.identity.open_to_network;
        !self.allows_anonymous() || said_twice
    }
}
