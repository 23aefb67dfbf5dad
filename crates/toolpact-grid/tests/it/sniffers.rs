//! A runtime that would answer the calls of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use toolpact_grid::async_nats::ConnectOptions;
use toolpact_grid::{Host, Runtime, connect_with};

use crate::kit::{self, NatsServer, SOON, TestHost, contracts, join};
use crate::liars::GOOD;
use crate::many_liars::{digest_of_effect, until_known, usual};

/// Whoever knows the subject of an answer can answer, so a runtime must not hear the calls of others: a server that keeps
/// it from that keeps it from answering them, too. What it remembers, or guesses, is for nobody.
#[tokio::test(flavor = "multi_thread")]
async fn a_liar_that_hears_no_calls_of_others_answers_none() {
    let Some(server) = NatsServer::with_settings(
        r#"authorization { users = [
               {user: all, password: a},
               {user: liar, password: l, permissions: {subscribe: {allow: ["toolpact.v1.call.liar.>", "_INBOX.>"]}}}
           ] }"#,
    ) else {
        return;
    };
    let client = async |user: &str, password: &str| {
        let options = ConnectOptions::with_user_and_password(user.into(), password.into());
        connect_with(options, server.url()).await.unwrap()
    };
    let builder = Host::builder(client("all", "a").await);
    let host = TestHost::with(builder, contracts(&kit::registry())).await;
    let _honest = join(Runtime::builder(client("all", "a").await), &kit::registry()).await;
    assert!(host.host.wait_for("effect", SOON).await);

    let sent = Arc::new(AtomicUsize::new(0));
    let liar = client("liar", "l").await;
    for subject in ["toolpact.v1.call.>", "toolpact.v1.reply.>"] {
        let mut sniffed = liar.subscribe(subject).await.unwrap();
        let liar = liar.clone();
        tokio::spawn(async move {
            while let Some(message) = sniffed.next().await {
                // It would be an answer to a call of another, before its own.
                let reply = message.reply.unwrap_or(message.subject);
                liar.publish(reply, lie_about("sniffed").into())
                    .await
                    .unwrap();
            }
        });
    }
    let mut own = liar.subscribe("toolpact.v1.call.liar.>").await.unwrap();
    let jetstream = toolpact_grid::async_nats::jetstream::new(liar.clone());
    let presence = jetstream
        .get_key_value("toolpact_v1_presence")
        .await
        .unwrap();
    let says = usual("liar", &digest_of_effect()).to_string();
    presence.put("liar", says.into()).await.unwrap();
    let counter = Arc::clone(&sent);
    let lying = tokio::spawn(async move {
        let mut old = Vec::<String>::new();
        while let Some(call) = own.next().await {
            let reply = call.reply.unwrap().to_string();
            let start = reply.rsplitn(3, '.').last().unwrap().to_owned();
            let near = [
                format!("{reply}0"),
                format!("{start}.batch.1"),
                format!("{start}.*.1"),
            ];
            let guessed = (0..20_u128).map(|n| format!("{start}.{n:032x}.1"));
            for subject in near.into_iter().chain(guessed).chain(old.iter().cloned()) {
                // The client itself refuses what is no subject.
                let _ = liar.publish(subject, lie_about("guessed").into()).await;
                counter.fetch_add(1, Ordering::SeqCst);
            }
            liar.publish(reply.clone(), GOOD.into()).await.unwrap();
            old.push(reply);
        }
    });
    until_known(&host, "liar", true).await;
    let said_by_honest = std::process::id().to_string();
    let mut seen = [0, 0];
    for _ in 0..40 {
        let calls = (0..5).map(|_| host.call("effect", r#"{"ms": 5, "name": "x"}"#));
        for completed in join_all(calls).await {
            let text = completed.text();
            assert!(["x", &said_by_honest].contains(&&*text), "{completed:?}");
            seen[usize::from(text == "x")] += 1;
        }
    }
    lying.abort();
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    assert!(sent.load(Ordering::SeqCst) > 1000, "{sent:?}");
}

fn lie_about(what: &str) -> String {
    GOOD.replace(r#""x""#, &format!(r#""{what}""#))
}
