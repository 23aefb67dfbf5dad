//! The page of the protocol, word by word: a host that is written without our crate.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt as _;
use serde_json::{Value as Json, json};
use toolpact_grid::Runtime;
use toolpact_grid::async_nats::{Client, HeaderMap, Message};

use crate::kit::{self, NatsServer, SOON, TestHost, contracts, runtime};

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

pub(crate) struct PlainHost {
    client: Client,
    runtime: String,
    subject: String,
    digest: String,
}

impl PlainHost {
    pub(crate) async fn of(server: &NatsServer, runtime: &Runtime) -> Self {
        Self::of_id(server, runtime.id().as_str()).await
    }

    /// Calls `add` of a runtime.
    pub(crate) async fn of_id(server: &NatsServer, runtime: &str) -> Self {
        let all = contracts(&kit::registry());
        let add = all
            .iter()
            .find(|contract| contract.name().as_str() == "add")
            .unwrap();
        let digest = add.digest().to_string();
        Self {
            client: server.client().await,
            runtime: runtime.to_owned(),
            subject: format!("toolpact.v1.call.{runtime}.add.{digest}"),
            digest,
        }
    }

    pub(crate) fn headers(&self, invocation: u128) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("Toolpact-Invocation", format!("{invocation:032x}"));
        headers.insert("Toolpact-Attempt", "1");
        headers.insert("Toolpact-Digest", &*self.digest);
        headers.insert("Toolpact-Deadline", (now() + 5000).to_string());
        headers.insert("Toolpact-Start-By", (now() + 1000).to_string());
        headers
    }

    pub(crate) async fn call(&self, headers: HeaderMap, body: &str) -> Message {
        let sent =
            self.client
                .request_with_headers(self.subject.clone(), headers, body.to_owned().into());
        let answer = tokio::time::timeout(SOON, sent).await;
        answer.unwrap().unwrap()
    }
}

fn header(message: &Message, name: &'static str) -> String {
    let value = message.headers.as_ref().and_then(|map| map.get(name));
    value.map(ToString::to_string).unwrap_or_default()
}

pub(crate) fn code(message: &Message) -> String {
    let error: Json = serde_json::from_str(&header(message, "Toolpact-Error")).unwrap();
    error["code"].as_str().unwrap().to_owned()
}

pub(crate) const BODY: &str = r#"{"name":"add","args":{"a":1,"b":2}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn calls_and_results_are_those_of_adm() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    let host = PlainHost::of(&server, &runtime).await;
    let answer = host.call(host.headers(1), BODY).await;
    let body: Json = serde_json::from_slice(&answer.payload).unwrap();
    let content = json!({"success": true, "value": 3});
    assert_eq!(
        body,
        json!({"name": "add", "status": "SUCCESS", "content": content})
    );
    assert_eq!(header(&answer, "Toolpact-Kind"), "");

    checks_arguments(&host).await;
}

