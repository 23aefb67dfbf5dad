//! Those who look after a grid: who is there, and what the manifest is.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::{self, kv};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use serde::de::DeserializeOwned;

use crate::contracts::{self, Manifest};
use crate::error::Error;
use crate::headers;
use crate::host::{HostPresence, HostReport};
use crate::presence::Presence;
use crate::subject::{Id, Subjects};

/// How long a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many entries of a bucket are asked for at once.
const AT_ONCE: usize = 64;

/// Looks at a grid, publishes manifests, and drains runtimes. It makes no calls.
#[derive(Debug, Clone)]
pub struct Operator {
    client: Client,
    subjects: Subjects,
}

/// Who is there.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GridStatus {
    /// The hosts.
    pub hosts: Vec<HostPresence>,
    /// What they know. One that did not answer, or may not be asked, has none.
    pub reports: Vec<HostReport>,
    /// The runtimes.
    pub runtimes: Vec<Presence>,
}

impl Operator {
    /// On the grid whose subjects begin with this word: `toolpact`, unless it was given another.
    pub fn new(client: Client, prefix: &str) -> Result<Self, Error> {
        let subjects = Subjects::new(prefix)?;
        Ok(Self { client, subjects })
    }

    /// Who is there now.
    pub async fn status(&self) -> Result<GridStatus, Error> {
        let (hosts, runtimes) = tokio::try_join!(self.hosts(), self.runtimes())?;
        let asked = hosts.iter().map(|host| self.report(&host.host));
        let mut reports: Vec<HostReport> = stream::iter(asked)
            .buffer_unordered(AT_ONCE)
            .filter_map(std::future::ready)
            .collect()
            .await;
        reports.sort_by(|one, other| one.presence.host.cmp(&other.presence.host));
        Ok(GridStatus {
            hosts,
            reports,
            runtimes,
        })
    }

    /// The runtimes that are there.
    pub async fn runtimes(&self) -> Result<Vec<Presence>, Error> {
        let mut all: Vec<Presence> = self.all_of("presence").await?;
        all.sort_by(|one, other| one.runtime.cmp(&other.runtime));
        Ok(all)
    }

    /// The hosts that are there.
    pub async fn hosts(&self) -> Result<Vec<HostPresence>, Error> {
        let mut all: Vec<HostPresence> = self.all_of("hosts").await?;
        all.sort_by(|one, other| one.host.cmp(&other.host));
        Ok(all)
    }

    /// Tells a runtime to take no more calls, and to leave when those that run have ended.
    pub async fn drain(&self, runtime: &Id) -> Result<(), Error> {
        let subject = self.subjects.control(runtime);
        let map = headers::of_kind("drain");
        let client = &self.client;
        let sent = client.publish_with_headers(subject, map, Bytes::new());
        sent.await.map_err(Error::nats("publish"))?;
        self.client.flush().await.map_err(Error::nats("publish"))
    }

    /// Publishes a manifest: hosts without contracts of their own take it.
    pub async fn publish(&self, manifest: &Manifest) -> Result<(), Error> {
        let store = contracts::bucket(&self.client, &self.subjects).await?;
        contracts::publish(&store, manifest).await?;
        contracts::put_published(&store, manifest).await
    }

    /// The published manifest.
    pub async fn published(&self) -> Result<Option<Manifest>, Error> {
        match self.bucket("contracts").await? {
            Some(store) => contracts::published(&store).await,
            None => Ok(None),
        }
    }

    /// The digest of the published manifest.
    pub async fn published_digest(&self) -> Result<Option<Box<str>>, Error> {
        match self.bucket("contracts").await? {
            Some(store) => contracts::published_digest(&store).await,
            None => Ok(None),
        }
    }

    /// The manifest of a digest, such as that of a host.
    pub async fn manifest(&self, digest: &str) -> Result<Option<Manifest>, Error> {
        match self.bucket("contracts").await? {
            Some(store) => contracts::manifest(&store, digest).await,
            None => Ok(None),
        }
    }

    /// What a host knows, if it answers.
    async fn report(&self, host: &str) -> Option<HostReport> {
        let subject = self.subjects.status(&Id::new(host).ok()?);
        let asked = self.client.request(subject, Bytes::new());
        let answer = tokio::time::timeout(PATIENCE, asked).await.ok()?.ok()?;
        serde_json::from_slice(&answer.payload).ok()
    }

    /// A bucket, if it is there: who only looks makes none.
    async fn bucket(&self, name: &str) -> Result<Option<kv::Store>, Error> {
        let jetstream = jetstream::new(self.client.clone());
        let name = self.subjects.bucket(name);
        match jetstream.get_key_value(&name).await {
            Ok(store) => Ok(Some(store)),
            // Its own error does not say why.
            Err(_) if is_absent(&jetstream, &name).await => Ok(None),
            Err(error) => {
                let tried =
                    "open a bucket of the grid (is JetStream on, and may this user read it?)";
                Err(Error::nats(tried)(error))
            }
        }
    }

    /// All entries of a bucket that are what they should be.
    async fn all_of<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, Error> {
        let Some(store) = self.bucket(name).await? else {
            return Ok(Vec::new());
        };
        let keys = store
            .keys()
            .await
            .map_err(Error::nats("list the keys of a bucket"))?;
        let entries = keys
            .filter_map(|key| std::future::ready(key.ok()))
            .map(|key| {
                let store = &store;
                async move { store.get(key).await.ok().flatten() }
            });
        let entries = entries.buffer_unordered(AT_ONCE);
        let read = entries.filter_map(|entry| {
            std::future::ready(entry.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
        });
        Ok(read.collect().await)
    }
}

/// Whether there is no bucket of this name.
async fn is_absent(jetstream: &jetstream::Context, bucket: &str) -> bool {
    let stream = jetstream.get_stream(format!("KV_{bucket}")).await;
    match stream.map_err(|error| error.kind()) {
        Err(GetStreamErrorKind::JetStream(error)) => {
            error.error_code() == jetstream::ErrorCode::STREAM_NOT_FOUND
        }
        _ => false,
    }
}
