//! The server of `examples/grid`: two tenants, who do not see each other, and roles, who may do what is theirs.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use toolpact::returns::StringValue;
use toolpact::{Context, Registry, tool};
use toolpact_grid::async_nats::{Client, ConnectOptions, Event, HeaderMap, StatusCode};
use toolpact_grid::{Host, Id, Manifest, Operator, Role, Runtime, Servers, connect_with, user_key};

use crate::kit::{self, NatsServer, SOON, TestHost};

/// What only ACME may ever see.
const SECRET: &str = "the-result-of-acme";
/// What its intruders send.
const ATTACK: &str = "attack";
/// How often they try.
const TRIES: usize = 1000;

static CALLS: AtomicUsize = AtomicUsize::new(0);
/// Tests that count calls do so one after the other, if they are in one process.
static COUNTING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Says a secret.
#[tool(read_only)]
async fn secret(_cx: &Context) -> StringValue {
    CALLS.fetch_add(1, Ordering::SeqCst);
    StringValue::success(SECRET)
}

/// Says a secret, some time later.
#[tool(durable, read_only)]
async fn secret_later() -> StringValue {
    StringValue::success(SECRET)
}

const ROLES: [&str; 4] = ["HOST", "RUNTIME", "OPERATOR", "OBSERVER"];

fn server() -> Option<NatsServer> {
    let folder = tempfile::tempdir().unwrap();
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    std::fs::write(folder.path().join("server.pem"), cert.pem()).unwrap();
    let key = signing_key.serialize_pem();
    std::fs::write(folder.path().join("server-key.pem"), key).unwrap();
    let mut variables = Vec::new();
    for tenant in ["ACME", "GLOBEX"] {
        for role in ROLES {
            let (seed, public) = user_key().unwrap();
            let name = format!("{tenant}_{role}");
            std::fs::write(folder.path().join(&name), seed).unwrap();
            variables.push((name, public));
        }
    }
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/grid/nats.conf");
    NatsServer::with_config(&config.canonicalize().unwrap(), folder, &variables)
}

fn servers(server: &NatsServer, tenant: &str, role: &str) -> Servers {
    let port = server.url().rsplit(':').next().unwrap();
    let mut servers = Servers::new([format!("tls://localhost:{port}")]);
    servers.ca = Some(server.folder().join("server.pem"));
    servers.credentials = Some(server.folder().join(format!("{tenant}_{role}")));
    servers
}

async fn client(server: &NatsServer, tenant: &str, role: &str) -> Client {
    let inbox = match role {
        "HOST" => Role::Host,
        "RUNTIME" => Role::Runtime,
        _ => Role::Operator,
    };
    servers(server, tenant, role).connect(inbox).await.unwrap()
}

/// ACME's grid, with a call that worked.
struct Acme {
    host: TestHost,
    runtime: Runtime,
    digest: String,
}

impl Acme {
    async fn open(server: &NatsServer) -> Self {
        let registry = Registry::new();
        registry.add(secret::tool()).unwrap();
        registry.add(secret_later::tool()).unwrap();
        let contracts = kit::contracts(&registry);
        let digest = contracts[0].digest().to_string();
        let builder = Host::builder(client(server, "ACME", "HOST").await);
        let host = TestHost::with(builder, contracts).await;
        let runtime = Runtime::builder(client(server, "ACME", "RUNTIME").await);
        let runtime = kit::join(runtime, &registry).await;
        assert!(host.host.wait_for("secret", SOON).await);
        let acme = Self {
            host,
            runtime,
            digest,
        };
        acme.works().await;
        let completed = acme.host.call("secret_later", "{}").await;
        assert!(completed.text().contains(SECRET), "{completed:?}");
        acme
    }

    async fn works(&self) {
        let completed = self.host.call("secret", "{}").await;
        assert!(completed.text().contains(SECRET), "{completed:?}");
    }

    /// What says that something is ACME's.
    fn marks(&self) -> [String; 5] {
        [
            SECRET.to_owned(),
            self.digest.clone(),
            self.host.host.id().to_string(),
            self.runtime.id().to_string(),
            self.host.host.manifest().digest().to_owned(),
        ]
    }

