//! The bucket of durable calls. Keys are written once (except for the progress), so that whoever is first is it:
//!
//! | key | |
//! |---|---|
//! | `INVOCATION` | the [`Record`](super::Record) |
//! | `INVOCATION.claim.ATTEMPT` | the [`Claim`](super::Claim) of an attempt |
//! | `INVOCATION.progress` | how far it is |
//! | `INVOCATION.part.ATTEMPT.N` | a part of a long result |
//! | `INVOCATION.outcome` | the [`Outcome`](super::Outcome): there is never another |

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::kv;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::DurableCalls;
use crate::error::Error;
use crate::presence;
use crate::subject::Subjects;

/// How long to wait before NATS is asked again.
const AGAIN: Duration = Duration::from_millis(200);

/// The bucket.
#[derive(Clone)]
pub(crate) struct Operations(kv::Store);

/// What came of writing something that is written once.
#[derive(Debug)]
pub(crate) enum Created<T> {
    /// It is there, and it is ours.
    Ours,
    /// It was there before.
    Theirs(T),
}

/// NATS could not be asked: what is there is not known.
#[derive(Debug)]
pub(crate) struct Unreachable(Box<dyn std::error::Error + Send + Sync>);

impl Unreachable {
    /// For `map_err`.
    pub(crate) fn of<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Self {
        Self(error.into())
    }
}

impl std::fmt::Display for Unreachable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unreachable {}

impl Operations {
    /// Opens the bucket, which is made if it is not there; what is kept shorter than this host wants is kept longer.
    pub(crate) async fn open(
        client: &Client,
        subjects: &Subjects,
        calls: &DurableCalls,
    ) -> Result<Self, Error> {
        let keep = calls.time_kept();
        let config = kv::Config {
            bucket: subjects.bucket("operations"),
            description: "The durable calls of a toolpact grid, by invocation.".to_owned(),
            history: 1,
            max_age: keep,
            ..kv::Config::default()
        };
        let store = presence::open(client, config).await?;
        let mut stream = store.stream.cached_info().config.clone();
        if stream.max_age < keep {
            stream.max_age = keep;
            let jetstream = async_nats::jetstream::new(client.clone());
            let updated = jetstream.update_stream(stream).await;
            updated.map_err(Error::nats("keep outcomes longer"))?;
        }
        Ok(Self(store))
    }

    /// The bucket that a host has made.
    pub(crate) async fn existing(client: &Client, subjects: &Subjects) -> Result<Self, Error> {
        let jetstream = async_nats::jetstream::new(client.clone());
        let store = jetstream.get_key_value(subjects.bucket("operations")).await;
        let store = store.map_err(Error::nats("open the bucket of durable calls"))?;
        Ok(Self(store))
    }

    /// Writes what is written once. While NATS does not answer, it is tried again until then: that it was written is
    /// seen by what is there, which must not look like what another would write.
    pub(crate) async fn create<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        value: &T,
        until: Instant,
    ) -> Result<Created<T>, Unreachable> {
        let bytes = Bytes::from(serde_json::to_vec(value).map_err(Unreachable::of)?);
        let is_late = || Instant::now() + AGAIN >= until;
        loop {
            match self.try_create(key, &bytes).await {
                Ok(Some(there)) if there == bytes => return Ok(Created::Ours),
                Ok(Some(there)) => {
                    let read = serde_json::from_slice(&there);
                    return read.map(Created::Theirs).map_err(Unreachable::of);
                }
                // It was too old, or the server that was asked does not have it yet.
                Ok(None) if is_late() => {
                    return Err(Unreachable::of("something is there and is not"));
                }
                Err(error) if is_late() => return Err(error),
                Ok(None) | Err(_) => tokio::time::sleep(AGAIN).await,
            }
        }
    }

    async fn try_create(&self, key: &str, bytes: &Bytes) -> Result<Option<Bytes>, Unreachable> {
        match self.0.create(key, bytes.clone()).await {
            Ok(_) => Ok(Some(bytes.clone())),
            Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {
                self.0.get(key).await.map_err(Unreachable::of)
            }
            Err(error) => Err(Unreachable::of(error)),
        }
    }

    /// What is there; what is no JSON of its kind is not.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, Unreachable> {
        let bytes = self.bytes(key).await?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    pub(crate) async fn bytes(&self, key: &str) -> Result<Option<Bytes>, Unreachable> {
        self.0.get(key).await.map_err(Unreachable::of)
    }

    pub(crate) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), Unreachable> {
        self.0.put(key, bytes).await.map_err(Unreachable::of)?;
        Ok(())
    }

    /// Takes back a record whose call was surely not queued.
    pub(crate) async fn purge(&self, key: &str) {
        // It is gone after a time in any case.
        let _ = self.0.purge(key).await;
    }

    pub(crate) fn claim_key(invocation: &str, attempt: u32) -> String {
        format!("{invocation}.claim.{attempt}")
    }

    pub(crate) fn outcome_key(invocation: &str) -> String {
        format!("{invocation}.outcome")
    }

    pub(crate) fn progress_key(invocation: &str) -> String {
        format!("{invocation}.progress")
    }

    pub(crate) fn part_key(invocation: &str, attempt: u32, number: u32) -> String {
        format!("{invocation}.part.{attempt}.{number}")
    }
}
