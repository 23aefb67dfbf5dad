//! Joining a grid: what is offered, what is accepted, and that the runtime is there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::service::{Service, ServiceExt as _};
use async_nats::{Message, StatusCode, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use toolpact::core::contract::Contract;

use super::RuntimeShared;
use super::durable::Queues;
use super::running::BEAT;
use super::serve::{self, CalledTool};
use crate::admission::{Admission, RefusalReason};
use crate::clock;
use crate::contracts;
use crate::error::Error;
use crate::headers;
use crate::presence::{self, CHUNKS, QUESTIONS, REFRESH};
use crate::reconnects::Reconnects;
use crate::registration::Registering;
use crate::wire;

/// How long to wait for a host before asking again.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// How long an answer may take.
const UNANSWERED: Duration = Duration::from_secs(2);
/// How long changes of tools are waited for after the first.
const TOGETHER: Duration = Duration::from_millis(50);
/// How often it is offered again in any case: what a host says when it starts may be missed.
const OFFER_AGAIN: Duration = Duration::from_secs(30);

/// How long calls are turned away that were sent before hosts knew that the runtime leaves.
const TURNING_AWAY: Duration = Duration::from_millis(250);

/// Digests by the names of tools.
type Digests = BTreeMap<Box<str>, Box<str>>;

/// Subscribes, and starts the tasks, which run until they are stopped.
pub(super) async fn start(
    shared: &Arc<RuntimeShared>,
    stop: &CancellationToken,
) -> Result<watch::Receiver<Option<Admission>>, Error> {
    let client = &shared.client;
    let control = client.subscribe(shared.subjects.control(&shared.id)).await;
    let control = control.map_err(Error::nats("subscribe"))?;
    let manifest = client.subscribe(shared.subjects.manifest()).await;
    let manifest = manifest.map_err(Error::nats("subscribe"))?;
    let batches = client.subscribe(shared.subjects.batch(&shared.id)).await;
    let batches = batches.map_err(Error::nats("subscribe"))?;
    let metadata = [("runtime".to_owned(), shared.id.to_string())];
    let service = client
        .service_builder()
        .description("Runs tools of a toolpact grid.")
        .metadata(metadata.into())
        .start("toolpact-runtime", env!("CARGO_PKG_VERSION"))
        .await;
    let service = service.map_err(Error::nats("register a service"))?;
    let (sender, admission) = watch::channel(None);
    let mut joining = Joining {
        shared: Arc::clone(shared),
        service,
        listening: BTreeMap::new(),
        queues: Queues::default(),
        stop: stop.clone(),
    };
    spawn(stop, obey(Arc::clone(shared), control));
    spawn(stop, beat(Arc::clone(shared)));
    tokio::spawn(take_batches(Arc::clone(shared), batches, stop.clone()));
    let stop = stop.clone();
    tokio::spawn(async move {
        let joined = stop
            .run_until_cancelled(joining.run(manifest, sender))
            .await;
        if let Some(Err(error)) = joined {
            tracing::error!(target: "toolpact::grid", %error, "the runtime has left");
        }
        // It is not discovered any more.
        let _ = joining.service.stop().await;
    });
    Ok(admission)
}

fn spawn(stop: &CancellationToken, task: impl Future<Output = ()> + Send + 'static) {
    let stop = stop.clone();
    tokio::spawn(async move {
        stop.run_until_cancelled(task).await;
    });
}

/// Takes batches of calls until it is stopped.
async fn take_batches(
    shared: Arc<RuntimeShared>,
    mut batches: Subscriber,
    stop: CancellationToken,
) {
    while let Some(Some(batch)) = stop.run_until_cancelled(batches.next()).await {
        serve::take_batch(&shared, &batch);
    }
    // As with calls that come alone.
    let turning_away = async {
        while let Some(batch) = batches.next().await {
            serve::turn_away_batch(&shared, &batch).await;
        }
    };
    let _ = tokio::time::timeout(TURNING_AWAY, turning_away).await;
    let _ = batches.unsubscribe().await;
}

/// Does what hosts say about calls.
async fn obey(shared: Arc<RuntimeShared>, mut control: Subscriber) {
    while let Some(Message {
        headers,
        payload,
        reply,
        ..
    }) = control.next().await
    {
        let Some(map) = headers else { continue };
        let invocation = headers::text(&map, headers::INVOCATION).unwrap_or_default();
        match headers::text(&map, headers::KIND) {
            Some("cancel") => shared.running.cancel(invocation),
            Some("credit") => {
                let number = headers::number(&map, headers::CREDIT).unwrap_or(0);
                shared.running.credit(invocation, number);
            }
            Some("answer") => {
                let number = headers::number(&map, headers::SEQ).unwrap_or(0);
                let error = headers::text(&map, headers::ERROR).and_then(wire::read_error);
                let answer = error.map_or(Ok(payload), Err);
                shared.running.answer(invocation, number, answer);
            }
            Some("probe") => {
                if let Some(reply) = reply {
                    // A host that hears nothing knows enough.
                    let _ = shared.client.publish(reply, Bytes::new()).await;
                }
            }
            Some("drain") => shared.begin_draining(),
            _ => {}
        }
    }
}

async fn beat(shared: Arc<RuntimeShared>) {
    let mut beats = tokio::time::interval(BEAT);
    loop {
        beats.tick().await;
        shared.running.beat(&shared.client).await;
        shared.running.forget(clock::now());
    }
}

/// What it has joined with.
struct Joining {
    shared: Arc<RuntimeShared>,
    service: Service,
    /// The tools that it listens for, each until its token is cancelled.
    listening: BTreeMap<(Box<str>, Box<str>), CancellationToken>,
    queues: Queues,
    stop: CancellationToken,
}

/// How long after the first answer to an offer others may answer, too: one host of each manifest does.
const OTHERS_ANSWER: Duration = Duration::from_secs(1);

/// What hosts say to offers. While the answers to an offer come in, those to the one before count, too.
#[derive(Default)]
struct Answers {
    before: Vec<Admission>,
    now: Vec<Admission>,
    /// Which offer they are for.
    round: u64,
}

impl Answers {
    /// Those to the next offer are to come.
    fn begin(&mut self) {
        self.round += 1;
        if !self.now.is_empty() {
            self.before = std::mem::take(&mut self.now);
        }
    }

    /// What was said about other tools does not count any more.
    fn forget(&mut self) {
        self.before.clear();
        self.now.clear();
    }

    /// All have come.
    fn settle(&mut self) {
        self.before.clear();
    }

    fn all(&self) -> Option<Admission> {
        // The newest first: it says why a tool is refused.
        Admission::of_all(self.now.iter().chain(&self.before))
    }
}

impl Joining {
    async fn run(
        &mut self,
        mut manifest: Subscriber,
        sender: watch::Sender<Option<Admission>>,
    ) -> Result<(), Error> {
        let inbox = self.shared.client.new_inbox();
        let heard = self.shared.client.subscribe(format!("{inbox}.*")).await;
        let mut heard = heard.map_err(Error::nats("subscribe"))?;
        let mut changes = self.shared.registry.changes();
        let mut refresh = tokio::time::interval(REFRESH);
        let (mut answers, mut tools) = (Answers::default(), Digests::new());
        let mut offer_at = Instant::now();
        let mut settle_at = None;
        let mut reconnects = Reconnects::of(&self.shared.client);
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(offer_at) => {
                    answers.begin();
                    settle_at = None;
                    self.offer(&format!("{inbox}.{}", answers.round)).await;
                    offer_at = Instant::now() + UNANSWERED;
                }
                Some(answer) = heard.next() => {
                    let is_current = answer.subject.ends_with(&format!(".{}", answers.round));
                    if answer.status == Some(StatusCode::NO_RESPONDERS) && is_current {
                        offer_at = Instant::now() + ASK_AGAIN;
                    } else if let Some(admission) = admission(&answer).filter(|_| is_current) {
                        let admission = self.registered(admission).await;
                        answers.now.push(admission);
                        (tools, settle_at) = self.decide(&answers, &sender, settle_at).await;
                        // One that is due is not put off.
                        if offer_at > Instant::now() {
                            offer_at = Instant::now() + OFFER_AGAIN;
                        }
                    }
                }
                () = until(settle_at) => {
                    answers.settle();
                    (tools, _) = self.decide(&answers, &sender, settle_at).await;
                    settle_at = None;
                }
                Some(_) = manifest.next() => offer_at = Instant::now(),
                () = self.shared.offers.notified() => offer_at = Instant::now(),
                // Hosts hear at once that it is there again, and perhaps they are others.
                () = reconnects.next() => {
                    self.put(&tools).await;
                    offer_at = Instant::now();
                }
                Ok(()) = changes.changed() => {
                    // Tools often change together.
                    tokio::time::sleep(TOGETHER).await;
                    changes.mark_unchanged();
                    self.shared.refresh();
                    answers.forget();
                    settle_at = None;
                    offer_at = Instant::now();
                }
                _ = refresh.tick() => self.put(&tools).await,
                () = self.shared.changed.notified() => self.put(&tools).await,
            }
        }
    }

    /// Offers the tools, to one host of each manifest.
    async fn offer(&self, reply: &str) {
        let tools = self.shared.tools();
        let contracts = tools.contracts.iter();
        let all =
            contracts.map(|(name, contract)| (name.clone(), contract.digest().to_string().into()));
        if let Ok(offer) = serde_json::to_vec(&self.shared.says(all.collect())) {
            let subject = self.shared.subjects.announce();
            let client = &self.shared.client;
            // What is not answered is offered again.
            let _ = client
                .publish_with_reply(subject, reply.to_owned(), offer.into())
                .await;
        }
    }

    /// What a host accepts, with what it takes although it did not have it, if it is one that does.
    async fn registered(&self, admission: Admission) -> Admission {
        let Some(session) = &self.shared.develops else {
            return admission;
        };
        if admission.mode.is_strict() || admission.refused.is_empty() {
            return admission;
        }
        let tools = self.shared.tools();
        let unknown = { admission.refused.iter() }.filter_map(|tool| {
            let contract = tools.contracts.get(&tool.name)?;
            RawValue::from_string(contract.to_canonical()).ok()
        });
        let asked = Registering {
            runtime: self.shared.id.as_str().into(),
            session: session.as_str().into(),
            contracts: unknown.collect(),
        };
        let Ok(asked) = serde_json::to_vec(&asked) else {
            return admission;
        };
        let subject = self.shared.subjects.register(&admission.host);
        let answer = self.shared.client.request(subject, asked.into());
        let answer = tokio::time::timeout(UNANSWERED, answer).await;
        let answer = answer.ok().and_then(Result::ok);
        let read = |answer: Message| serde_json::from_slice(&answer.payload).ok();
        match answer.and_then(read) {
            Some(registration) => admission.with(registration),
            None => admission,
        }
    }

    /// Listens for what all together accept. Returns that, and when the answers are complete.
    async fn decide(
        &mut self,
        answers: &Answers,
        sender: &watch::Sender<Option<Admission>>,
        settle_at: Option<Instant>,
    ) -> (Digests, Option<Instant>) {
        let settle_at = settle_at.or_else(|| Some(Instant::now() + OTHERS_ANSWER));
        let Some(admission) = answers.all() else {
            return (Digests::new(), settle_at);
        };
        let tools = self.accept(&admission).await;
        self.put(&tools).await;
        if sender.borrow().as_ref() != Some(&admission) {
            self.explain(&admission).await;
            sender.send_replace(Some(admission));
        }
        (tools, settle_at)
    }

    /// Says in the log what is not accepted, and where contracts differ.
    async fn explain(&self, admission: &Admission) {
        if admission.refused.is_empty() {
            return;
        }
        let store = contracts::bucket(&self.shared.client, &self.shared.subjects)
            .await
            .ok();
        let tools = self.shared.tools();
        for refused in &admission.refused {
            let mut places = Vec::new();
            if let (RefusalReason::DigestDiffers, Some(store)) = (refused.reason, &store)
                && let Some(expected) = refused.expected.as_deref()
                && let Some(own) = tools.contracts.get(&refused.name)
                && let Some(theirs) = contracts::fetch(store, expected).await
                && let Ok(theirs) = Contract::from_json(theirs.text())
            {
                places = contracts::differences(own, &theirs);
            }
            let (tool, why) = (&refused.name, &refused.message);
            tracing::warn!(target: "toolpact::grid", %tool, %why, differs_at = ?places, "a tool was not accepted");
        }
    }

    /// Listens for what is accepted, and for nothing else.
    async fn accept(&mut self, admission: &Admission) -> Digests {
        let has = |feature: &str| admission.features.iter().any(|one| **one == *feature);
        self.shared.chunks.store(has(CHUNKS), Ordering::Release);
        self.shared
            .questions
            .store(has(QUESTIONS), Ordering::Release);
        let known = self.shared.tools();
        let accepted = admission.accepted.iter().filter_map(|name| {
            let digest = known.contracts.get(name)?.digest();
            Some((name.clone(), digest.to_string().into()))
        });
        let mut tools: Digests = accepted.collect();
        self.listening.retain(|(name, digest), listening| {
            let is_kept = tools.get(name) == Some(digest);
            if !is_kept {
                listening.cancel();
            }
            is_kept
        });
        for (name, digest) in tools.clone() {
            let listens = self.listening.contains_key(&(name.clone(), digest.clone()));
            if !listens && self.listen(&name, &digest).await.is_err() {
                tools.remove(&name);
            }
        }
        self.queues
            .follow(&self.shared, admission, &tools, &self.stop);
        self.shared.listens_for(&tools);
        // Subscriptions are there before anybody knows of them.
        let _ = self.shared.client.flush().await;
        tools
    }

    async fn listen(&mut self, name: &str, digest: &str) -> Result<(), Error> {
        let subject = self.shared.subjects.call(&self.shared.id, name, digest);
        let metadata = [("digest".to_owned(), digest.to_owned())];
        let builder = self
            .service
            .endpoint_builder()
            .name(name)
            .metadata(metadata.into());
        let endpoint = builder.add(subject).await;
        let mut endpoint = endpoint.map_err(Error::nats("add an endpoint"))?;
        let tool = Arc::new(CalledTool {
            name: name.into(),
            digest: digest.into(),
        });
        let listening = self.stop.child_token();
        let tool_digest = (name.into(), digest.into());
        self.listening.insert(tool_digest, listening.clone());
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            while let Some(Some(request)) = listening.run_until_cancelled(endpoint.next()).await {
                serve::take(&shared, &tool, request);
            }
            // Whoever has not heard of it yet is told: nobody has to wait for what will not come.
            let turning_away = async {
                while let Some(request) = endpoint.next().await {
                    serve::turn_away(&shared, &tool, request).await;
                }
            };
            let _ = tokio::time::timeout(TURNING_AWAY, turning_away).await;
            let _ = endpoint.stop().await;
        });
        Ok(())
    }

    async fn put(&self, tools: &Digests) {
        if let Ok(said) = serde_json::to_vec(&self.shared.says(tools.clone())) {
            let key = self.shared.id.as_str();
            let (client, subjects) = (&self.shared.client, &self.shared.subjects);
            let said = (key, said.into());
            let put = presence::put(client, subjects, &self.shared.presence, said).await;
            if let Err(error) = put {
                tracing::warn!(target: "toolpact::grid", %error, "hosts were not told that the runtime is there");
            }
        }
    }
}

fn admission(answer: &Message) -> Option<Admission> {
    serde_json::from_slice(&answer.payload).ok()
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
