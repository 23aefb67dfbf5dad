//! What a host answers to a runtime that offers tools.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::contracts::Manifest;
use crate::presence::{FEATURES, Presence};
use crate::registration::{Mode, Registration};
use crate::subject::VERSION;

/// What a host answers to a runtime that offers tools: each is accepted or refused for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Admission {
    /// Whether all, some or none of the tools are accepted.
    pub status: AdmissionStatus,
    /// The host that decided.
    pub host: Box<str>,
    /// The version of the protocol to be spoken.
    pub protocol: Box<str>,
    /// The features that both have.
    #[serde(default)]
    pub features: Vec<Box<str>>,
    /// The digest of the host's manifest.
    pub manifest: Box<str>,
    /// The tools that will be called.
    pub accepted: Vec<Box<str>>,
    /// Of those that are accepted, the ones that may be called durably: the runtime waits at their queues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub durable: Vec<Box<str>>,
    /// Whether the host takes contracts of runtimes, too.
    #[serde(default, skip_serializing_if = "Mode::is_strict")]
    pub mode: Mode,
    /// Those that will not, with reasons.
    #[serde(default)]
    pub refused: Vec<RefusedTool>,
}

/// Whether tools are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum AdmissionStatus {
    /// All of them are.
    Success,
    /// Some are.
    PartialSuccess,
    /// None is.
    Failure,
}

/// A tool that a host does not take from a runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RefusedTool {
    /// Its name.
    pub name: Box<str>,
    /// Why.
    pub reason: RefusalReason,
    /// The digest of the host's contract, if it has one of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Box<str>>,
    /// For people.
    pub message: Box<str>,
}

/// Why a tool is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum RefusalReason {
    /// The host has no contract of that name.
    NotInManifest,
    /// The host has another contract of that name.
    DigestDiffers,
    /// Host and runtime have no version of the protocol in common.
    ProtocolUnsupported,
    /// The host takes no contracts of runtimes.
    StrictMode,
    /// What was to be registered has the name of a contract of the host.
    InManifest,
    /// It is no contract.
    NoContract,
    /// More contracts than a session may register.
    TooMany,
}

impl Admission {
    /// Decides about what a runtime offers.
    pub(crate) fn decide(host: &str, manifest: &Manifest, offer: &Presence) -> Self {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        for (name, digest) in &offer.tools {
            match refusal(manifest, offer, name, digest) {
                None => accepted.push(name.clone()),
                Some(refusal) => refused.push(refusal),
            }
        }
        let both = FEATURES.into_iter().filter(|feature| offer.has(feature));
        Self {
            status: AdmissionStatus::of(&accepted, &refused),
            host: host.into(),
            protocol: VERSION.into(),
            features: both.map(Box::from).collect(),
            manifest: manifest.digest().into(),
            accepted,
            durable: Vec::new(),
            mode: Mode::Strict,
            refused,
        }
    }

    /// With what the host has registered of what it had refused.
    pub(crate) fn with(mut self, registration: Registration) -> Self {
        let refused = { registration.refused.iter() }.map(|tool| &tool.name);
        let asked: HashSet<&str> = { registration.registered.iter() }
            .chain(refused)
            .map(|name| &**name)
            .collect();
        self.refused.retain(|tool| !asked.contains(&*tool.name));
        self.refused.extend(registration.refused);
        self.accepted.extend(registration.registered);
        self.status = AdmissionStatus::of(&self.accepted, &self.refused);
        self
    }

    /// What hosts with other manifests decide together: a tool that one of them takes is taken.
    pub(crate) fn of_all<'a>(all: impl Iterator<Item = &'a Self> + Clone) -> Option<Self> {
        let mut whole = all.clone().next()?.clone();
        for other in all.skip(1) {
            let new = { other.accepted.iter() }.filter(|name| !whole.accepted.contains(name));
            let new: Vec<Box<str>> = new.cloned().collect();
            whole.accepted.extend(new);
            let new = { other.durable.iter() }.filter(|name| !whole.durable.contains(name));
            let new: Vec<Box<str>> = new.cloned().collect();
            whole.durable.extend(new);
            whole
                .features
                .retain(|feature| other.features.contains(feature));
        }
        let accepted: HashSet<&str> = whole.accepted.iter().map(|name| &**name).collect();
        whole.refused.retain(|tool| !accepted.contains(&*tool.name));
        whole.status = AdmissionStatus::of(&whole.accepted, &whole.refused);
        Some(whole)
    }
}

impl AdmissionStatus {
    pub(crate) fn of(accepted: &[Box<str>], refused: &[RefusedTool]) -> Self {
        match (accepted.is_empty(), refused.is_empty()) {
            (_, true) => Self::Success,
            (false, false) => Self::PartialSuccess,
            (true, false) => Self::Failure,
        }
    }
}

fn refusal(manifest: &Manifest, offer: &Presence, name: &str, digest: &str) -> Option<RefusedTool> {
    let own = manifest.get(name).map(|tool| &tool.digest);
    let (reason, message) = match own {
        _ if !offer.speaks_our_version() => (
            RefusalReason::ProtocolUnsupported,
            format!(
                "expected the protocol `{VERSION}`, found {:?}",
                offer.protocols
            ),
        ),
        None => (
            RefusalReason::NotInManifest,
            format!("expected a tool of the manifest, found `{name}`, which is not in it"),
        ),
        Some(own) if **own == *digest => return None,
        Some(own) => (
            RefusalReason::DigestDiffers,
            format!("expected the contract {own} of `{name}`, found {digest}"),
        ),
    };
    Some(RefusedTool {
        name: name.into(),
        reason,
        expected: own.cloned(),
        message: message.into(),
    })
}
