//! The contracts of a host, in a bucket whose keys are their digests.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_nats::jetstream::kv;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;

use crate::error::{Error, Reason};
use crate::presence;
use crate::subject::Subjects;

/// The contracts that a host owns: one of each name.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// In the order that they were given in.
    tools: IndexMap<Box<str>, ManifestTool>,
    digest: Box<str>,
    listing: Box<str>,
}

/// What is another in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A tool that was not there.
    Added(Box<str>),
    /// A tool that is gone.
    Removed(Box<str>),
    /// A tool whose contract is another, at these places: `/description`.
    Changed(Box<str>, Vec<String>),
}

#[derive(Debug, Clone)]
pub(crate) struct ManifestTool {
    pub(crate) contract: Arc<Contract>,
    pub(crate) digest: Box<str>,
}

impl Manifest {
    /// Of these contracts.
    pub fn new(contracts: impl IntoIterator<Item = Contract>) -> Result<Self, Error> {
        let mut tools = IndexMap::new();
        for contract in contracts {
            let name: Box<str> = contract.name().as_str().into();
            let tool = ManifestTool {
                digest: contract.digest().to_string().into(),
                contract: Arc::new(contract),
            };
            if tools.insert(name.clone(), tool).is_some() {
                return Err(Error::new(Reason::Twice(name)));
            }
        }
        let listing = listing(&tools);
        Ok(Self {
            digest: sha256(listing.as_bytes()).into(),
            tools,
            listing: listing.into(),
        })
    }

    /// What identifies the whole: the same contracts have the same digest.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The names of its tools, with the digests of their contracts.
    pub fn digests(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tools
            .iter()
            .map(|(name, tool)| (&**name, &*tool.digest))
    }

    /// The contract of a tool.
    #[must_use]
    pub fn contract(&self, name: &str) -> Option<&Contract> {
        self.get(name).map(|tool| &*tool.contract)
    }

    /// What is another in a manifest that is to take the place of this one.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let gone = self.tools.keys().filter(|name| other.get(name).is_none());
        let gone = gone.map(|name| Difference::Removed(name.clone()));
        let rest = other.tools.iter().filter_map(|(name, tool)| {
            let Some(before) = self.get(name) else {
                return Some(Difference::Added(name.clone()));
            };
            (before.digest != tool.digest).then(|| {
                Difference::Changed(name.clone(), differences(&before.contract, &tool.contract))
            })
        });
        gone.chain(rest).collect()
    }

    /// With its tools in this order.
    fn sorted(mut self, order: &[Box<str>]) -> Self {
        let place = |name: &str| order.iter().position(|one| **one == *name);
        let place = |name: &str| place(name).unwrap_or(usize::MAX);
        self.tools
            .sort_by(|one, _, other, _| place(one).cmp(&place(other)));
        self
    }

    pub(crate) fn tools(&self) -> impl Iterator<Item = &ManifestTool> {
        self.tools.values()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ManifestTool> {
        self.tools.get(name)
    }
}

/// `{"tools": {NAME: DIGEST, …}}`, in the order of names.
#[derive(Serialize, Deserialize)]
struct Listing {
    tools: BTreeMap<Box<str>, Box<str>>,
}

fn listing(tools: &IndexMap<Box<str>, ManifestTool>) -> String {
    let tools = { tools.iter() }.map(|(name, tool)| (name.clone(), tool.digest.clone()));
    serde_json::to_string(&Listing {
        tools: tools.collect(),
    })
    .unwrap_or_default()
}

/// Opens the bucket, which is made if it is not there.
pub(crate) async fn bucket(
    client: &async_nats::Client,
    subjects: &Subjects,
) -> Result<kv::Store, Error> {
    let config = kv::Config {
        bucket: subjects.bucket("contracts"),
        description: "The contracts of a toolpact grid, by digest.".to_owned(),
        history: 1,
        ..kv::Config::default()
    };
    presence::open(client, config).await
}

/// Puts what is not there yet into the bucket. A contract is written once: nobody can change what a digest means.
pub(crate) async fn publish(store: &kv::Store, manifest: &Manifest) -> Result<(), Error> {
    for tool in manifest.tools() {
        put(store, &tool.digest, tool.contract.to_canonical()).await?;
    }
    let key = format!("manifest.{}", manifest.digest);
    put(store, &key, manifest.listing.to_string()).await
}

async fn put(store: &kv::Store, key: &str, value: String) -> Result<(), Error> {
    match store.create(key, value.into()).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Error::nats("publish a contract")(error)),
    }
}

/// The contract of this digest, if it is there and what it says it is.
pub(crate) async fn fetch(store: &kv::Store, digest: &str) -> Option<Value> {
    let bytes = store.get(digest).await.ok().flatten()?;
    (sha256(&bytes) == digest).then(|| Value::from_json(&bytes).ok())?
}