    /// Subjects that ACME really uses.
    fn subjects(&self) -> Vec<String> {
        let (host, runtime, digest) = (self.host.host.id(), self.runtime.id(), &self.digest);
        let manifest = self.host.host.manifest();
        let later = manifest
            .contract("secret_later")
            .unwrap()
            .digest()
            .to_string();
        let manifest = manifest.digest();
        vec![
            "toolpact.v1.announce".to_owned(),
            "toolpact.v1.manifest".to_owned(),
            format!("toolpact.v1.call.{runtime}.secret.{digest}"),
            format!("toolpact.v1.call.{runtime}.batch"),
            format!("toolpact.v1.control.{runtime}"),
            format!("toolpact.v1.reply.{host}.{}.1", "0".repeat(32)),
            format!("toolpact.v1.status.{host}"),
            format!("$KV.toolpact_v1_contracts.{digest}"),
            format!("$KV.toolpact_v1_contracts.manifest.{manifest}"),
            "$KV.toolpact_v1_contracts.published".to_owned(),
            format!("$KV.toolpact_v1_presence.{runtime}"),
            format!("$KV.toolpact_v1_hosts.{host}"),
            format!(
                "$JS.API.DIRECT.GET.KV_toolpact_v1_contracts.$KV.toolpact_v1_contracts.{digest}"
            ),
            format!(
                "$JS.API.DIRECT.GET.KV_toolpact_v1_presence.$KV.toolpact_v1_presence.{runtime}"
            ),
            format!("toolpact.v1.queue.secret_later.{later}"),
            format!("toolpact.v1.outcome.{host}.{}", "0".repeat(32)),
            format!("$KV.toolpact_v1_operations.{}", "0".repeat(32)),
            format!("$JS.API.CONSUMER.MSG.NEXT.toolpact_v1_calls.secret_later_{later}"),
            "$JS.API.STREAM.MSG.GET.KV_toolpact_v1_operations".to_owned(),
            "$JS.API.STREAM.DELETE.toolpact_v1_calls".to_owned(),
            "$JS.API.STREAM.INFO.KV_toolpact_v1_contracts".to_owned(),
            "$JS.API.STREAM.INFO.KV_toolpact_v1_presence".to_owned(),
            "$JS.API.STREAM.DELETE.KV_toolpact_v1_contracts".to_owned(),
            "$JS.API.STREAM.PURGE.KV_toolpact_v1_presence".to_owned(),
            "$JS.API.STREAM.NAMES".to_owned(),
            "$JS.ACME.API.STREAM.NAMES".to_owned(),
            format!("$SRV.INFO.toolpact-runtime.{runtime}"),
            "$SRV.PING".to_owned(),
            "$SYS.REQ.ACCOUNT.ACME.CONNZ".to_owned(),
            "$SYS.ACCOUNT.ACME.CONNECT".to_owned(),
            "_INBOX.host.1".to_owned(),
            "_INBOX.runtime.1".to_owned(),
        ]
    }

    /// Nothing of it was changed from outside.
    async fn is_untouched(&self, server: &NatsServer, calls: usize) {
        let known = self.host.host.runtimes();
        assert_eq!(known.len(), 1, "{known:?}");
        assert!(!known[0].presence.draining);
        assert_eq!(CALLS.load(Ordering::SeqCst), calls);
        let operator = client(server, "ACME", "OPERATOR").await;
        let operator = Operator::new(operator, "toolpact").unwrap();
        assert!(operator.published().await.unwrap().is_none());
        let status = operator.status().await.unwrap();
        assert_eq!((status.hosts.len(), status.runtimes.len()), (1, 1));
        self.works().await;
    }
}

/// The same numbers in every run.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// The same subject, perhaps with wildcards.
    fn widened(&mut self, subject: &str) -> String {
        let mut tokens: Vec<&str> = subject.split('.').collect();
        match self.below(3) {
            0 => {}
            1 => {
                let place = self.below(tokens.len());
                tokens[place] = "*";
            }
            _ => {
                let place = self.below(tokens.len());
                tokens.truncate(place);
                tokens.push(">");
            }
        }
        tokens.join(".")
    }
}

/// An intruder, and everything that ever reached it.
struct Intruder {
    client: Client,
    heard: Arc<Mutex<Vec<String>>>,
    refusals: Arc<AtomicUsize>,
}

