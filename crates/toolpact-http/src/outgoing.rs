//! Requests that are made, rather than answered.

use std::error::Error;
use std::sync::Arc;
use std::{fmt, io};

use reqwest::Url;
use reqwest::redirect::Policy;
use rustls::crypto::{CryptoProvider, ring};
use toolpact_core::memory::{MemoryBudget, MemoryShare};

/// What every client of ours begins with: TLS with the certificates that the system trusts
/// (`SSL_CERT_FILE` names others), and no redirects, which would take headers with them.
#[doc(hidden)]
pub fn client() -> reqwest::ClientBuilder {
    if CryptoProvider::get_default().is_none() {
        // Fails if somebody was faster, and then there is one as well.
        let _ = ring::default_provider().install_default();
    }
    reqwest::Client::builder().redirect(Policy::none())
}

/// Why a request came to nothing, from the first cause to the last. The address is not told: it may
/// hold secrets.
#[doc(hidden)]
#[must_use]
pub fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let causes = std::iter::successors(Some(&error as &dyn Error), |error| (*error).source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

/// Whether nobody listens there.
#[doc(hidden)]
#[must_use]
pub fn is_refused(error: &reqwest::Error) -> bool {
    let causes = std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
    let mut causes = causes.filter_map(|error| error.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// Why the body of an answer was not read.
#[doc(hidden)]
#[derive(Debug)]
pub enum BodyError {
    /// The connection was lost.
    Lost(reqwest::Error),
    /// It has more bytes than this.
    TooLong(usize),
    /// What is being read of all answers takes all the memory that is set aside for it.
    NoMemory,
}

/// The body of an answer, if it ends within so many bytes. No more than that are kept in memory.
#[doc(hidden)]
pub async fn read_body(response: reqwest::Response, most: usize) -> Result<Vec<u8>, BodyError> {
    read(response, most, &mut None).await
}

/// The same, with its share of a budget, which it takes as it arrives.
#[doc(hidden)]
pub async fn read_body_within(
    response: reqwest::Response,
    most: usize,
    budget: &Arc<MemoryBudget>,
) -> Result<(Vec<u8>, Option<MemoryShare>), BodyError> {
    let mut share = budget.take(0);
    let body = read(response, most, &mut share).await?;
    Ok((body, share))
}

async fn read(
    mut response: reqwest::Response,
    most: usize,
    share: &mut Option<MemoryShare>,
) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::Lost)? {
        if body.len() + chunk.len() > most {
            return Err(BodyError::TooLong(most));
        }
        if share.as_mut().is_some_and(|share| !share.grow(chunk.len())) {
            return Err(BodyError::NoMemory);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(error) => error.fmt(f),
            Self::TooLong(most) => write!(f, "the answer has more than {most} bytes"),
            Self::NoMemory => {
                f.write_str("the answers that are being read take all the memory for them")
            }
        }
    }
}

impl Error for BodyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Lost(error) => error.source(),
            Self::TooLong(_) | Self::NoMemory => None,
        }
    }
}

/// The host and the port of an address: where it leads, and nothing that could be a secret.
#[doc(hidden)]
#[must_use]
pub fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}
