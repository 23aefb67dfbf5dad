//! TLS: certificates that are loaded from files, and again when these change.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use std::{fmt, io};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::ClientCertificate;

/// TLS for connections to come. Cloning is cheap, and clones are the same.
#[derive(Clone)]
pub struct Tls(Arc<RwLock<Arc<ServerConfig>>>);

/// The files that TLS needs, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "TLS needs nothing else")]
pub struct TlsFiles {
    /// The certificate of the server, and those between it and its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities whose certificates clients may show.
    pub client_ca: Option<PathBuf>,
}

/// Why TLS cannot be used.
#[derive(Debug)]
pub struct TlsError {
    /// The file that is wrong, if it is one.
    file: Option<PathBuf>,
    why: String,
}

impl Tls {
    /// TLS with these files.
    pub fn load(files: &TlsFiles) -> Result<Self, TlsError> {
        Ok(Self(Arc::new(RwLock::new(Arc::new(config(files)?)))))
    }

    /// Loads the files again. If they are wrong, those from before stay. Connections that are open go on as they
    /// began.
    pub fn reload(&self, files: &TlsFiles) -> Result<(), TlsError> {
        let config = Arc::new(config(files)?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    /// Begins TLS on a connection, and finds out whose certificate its client has. `None` if it does not speak
    /// TLS, does not trust the server, or takes too long.
    pub(crate) async fn accept<S>(
        &self,
        stream: S,
        time: Duration,
    ) -> Option<(TlsStream<S>, Option<ClientCertificate>)>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let config = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let accepted = TlsAcceptor::from(config).accept(stream);
        let accepted = match tokio::time::timeout(time, accepted).await {
            Ok(accepted) => accepted,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        };
        match accepted {
            Ok(stream) => {
                let certificates = stream.get_ref().1.peer_certificates();
                let certificate = certificates.and_then(<[_]>::first);
                let certificate = certificate.and_then(ClientCertificate::of);
                Some((stream, certificate))
            }
            Err(error) => {
                tracing::debug!(target: "toolpact::http", %error, "a connection did not become one of TLS");
                None
            }
        }
    }
}

fn config(files: &TlsFiles) -> Result<ServerConfig, TlsError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsError::of(None, &error))?;
    let builder = match &files.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                let added = roots.add(certificate);
                added.map_err(|error| TlsError::of(Some(path), &error))?;
            }
            // Who shows none may have a token; that is for the guard to say.
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .allow_unauthenticated()
                .build();
            let verifier = verifier.map_err(|error| TlsError::of(Some(path), &error))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let chain = certificates(&files.certificate)?;
    let key = read(&files.key)?;
    let key = PrivateKeyDer::from_pem_slice(&key)
        .map_err(|_| TlsError::of(Some(&files.key), &"expected a private key in PEM"))?;
    let mut config = builder
        .with_single_cert(chain, key)
        .map_err(|error| TlsError::of(Some(&files.certificate), &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let pem = read(path)?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match all {
        Ok(all) if !all.is_empty() => Ok(all),
        _ => Err(TlsError::of(Some(path), &"expected certificates in PEM")),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|error| TlsError::of(Some(path), &error))
}

impl TlsError {
    fn of(file: Option<&Path>, why: &impl fmt::Display) -> Self {
        Self {
            file: file.map(Path::to_owned),
            why: why.to_string(),
        }
    }

    /// The file that is wrong, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}: {}", file.display(), self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl Error for TlsError {}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}