impl Intruder {
    async fn new(server: &NatsServer, tenant: &str, role: &str) -> Self {
        let refusals = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&refusals);
        let seed = std::fs::read_to_string(server.folder().join(format!("{tenant}_{role}")));
        let word = role.to_lowercase().replace("observer", "operator");
        let options = ConnectOptions::new()
            .nkey(seed.unwrap())
            .add_root_certificates(server.folder().join("server.pem"))
            .custom_inbox_prefix(format!("_INBOX.{word}"))
            .event_callback(move |event| {
                let counter = Arc::clone(&counter);
                async move {
                    if matches!(event, Event::ServerError(_)) {
                        counter.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        let servers = servers(server, tenant, role).addresses.join(",");
        Self {
            client: connect_with(options, &servers).await.unwrap(),
            heard: Arc::default(),
            refusals,
        }
    }

    /// Keeps all that comes, but for what intruders sent themselves.
    async fn listen(&self, subject: String) {
        let Ok(mut subscriber) = self.client.subscribe(subject).await else {
            return;
        };
        let heard = Arc::clone(&self.heard);
        tokio::spawn(async move {
            while let Some(message) = subscriber.next().await {
                let text = String::from_utf8_lossy(&message.payload).into_owned();
                // That nobody listens repeats the subject that was tried.
                let is_nobody = message.status == Some(StatusCode::NO_RESPONDERS);
                if !text.starts_with(ATTACK) && !is_nobody {
                    let headers = message.headers.map(|map| format!("{map:?}"));
                    heard
                        .lock()
                        .unwrap()
                        .push(text + &headers.unwrap_or_default());
                }
            }
        });
    }

    async fn send(&self, subject: String, payload: String, ask: bool) {
        // What the client itself refuses is refused, too.
        if !ask {
            let _ = self.client.publish(subject, payload.into()).await;
            return;
        }
        let inbox = self.client.new_inbox();
        self.listen(inbox.clone()).await;
        let mut headers = HeaderMap::new();
        headers.insert("Toolpact-Kind", "drain");
        let client = &self.client;
        let sent = client.publish_with_reply_and_headers(subject, inbox, headers, payload.into());
        let _ = sent.await;
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// 1,000 tries of a seeded generator over subjects that are really used: none reaches or sees anything.
#[tokio::test(flavor = "multi_thread")]
async fn tenants_do_not_see_each_other() {
    let Some(server) = server() else { return };
    let _alone = COUNTING.lock().await;
    let before = CALLS.load(Ordering::SeqCst);
    let acme = Acme::open(&server).await;
    let (marks, subjects) = (acme.marks(), acme.subjects());
    let mut intruders = Vec::new();
    for role in ROLES {
        intruders.push(Intruder::new(&server, "GLOBEX", role).await);
    }
    let mut random = Seeded(0x70_6f_6f_6c);
    let call = format!(r#"{{"name": "secret", "args": {{}}, "{ATTACK}": 1}}"#);
    let payloads = [
        format!("{ATTACK} {SECRET}x"),
        String::new(),
        call,
        r#"{"runtime": "x"}"#.to_owned(),
    ];
    for number in 0..TRIES {
        let intruder = random.of(&intruders);
        let subject = random.of(&subjects).clone();
        match random.below(3) {
            0 => intruder.listen(random.widened(&subject)).await,
            kind => {
                let payload = random.of(&payloads).clone();
                intruder.send(subject, payload, kind == 1).await;
            }
        }
        if number % 100 == 0 {
            // There is something to be seen.
            acme.works().await;
        }
    }
    for intruder in &intruders {
        // The server has taken everything.
        intruder.client.flush().await.unwrap();
    }
    acme.works().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let seen: Vec<String> = { intruders.iter() }
        .flat_map(Intruder::heard)
        .filter(|text| marks.iter().any(|mark| text.contains(mark.as_str())))
        .collect();
    assert!(
        seen.is_empty(),
        "{} of {TRIES} tries saw something: {seen:?}",
        seen.len()
    );
    // The first call, one for each hundred tries, and the one above.
    acme.is_untouched(&server, before + 2 + TRIES / 100).await;
    // What could be seen is seen by those who may.
    let own = Intruder::new(&server, "ACME", "RUNTIME").await;
    own.listen("toolpact.v1.call.>".to_owned()).await;
    let is_there = || own.heard().iter().any(|text| text.contains(&marks[1]));
    let seen = async {
        while !is_there() {
            // The server may not have had the subscription yet.
            acme.works().await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(SOON, seen).await.unwrap();
}

/// What a role may not do is refused by the server, and has no effect.
#[tokio::test(flavor = "multi_thread")]
async fn roles_do_what_is_theirs() {
    let Some(server) = server() else { return };
    let _alone = COUNTING.lock().await;
    let acme = Acme::open(&server).await;
    let calls = CALLS.load(Ordering::SeqCst);
    let (runtime, host, digest) = (acme.runtime.id(), acme.host.host.id(), &acme.digest);
    let call = format!("toolpact.v1.call.{runtime}.secret.{digest}");
    let control = format!("toolpact.v1.control.{runtime}");
    let reply = format!("toolpact.v1.reply.{host}.{}.1", "0".repeat(32));
    let contract = format!("$KV.toolpact_v1_contracts.{digest}");
    let present = format!("$KV.toolpact_v1_presence.{runtime}");
    let publishing: [(&str, Vec<&String>); 4] = [
        ("HOST", vec![&present, &reply]),
        ("RUNTIME", vec![&call, &control, &contract]),
        ("OPERATOR", vec![&call, &reply, &present]),
        (
            "OBSERVER",
            vec![&call, &control, &reply, &contract, &present],
        ),
    ];
    for (role, subjects) in publishing {
        let intruder = Intruder::new(&server, "ACME", role).await;
        for subject in &subjects {
            intruder
                .send((*subject).clone(), format!("{ATTACK} of {role}"), false)
                .await;
        }
        intruder.client.flush().await.unwrap();
        refused(&intruder, subjects.len(), role).await;
    }
    let subscribing = [
        (
            "HOST",
            vec!["toolpact.v1.call.>", "_INBOX.runtime.>", "$KV.>"],
        ),
        (
            "RUNTIME",
            vec![
                "toolpact.v1.reply.>",
                "toolpact.v1.announce",
                "_INBOX.host.>",
                ">",
            ],
        ),
        (
            "OPERATOR",
            vec!["toolpact.v1.call.>", "toolpact.v1.reply.>", "_INBOX.host.>"],
        ),
        ("OBSERVER", vec!["toolpact.v1.>", "_INBOX.>", "$KV.>"]),
    ];
    for (role, subjects) in subscribing {
        let intruder = Intruder::new(&server, "ACME", role).await;
        for subject in &subjects {
            intruder.listen((*subject).to_owned()).await;
        }
        refused(&intruder, subjects.len(), role).await;
        acme.works().await;
        assert!(
            intruder.heard().is_empty(),
            "{role}: {:?}",
            intruder.heard()
        );
    }
    acme.is_untouched(&server, calls + 4).await;
    // An observer sees who is there, and an operator may publish and drain.
    let observer = client(&server, "ACME", "OBSERVER").await;
    let observer = Operator::new(observer, "toolpact").unwrap();
    let status = observer.status().await.unwrap();
    assert_eq!((status.reports.len(), status.runtimes.len()), (1, 1));
    let operator = client(&server, "ACME", "OPERATOR").await;
    let operator = Operator::new(operator, "toolpact").unwrap();
    let manifest = Manifest::new([acme
        .host
        .host
        .manifest()
        .contract("secret")
        .unwrap()
        .clone()]);
    operator.publish(&manifest.unwrap()).await.unwrap();
    assert!(observer.published().await.unwrap().is_some());
    operator
        .drain(&Id::new(runtime.as_str()).unwrap())
        .await
        .unwrap();
    tokio::time::timeout(SOON, acme.runtime.told_to_drain())
        .await
        .unwrap();
}

/// Waits until the server has refused so many things.
async fn refused(intruder: &Intruder, most: usize, role: &str) {
    let all = async {
        while intruder.refusals.load(Ordering::SeqCst) < most {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let refused = tokio::time::timeout(SOON, all).await;
    let count = intruder.refusals.load(Ordering::SeqCst);
    assert!(refused.is_ok(), "{role}: {count} of {most} are refused");
}

/// Without the certificate of the authority, or with a key that is nobody's, there is no way in.
#[tokio::test(flavor = "multi_thread")]
async fn strangers_have_no_way_in() {
    let Some(server) = server() else { return };
    let mut stranger = servers(&server, "ACME", "HOST");
    stranger.ca = None;
    assert!(stranger.connect(Role::Host).await.is_err());
    let mut stranger = servers(&server, "ACME", "HOST");
    let (seed, _) = user_key().unwrap();
    let file = server.folder().join("stranger");
    std::fs::write(&file, seed).unwrap();
    stranger.credentials = Some(file.clone());
    assert!(stranger.connect(Role::Host).await.is_err());
    std::fs::write(&file, "nothing").unwrap();
    let error = stranger.connect(Role::Host).await.unwrap_err().to_string();
    assert!(error.contains("expected credentials of NATS"), "{error}");
    stranger.credentials = None;
    assert!(stranger.connect(Role::Host).await.is_err());
}
