//! Who is there: what runtimes say about themselves, in a bucket that forgets.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::kv;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::durable;
use crate::error::Error;
use crate::replicas;
use crate::subject::{Subjects, VERSION};

/// How often a runtime says that it is there.
pub(crate) const REFRESH: Duration = Duration::from_secs(2);
/// How long that is believed.
pub(crate) const BELIEVED: Duration = Duration::from_secs(6);

/// Results that are longer than a message come in parts.
pub(crate) const CHUNKS: &str = "chunks";
/// Several calls, and several outcomes, come in one message.
pub(crate) const BATCH: &str = "batch";
/// Tools may ask whoever called them.
pub(crate) const QUESTIONS: &str = "questions";
/// A runtime answers hosts that ask whether it may.
pub(crate) const PROBE: &str = "probe";
/// All features that we have.
pub(crate) const FEATURES: [&str; 5] = [CHUNKS, BATCH, QUESTIONS, PROBE, durable::FEATURE];

/// What a runtime says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Presence {
    /// Its id.
    pub runtime: Box<str>,
    /// The language it is written in.
    #[serde(default)]
    pub language: Box<str>,
    /// The version of its program.
    #[serde(default)]
    pub version: Box<str>,
    /// The versions of the protocol that it speaks.
    pub protocols: Vec<Box<str>>,
    /// The features it has.
    #[serde(default)]
    pub features: Vec<Box<str>>,
    /// How many calls it takes at once.
    pub capacity: usize,
    /// How many it runs.
    #[serde(default)]
    pub in_flight: usize,
    /// Whether it takes no more calls.
    #[serde(default)]
    pub draining: bool,
    /// The tools it offers or has, with the digests of their contracts.
    pub tools: BTreeMap<Box<str>, Box<str>>,
}

impl Presence {
    /// Of a runtime that is written with this crate.
    pub(crate) fn ours(runtime: &str, capacity: usize) -> Self {
        Self {
            runtime: runtime.into(),
            language: "rust".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocols: vec![VERSION.into()],
            features: FEATURES.map(Box::from).into(),
            capacity,
            in_flight: 0,
            draining: false,
            tools: BTreeMap::new(),
        }
    }

    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|has| **has == *feature)
    }

    pub(crate) fn speaks_our_version(&self) -> bool {
        self.protocols.iter().any(|version| **version == *VERSION)
    }
}

/// Opens the bucket, which is made if it is not there.
pub(crate) async fn bucket(
    client: &async_nats::Client,
    subjects: &Subjects,
) -> Result<kv::Store, Error> {
    let description = "The runtimes of a toolpact grid.";
    open(client, forgetful(subjects, "presence", description)).await
}

/// Says that a runtime is there. The bucket is in memory only, so after a crash of the server it may have to be made again.
pub(crate) async fn put(
    client: &async_nats::Client,
    subjects: &Subjects,
    store: &kv::Store,
    said: (&str, Bytes),
) -> Result<(), Error> {
    let (key, value) = said;
    let put = tokio::time::timeout(REFRESH, store.put(key, value.clone())).await;
    if matches!(put, Ok(Ok(_))) {
        return Ok(());
    }
    let store = bucket(client, subjects).await?;
    let put = store.put(key, value).await;
    put.map(drop).map_err(Error::nats("say who is there"))
}

/// The same for hosts.
pub(crate) async fn hosts(
    client: &async_nats::Client,
    subjects: &Subjects,
) -> Result<kv::Store, Error> {
    open(
        client,
        forgetful(subjects, "hosts", "The hosts of a toolpact grid."),
    )
    .await
}

/// A bucket that forgets.
fn forgetful(subjects: &Subjects, name: &str, description: &str) -> kv::Config {
    kv::Config {
        bucket: subjects.bucket(name),
        description: description.to_owned(),
        history: 1,
        max_age: BELIEVED,
        // What is forgotten after seconds need not be on a disk.
        storage: jetstream::stream::StorageType::Memory,
        ..kv::Config::default()
    }
}

/// Another may make the bucket at the same time.
pub(crate) async fn open(
    client: &async_nats::Client,
    mut config: kv::Config,
) -> Result<kv::Store, Error> {
    config.num_replicas = replicas::for_new(client);
    let jetstream = jetstream::new(client.clone());
    let name = config.bucket.clone();
    if let Ok(store) = jetstream.get_key_value(&name).await {
        return Ok(store);
    }
    match jetstream.create_key_value(config).await {
        Ok(store) => Ok(store),
        Err(error) => match jetstream.get_key_value(&name).await {
            Ok(store) => Ok(store),
            Err(_) => Err(Error::nats("open a bucket of the grid (is JetStream on?)")(
                error,
            )),
        },
    }
}