/// What hosts without contracts of their own take.
const PUBLISHED: &str = "published";

/// The entry `published`.
#[derive(Serialize, Deserialize)]
struct Published {
    manifest: Box<str>,
    /// The tools in the order that they were given in, which the listing of a manifest does not have.
    order: Vec<Box<str>>,
}

/// Makes a manifest, which is in the bucket already, the published one.
pub(crate) async fn put_published(store: &kv::Store, manifest: &Manifest) -> Result<(), Error> {
    let published = Published {
        manifest: manifest.digest.clone(),
        order: manifest.tools.keys().cloned().collect(),
    };
    let published = serde_json::to_vec(&published).unwrap_or_default();
    let put = store.put(PUBLISHED, published.into()).await;
    put.map(drop)
        .map_err(Error::nats("publish a manifest (may this user do that?)"))
}

/// The published manifest, if there is one.
pub(crate) async fn published(store: &kv::Store) -> Result<Option<Manifest>, Error> {
    let Some(published) = read_published(store).await? else {
        return Ok(None);
    };
    let manifest = manifest(store, &published.manifest).await?;
    Ok(manifest.map(|manifest| manifest.sorted(&published.order)))
}

/// The digest of the published manifest, if there is one.
pub(crate) async fn published_digest(store: &kv::Store) -> Result<Option<Box<str>>, Error> {
    Ok(read_published(store).await?.map(|one| one.manifest))
}

async fn read_published(store: &kv::Store) -> Result<Option<Published>, Error> {
    let entry = store.get(PUBLISHED).await;
    let entry = entry.map_err(Error::nats("read the manifest"))?;
    let Some(entry) = entry else { return Ok(None) };
    let wrong = "the entry `published` of the contracts is not one; publish the manifest again";
    let published = serde_json::from_slice(&entry);
    published
        .map(Some)
        .map_err(|_| Error::new(Reason::Stored(wrong)))
}

/// The manifest of a digest, with its contracts, if it is there.
pub(crate) async fn manifest(store: &kv::Store, digest: &str) -> Result<Option<Manifest>, Error> {
    let entry = store.get(format!("manifest.{digest}")).await;
    let entry = entry.map_err(Error::nats("read the manifest"))?;
    let Some(entry) = entry else { return Ok(None) };
    let wrong = || {
        Error::new(Reason::Stored(
            "a manifest among the contracts is not what its digest says; publish it again",
        ))
    };
    let listing: Listing = serde_json::from_slice(&entry).map_err(|_| wrong())?;
    let mut contracts = Vec::new();
    for digest in listing.tools.values() {
        let value = fetch(store, digest).await.ok_or_else(wrong)?;
        let contract = Contract::from_json(value.to_string()).map_err(|_| wrong())?;
        contracts.push(contract);
    }
    let manifest = Manifest::new(contracts)?;
    match manifest.digest() == digest {
        true => Ok(Some(manifest)),
        false => Err(wrong()),
    }
}

/// Where two contracts differ, as pointers into them: `/description`, `/parameters/properties/b`.
pub(crate) fn differences(ours: &Contract, theirs: &Contract) -> Vec<String> {
    let places = ours.differing_places(theirs);
    places.iter().map(ToString::to_string).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    let digits = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}

#[cfg(test)]
mod tests {
    use super::{Manifest, differences, sha256};
    use toolpact::core::contract::Contract;

    fn contract(description: &str, more: &str) -> Contract {
        Contract::from_json(format!(
            r#"{{"name": "add", "description": "{description}", "returns": "NumberValue",
                "parameters": {{"type": "object", "properties": {{"a": {{"type": "integer"}}{more}}}}}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn the_key_of_a_contract_is_the_hash_of_its_value() {
        let contract = contract("Adds.", "");
        assert_eq!(
            contract.digest().to_string(),
            sha256(contract.to_canonical().as_bytes())
        );
    }

    #[test]
    fn differences_are_named() {
        let (one, other) = (
            contract("Adds.", ""),
            contract("Sums.", r#", "b": {"type": "integer"}"#),
        );
        assert_eq!(
            differences(&one, &other),
            ["/description", "/parameters/properties/b"]
        );
        assert!(differences(&one, &one).is_empty());
    }

    #[test]
    fn a_manifest_has_one_contract_of_each_name() {
        let two = [contract("Adds.", ""), contract("Sums.", "")];
        let error = Manifest::new(two).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected one contract of each name in the manifest, found two of `add`"
        );
        let one = Manifest::new([contract("Adds.", "")]).unwrap();
        let other = Manifest::new([contract("Sums.", "")]).unwrap();
        assert_ne!(one.digest(), other.digest());
    }
}
