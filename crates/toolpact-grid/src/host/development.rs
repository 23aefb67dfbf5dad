//! Contracts that runtimes have registered with a host in DEVELOPMENT mode.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_nats::{Message, Subscriber};
use futures_util::StreamExt as _;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::Instant;
use toolpact::Definition;
use toolpact::core::contract::Contract;

use super::{Host, HostShared};
use crate::admission::{AdmissionStatus, RefusalReason, RefusedTool};
use crate::contracts::{Manifest, ManifestTool};
use crate::presence::BELIEVED;
use crate::registration::{Mode, Registering, Registration};
use crate::remote_tool::RemoteTool;
use crate::subject::Id;

/// Digests by the names of tools.
type Digests = HashMap<Box<str>, Box<str>>;

/// Most runtimes that have registered something.
const RUNTIMES: usize = 64;

/// What was registered, by the runtimes that did.
pub(crate) struct Development {
    /// Most tools of a session.
    most: usize,
    runtimes: Mutex<HashMap<Id, Registered>>,
    changed: watch::Sender<u64>,
}

struct Registered {
    session: Box<str>,
    tools: BTreeMap<Box<str>, ManifestTool>,
    /// A runtime says that it is there a moment after it has registered.
    since: Instant,
}

/// What a host may call: its manifest, and what was registered.
#[derive(Clone, Copy)]
pub(crate) struct Callable<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) development: Option<&'a Development>,
}

impl Callable<'_> {
    /// Under which key a runtime is listed for a tool, if it may be called for it. Tools of sessions are not those of the
    /// manifest, whatever their names are.
    pub(crate) fn key(&self, runtime: &Id, name: &str, digest: &str) -> Option<Box<str>> {
        let own = self.manifest.get(name);
        if own.is_some_and(|tool| *tool.digest == *digest) {
            return Some(name.into());
        }
        let runtimes = self.development?.lock();
        let registered = runtimes.get(runtime)?;
        let tool = registered.tools.get(name)?;
        (*tool.digest == *digest).then(|| key_of(&registered.session, name, digest))
    }
}

/// No name has a slash.
fn key_of(session: &str, name: &str, digest: &str) -> Box<str> {
    format!("{session}/{name}/{digest}").into()
}