/// Also those that no host would let through.
pub(crate) async fn checks_arguments(host: &PlainHost) {
    let cases = [
        (r#"{"a":1}"#, "VALIDATION_REQUIRED"),
        ("{}", "VALIDATION_REQUIRED"),
        (r#"{"a":1,"b":"2"}"#, "VALIDATION_FORMAT"),
        (r#"{"a":1,"b":2.5}"#, "VALIDATION_FORMAT"),
        (r#"{"a":1,"b":true}"#, "VALIDATION_FORMAT"),
        (r#"{"a":1,"b":null}"#, "VALIDATION_FORMAT"),
        (r#"{"a":1,"b":2,"c":3}"#, "VALIDATION_FORMAT"),
    ];
    for (number, (args, expected)) in (100..).zip(cases) {
        let body = format!(r#"{{"name":"add","args":{args}}}"#);
        let answer = host.call(host.headers(number), &body).await;
        assert!(is_result(&answer), "{args}: {answer:?}");
        assert_eq!(code(&answer), expected, "{args}");
    }
}

fn is_result(message: &Message) -> bool {
    matches!(&*header(message, "Toolpact-Kind"), "" | "result")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_must_not_be_begun_is_refused() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    refuses_what_must_not_be_begun(&PlainHost::of(&server, &runtime).await).await;
}

pub(crate) async fn refuses_what_must_not_be_begun(host: &PlainHost) {
    let with = |invocation, name: &'static str, value: String| {
        let mut headers = host.headers(invocation);
        headers.insert(name, value);
        headers
    };
    let past = || (now() - 1).to_string();
    let cases = [
        (
            with(1, "Toolpact-Start-By", past()),
            BODY,
            "INTERNAL_TIMEOUT",
        ),
        (
            with(2, "Toolpact-Deadline", past()),
            BODY,
            "INTERNAL_TIMEOUT",
        ),
        (
            with(3, "Toolpact-Invocation", "x".to_owned()),
            BODY,
            "INTERNAL_CONFIGURATION",
        ),
        (
            with(4, "Toolpact-Attempt", "one".to_owned()),
            BODY,
            "INTERNAL_CONFIGURATION",
        ),
        (
            with(5, "Toolpact-Digest", "0".repeat(64)),
            BODY,
            "INTERNAL_CONFIGURATION",
        ),
        (HeaderMap::new(), BODY, "INTERNAL_CONFIGURATION"),
        (host.headers(6), "{", "INTERNAL_CONFIGURATION"),
        (host.headers(6), "", "INTERNAL_CONFIGURATION"),
        (host.headers(6), "[]", "INTERNAL_CONFIGURATION"),
        (
            host.headers(6),
            r#"{"name":"add"}"#,
            "INTERNAL_CONFIGURATION",
        ),
        (
            host.headers(6),
            r#"{"name":"add","args":[]}"#,
            "INTERNAL_CONFIGURATION",
        ),
        (
            host.headers(6),
            r#"{"name":"add","args":{"a":1,"b":2},"more":1}"#,
            "INTERNAL_CONFIGURATION",
        ),
        (
            host.headers(6),
            r#"{"name":"add","args":{"a":1,"b":NaN}}"#,
            "INTERNAL_CONFIGURATION",
        ),
        (
            host.headers(7),
            r#"{"name":"divide","args":{"a":1,"b":2}}"#,
            "INTERNAL_CONFIGURATION",
        ),
    ];
    for (headers, body, expected) in cases {
        let answer = host.call(headers.clone(), body).await;
        assert_eq!(header(&answer, "Toolpact-Kind"), "refused", "{headers:?}");
        assert_eq!(code(&answer), expected, "{headers:?}");
    }
    // The same again is a replay; a cancellation that came first counts.
    let headers = host.headers(8);
    assert!(is_result(&host.call(headers.clone(), BODY).await));
    assert_eq!(code(&host.call(headers, BODY).await), "CONFLICT_DUPLICATE");
    let mut cancel = HeaderMap::new();
    cancel.insert("Toolpact-Kind", "cancel");
    cancel.insert("Toolpact-Invocation", format!("{:032x}", 9));
    let control = format!("toolpact.v1.control.{}", host.runtime);
    host.client
        .publish_with_headers(control, cancel, "".into())
        .await
        .unwrap();
    host.client.flush().await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(
        code(&host.call(host.headers(9), BODY).await),
        "CONFLICT_DUPLICATE"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contracts_are_in_their_bucket_by_digest() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let jetstream = toolpact_grid::async_nats::jetstream::new(server.client().await);
    let store = jetstream
        .get_key_value("toolpact_v1_contracts")
        .await
        .unwrap();
    for (name, digest) in host.host.manifest().digests() {
        let bytes = store.get(digest).await.unwrap().unwrap();
        let contract: Json = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(contract["name"], name);
    }
    let key = format!("manifest.{}", host.host.manifest().digest());
    let listing: Json = serde_json::from_slice(&store.get(key).await.unwrap().unwrap()).unwrap();
    assert_eq!(listing["tools"].as_object().unwrap().len(), 10);
}

/// Long calls are heard of.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_runs_says_so() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    let mut host = PlainHost::of(&server, &runtime).await;
    let all = contracts(&kit::registry());
    let effect = all
        .iter()
        .find(|contract| contract.name().as_str() == "effect")
        .unwrap();
    host.digest = effect.digest().to_string();
    let subject = format!("toolpact.v1.call.{}.effect.{}", runtime.id(), host.digest);
    let inbox = host.client.new_inbox();
    let mut replies = host.client.subscribe(inbox.clone()).await.unwrap();
    let body = r#"{"name":"effect","args":{"ms":1300,"name":"x"}}"#;
    let sent =
        host.client
            .publish_with_reply_and_headers(subject, inbox, host.headers(1), body.into());
    sent.await.unwrap();
    let mut kinds = Vec::new();
    while kinds.last().is_none_or(|kind| kind == "beat") {
        kinds.push(header(&replies.next().await.unwrap(), "Toolpact-Kind"));
    }
    let beats = kinds.len() - 1;
    assert!((2..=3).contains(&beats), "{kinds:?}");
}

/// Who gives no credit, since it has died, is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_reads_no_more_takes_no_place_for_ever() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    let mut host = PlainHost::of(&server, &runtime).await;
    let all = contracts(&kit::registry());
    let count = all.iter().find(|one| one.name().as_str() == "count");
    host.digest = count.unwrap().digest().to_string();
    let subject = format!("toolpact.v1.call.{}.count.{}", runtime.id(), host.digest);
    let inbox = host.client.new_inbox();
    let mut replies = host.client.subscribe(inbox.clone()).await.unwrap();
    let mut headers = host.headers(1);
    headers.insert("Toolpact-Deadline", (now() + 1500).to_string());
    let body = r#"{"name":"count","args":{"to":1000}}"#;
    let sent = host
        .client
        .publish_with_reply_and_headers(subject, inbox, headers, body.into());
    sent.await.unwrap();
    replies.next().await.unwrap();
    assert_eq!(runtime.in_flight(), 1);
    let given_back = async {
        while runtime.in_flight() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON * 2, given_back).await.unwrap();
}

/// Of long messages fewer are sent ahead than of short ones.
#[tokio::test(flavor = "multi_thread")]
async fn long_messages_wait_for_credit_sooner() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    for (bytes, ahead) in [(1_000_000, 4), (400_000, 10), (1000, 16)] {
        let mut host = PlainHost::of(&server, &runtime).await;
        let all = contracts(&kit::registry());
        let events = all.iter().find(|one| one.name().as_str() == "events");
        host.digest = events.unwrap().digest().to_string();
        let subject = format!("toolpact.v1.call.{}.events.{}", runtime.id(), host.digest);
        let inbox = host.client.new_inbox();
        let mut replies = host.client.subscribe(inbox.clone()).await.unwrap();
        let body = format!(r#"{{"name":"events","args":{{"count":40,"bytes":{bytes}}}}}"#);
        let headers = host.headers(bytes);
        let sent = host
            .client
            .publish_with_reply_and_headers(subject, inbox, headers, body.into());
        sent.await.unwrap();
        let (mut items, mut beats) = (0, 0);
        while beats < 3 {
            match &*header(&replies.next().await.unwrap(), "Toolpact-Kind") {
                "item" => items += 1,
                "beat" => beats += 1,
                other => panic!("{other}"),
            }
        }
        assert_eq!(items, ahead, "{bytes}");
    }
}
