//! Where the keys of an issuer come from.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use reqwest::Url;
use tokio::sync::Mutex;
use toolpact_http::outgoing;

use super::keys::Keys;
use crate::{IdentityError, Jwks};

/// Most bytes of a JWK set.
const MOST_BYTES: usize = 1 << 20;

/// How long fetching one may take.
const TIME: Duration = Duration::from_secs(5);

/// How often a key that is not known is looked for at an address, at most: strangers can name any.
pub(super) const PAUSE: Duration = Duration::from_secs(10);

/// The keys of an issuer, and where there are more.
#[derive(Debug)]
pub(super) struct KeySource {
    place: Place,
    keys: RwLock<Arc<Keys>>,
    /// How often there have been other keys: what was verified with those before has to be verified again.
    epoch: AtomicU64,
    /// When keys were last fetched, or tried to be. Only one fetches at a time.
    fetched: Mutex<Option<Instant>>,
    /// What was fetched last, so that the same keys are not other keys.
    text: std::sync::Mutex<Vec<u8>>,
}

#[derive(Debug)]
enum Place {
    File(PathBuf),
    Url(Url, reqwest::Client),
}

impl KeySource {
    /// A file has to be there. An address need not answer yet.
    pub(super) fn new(jwks: &Jwks) -> Result<Self, IdentityError> {
        let place = match jwks {
            Jwks::File(path) => Place::File(path.clone()),
            Jwks::Url(url) => {
                let wrong =
                    |why: &dyn std::fmt::Display| IdentityError::new(format!("{url}: {why}"));
                let address = Url::parse(url).map_err(|error| wrong(&error))?;
                let client = outgoing::client().timeout(TIME).build();
                Place::Url(address, client.map_err(|error| wrong(&error))?)
            }
        };
        let source = Self {
            place,
            keys: RwLock::default(),
            epoch: AtomicU64::new(0),
            fetched: Mutex::const_new(None),
            text: std::sync::Mutex::default(),
        };
        if source.file().is_some() {
            source.read_file()?;
        }
        Ok(source)
    }

    pub(super) fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    pub(super) fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Url(..) => None,
        }
    }

    /// Reads the file again. If it is wrong, the keys from before stay.
    pub(super) fn read_file(&self) -> Result<(), IdentityError> {
        let Place::File(path) = &self.place else {
            return Ok(());
        };
        let wrong = |why: &dyn std::fmt::Display| IdentityError::in_file(path, why);
        let metadata = std::fs::metadata(path).map_err(|error| wrong(&error))?;
        if usize::try_from(metadata.len()).map_or(true, |length| length > MOST_BYTES) {
            return Err(wrong(&format!("expected at most {MOST_BYTES} bytes")));
        }
        let text = std::fs::read(path).map_err(|error| wrong(&error))?;
        self.replace(text).map_err(|error| wrong(&error))
    }

    /// Fetches keys after somebody has missed one in this epoch. Returns whether there are others now.
    pub(super) async fn refetch(&self, epoch: u64, pause: Duration) -> bool {
        let Place::Url(url, client) = &self.place else {
            return false;
        };
        let mut fetched = self.fetched.lock().await;
        // Somebody else was faster.
        if self.epoch() != epoch {
            return true;
        }
        if fetched.is_some_and(|fetched| fetched.elapsed() < pause) {
            return false;
        }
        *fetched = Some(Instant::now());
        let place = outgoing::authority(url);
        match fetch(url, client).await.and_then(|text| self.replace(text)) {
            Ok(()) => self.epoch() != epoch,
            Err(error) => {
                tracing::error!(target: "toolpact::identity", place, error, "the keys of an issuer were not fetched");
                false
            }
        }
    }

    fn replace(&self, text: Vec<u8>) -> Result<(), String> {
        let mut before = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if *before == text {
            return Ok(());
        }
        let keys = Arc::new(Keys::read(&text)?);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        self.epoch.fetch_add(1, Ordering::Release);
        *before = text;
        Ok(())
    }
}

async fn fetch(url: &Url, client: &reqwest::Client) -> Result<Vec<u8>, String> {
    let sent = client.get(url.clone()).header("accept", "application/json");
    let response = sent.send().await.map_err(outgoing::causes)?;
    let status = response.status();
    if !status.is_success() {
        return Err(format!("expected the status 200, found {status}"));
    }
    let body = outgoing::read_body(response, MOST_BYTES).await;
    body.map_err(|error| error.to_string())
}