impl Development {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            runtimes: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }

    /// Takes the contracts of a runtime in place of those it had.
    fn register(
        &self,
        host: &Id,
        runtime: &Id,
        manifest: &Manifest,
        asked: &Registering,
    ) -> Registration {
        let mut runtimes = self.lock();
        let has_room = runtimes.len() < RUNTIMES || runtimes.contains_key(runtime);
        let others = of_others(&runtimes, runtime, &asked.session);
        let most = if has_room { self.most } else { 0 };
        let (tools, refused) = taken(&asked.contracts, manifest, &others, most);
        let registered: Vec<Box<str>> = tools.keys().cloned().collect();
        let now = Registered {
            session: asked.session.clone(),
            tools,
            since: Instant::now(),
        };
        let before = runtimes.get(runtime);
        let is_new = before.is_none_or(|before| !before.is_same(&now));
        match registered.is_empty() {
            true => drop(runtimes.remove(runtime)),
            false => drop(runtimes.insert(runtime.clone(), now)),
        }
        drop(runtimes);
        if is_new {
            self.tell();
            for tool in &registered {
                let session = &asked.session;
                tracing::warn!(target: "toolpact::grid", %runtime, %session, %tool, "a runtime has registered a contract that is not in the manifest");
            }
        }
        Registration {
            status: AdmissionStatus::of(&registered, &refused),
            host: host.as_str().into(),
            session: asked.session.clone(),
            registered,
            refused,
        }
    }

    /// Forgets what was registered by runtimes that are not there any more.
    pub(super) fn forget_all_but(&self, is_there: impl Fn(&Id) -> bool) {
        let ids: Vec<Id> = self.lock().keys().cloned().collect();
        // Asked without the lock: what knows the runtimes asks for what they have registered.
        let gone: Vec<Id> = ids.into_iter().filter(|id| !is_there(id)).collect();
        let mut runtimes = self.lock();
        let before = runtimes.len();
        runtimes.retain(|id, of| !gone.contains(id) || of.since.elapsed() < BELIEVED);
        let is_changed = runtimes.len() != before;
        drop(runtimes);
        if is_changed {
            self.tell();
        }
    }

    /// Forgets what a runtime has registered that has left.
    pub(super) fn forget(&self, id: &str) {
        let Ok(id) = Id::new(id) else { return };
        let gone = self.lock().remove(&id);
        if gone.is_some() {
            self.tell();
        }
    }

    fn tell(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Registered>> {
        self.runtimes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registered {
    fn is_same(&self, other: &Self) -> bool {
        let digests = |one: &Self| one.tools.values().map(|tool| tool.digest.clone()).collect();
        let (ours, theirs): (Vec<Box<str>>, Vec<Box<str>>) = (digests(self), digests(other));
        self.session == other.session && ours == theirs
    }
}

/// The digests by name that other runtimes have registered for a session.
fn of_others(runtimes: &HashMap<Id, Registered>, runtime: &Id, session: &str) -> Digests {
    let others = runtimes
        .iter()
        .filter(|(id, of)| *id != runtime && *of.session == *session);
    let tools = others.flat_map(|(_, of)| &of.tools);
    tools
        .map(|(name, tool)| (name.clone(), tool.digest.clone()))
        .collect()
}

/// The contracts that are taken, so many of a session at most, and those that are not.
fn taken(
    contracts: &[Box<RawValue>],
    manifest: &Manifest,
    others: &Digests,
    most: usize,
) -> (BTreeMap<Box<str>, ManifestTool>, Vec<RefusedTool>) {
    let (mut tools, mut refused) = (BTreeMap::new(), Vec::new());
    let mut names: HashSet<Box<str>> = others.keys().cloned().collect();
    for contract in contracts {
        let verdict = read(contract.get(), manifest, others).and_then(|(name, tool)| {
            match names.contains(&name) || names.len() < most {
                true => Ok((name, tool)),
                false => Err(too_many(name, most)),
            }
        });
        match verdict {
            Ok((name, tool)) => {
                names.insert(name.clone());
                tools.insert(name, tool);
            }
            Err(refusal) => refused.push(refusal),
        }
    }
    (tools, refused)
}

/// A contract that can be registered, or why it cannot.
fn read(
    json: &str,
    manifest: &Manifest,
    others: &Digests,
) -> Result<(Box<str>, ManifestTool), RefusedTool> {
    let contract = Contract::from_json(json).map_err(|violations| RefusedTool {
        name: name_in(json),
        reason: RefusalReason::NoContract,
        expected: None,
        message: format!("expected a contract, found something else: {violations}").into(),
    })?;
    let name: Box<str> = contract.name().as_str().into();
    let digest: Box<str> = contract.digest().to_string().into();
    let refused = |reason, expected: &str, message: String| RefusedTool {
        name: name.clone(),
        reason,
        expected: Some(expected.into()),
        message: message.into(),
    };
    if let Some(own) = manifest.get(&name) {
        let message = format!("expected a name that the manifest does not have, found `{name}`");
        return Err(refused(RefusalReason::InManifest, &own.digest, message));
    }
    match others.get(&name) {
        Some(theirs) if *theirs != digest => {
            let message =
                format!("expected the contract that `{name}` has in this session, found another");
            Err(refused(RefusalReason::DigestDiffers, theirs, message))
        }
        _ => {
            let contract = Arc::new(contract);
            Ok((name.clone(), ManifestTool { contract, digest }))
        }
    }
}

/// The name of what may be no contract, if it has one.
fn name_in(json: &str) -> Box<str> {
    let named = serde_json::from_str::<serde_json::Value>(json).unwrap_or_default();
    named["name"].as_str().unwrap_or_default().into()
}

fn too_many(name: Box<str>, most: usize) -> RefusedTool {
    RefusedTool {
        message: format!("expected at most {most} tools of a session, found `{name}` beyond them")
            .into(),
        name,
        reason: RefusalReason::TooMany,
        expected: None,
    }
}

/// Answers runtimes that want to register contracts.
pub(super) async fn answer(
    shared: Arc<HostShared>,
    manifest: Arc<Manifest>,
    mut asked: Subscriber,
) {
    while let Some(message) = asked.next().await {
        let Some(answer) = registration(&shared, &manifest, &message) else {
            continue;
        };
        if let (Some(reply), Ok(answer)) = (message.reply, serde_json::to_vec(&answer)) {
            // A runtime that is not answered asks again.
            let _ = shared.client.publish(reply, answer.into()).await;
        }
    }
}

fn registration(
    shared: &HostShared,
    manifest: &Manifest,
    message: &Message,
) -> Option<Registration> {
    let asked: Registering = serde_json::from_slice(&message.payload).ok()?;
    let runtime = Id::new(&asked.runtime).ok()?;
    Id::new(&asked.session).ok()?;
    let Some(development) = &shared.development else {
        return Some(strict(&shared.id, &asked));
    };
    let registration = development.register(&shared.id, &runtime, manifest, &asked);
    shared
        .runtimes
        .list_again(&runtime, shared.callable(manifest));
    Some(registration)
}

/// Contracts are the host's.
fn strict(host: &Id, asked: &Registering) -> Registration {
    let refused = asked.contracts.iter().map(|contract| RefusedTool {
        name: name_in(contract.get()),
        reason: RefusalReason::StrictMode,
        expected: None,
        message: "expected a host in DEVELOPMENT mode, found one in STRICT mode".into(),
    });
    Registration {
        status: AdmissionStatus::Failure,
        host: host.as_str().into(),
        session: asked.session.clone(),
        registered: Vec::new(),
        refused: refused.collect(),
    }
}

impl HostShared {
    pub(crate) fn mode(&self) -> Mode {
        match self.development {
            Some(_) => Mode::Development,
            None => Mode::Strict,
        }
    }

    /// What it may call.
    pub(crate) fn callable<'a>(&'a self, manifest: &'a Manifest) -> Callable<'a> {
        Callable {
            manifest,
            development: self.development.as_ref(),
        }
    }
}

impl Host {
    /// Whether it has the contracts of its manifest only.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.shared().mode()
    }

    /// The tools that runtimes have registered, by their sessions: none in STRICT mode. Give those of a session a toolset of
    /// its name.
    #[must_use]
    pub fn registered(&self) -> BTreeMap<Box<str>, Vec<Definition>> {
        let Some(development) = &self.shared().development else {
            return BTreeMap::new();
        };
        let mut sessions = BTreeMap::<Box<str>, BTreeMap<Box<str>, ManifestTool>>::new();
        for of in development.lock().values() {
            let session = sessions.entry(of.session.clone()).or_default();
            session.extend({ of.tools.iter() }.map(|(name, tool)| (name.clone(), tool.clone())));
        }
        let definitions = sessions.into_iter().map(|(session, tools)| {
            let definitions = tools.into_iter().map(|(name, tool)| {
                let key = key_of(&session, &name, &tool.digest);
                RemoteTool::registered(self.clone(), &tool, key)
            });
            let definitions = definitions.collect();
            (session, definitions)
        });
        definitions.collect()
    }

    /// Told when runtimes have registered something, or are gone. `None` in STRICT mode.
    #[must_use]
    pub fn registrations(&self) -> Option<watch::Receiver<u64>> {
        let development = self.shared().development.as_ref()?;
        Some(development.changed.subscribe())
    }
}
