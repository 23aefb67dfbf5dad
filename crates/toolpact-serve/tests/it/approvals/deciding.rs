//! Who decides, and what comes of it.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{HELD, House, config};
use crate::support::PATIENCE;

fn approve() -> Json {
    json!({"decision": "approve"})
}

#[tokio::test]
async fn a_call_waits_until_it_is_approved() {
    let house = House::open().await;
    let calling = house.echo("ada", "hello");
    let held = house.listed("bob", 1).await.remove(0);
    assert_eq!(held["tool"], "echo");
    assert_eq!(held["question"], "May this be said?");
    assert_eq!(held["principal"], json!({"name": "ada"}));
    assert_eq!(held["arguments"], json!({"text": "hello"}));
    assert_eq!(held["call_id"], "c1");
    assert!(held["since"].as_str() < held["until"].as_str(), "{held}");
    assert!(!calling.is_finished());
    let decision = json!({"decision": "approve", "reason": "It is polite."});
    let (status, decided) = house.decide("bob", &held, &decision).await;
    assert_eq!((status, &decided["outcome"]), (200, &json!("approved")));
    let (status, said) = calling.await.unwrap();
    assert_eq!((status, &said["text"]), (200, &json!("hello")), "{said}");
    // It is decided once.
    let (status, error) = house.decide("lea", &held, &approve()).await;
    assert_eq!(status, 404, "{error}");
    let decision = &house.audited()["decision"];
    assert_eq!(decision["verdict"], "approved", "{decision}");
    assert_eq!(decision["approval"]["by"], json!({"name": "bob"}));
    assert_eq!(decision["approval"]["reason"], "It is polite.");
    assert!(decision["approval"]["time"].is_string());
    assert_eq!(
        (house.count("held").await, house.count("approved").await),
        (1, 1)
    );
}

#[tokio::test]
async fn a_call_that_is_denied_says_why() {
    let house = House::open().await;
    let calling = house.echo("ada", "boo");
    let held = house.listed("bob", 1).await.remove(0);
    let decision = json!({"decision": "deny", "reason": "Not in this house."});
    assert_eq!(house.decide("bob", &held, &decision).await.0, 200);
    let (status, error) = calling.await.unwrap();
    assert_eq!((status, &error["code"]), (403, &json!("FORBIDDEN_ACCESS")));
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with("denied: Not in this house."), "{error}");
    assert_eq!(error["details"]["approval"], "denied", "{error}");
    let decision = &house.audited()["decision"];
    assert_eq!(decision["verdict"], "not_approved", "{decision}");
    assert_eq!(decision["approval"]["by"]["name"], "bob");
    assert_eq!(house.count("denied").await, 1);
}

#[tokio::test]
async fn nobody_decides_in_time() {
    let held = "held: { approvers: { groups: [leads] }, timeout_ms: 300 }";
    // The tool may take less than people may.
    let house = House::of(&config(held, "limits: { call_ms: 100 }")).await;
    let (status, error) = house.echo("ada", "hello").await.unwrap();
    assert_eq!((status, &error["code"]), (403, &json!("FORBIDDEN_ACCESS")));
    assert_eq!(error["details"]["approval"], "expired", "{error}");
    assert_eq!(house.audited()["decision"]["verdict"], "expired");
    assert_eq!(
        (house.count("expired").await, house.count("withdrawn").await),
        (1, 0)
    );
    assert_eq!(house.list("bob").await, [] as [Json; 0]);
}

#[tokio::test]
async fn only_those_with_the_right_decide() {
    let house = House::open().await;
    let callings = ["ada", "bob", "ann", "anonymous"].map(|who| house.echo(who, who));
    // What each lead sees: not their own, and not those of another tenant.
    let names = |list: &[Json]| {
        let mut names: Vec<String> = list
            .iter()
            .map(|held| held["principal"]["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let of_lea = house.listed("lea", 3).await;
    assert_eq!(names(&of_lea), ["ada", "anonymous", "bob"]);
    assert_eq!(names(&house.listed("bob", 2).await), ["ada", "anonymous"]);
    let others = house.listed("lee", 1).await;
    assert_eq!(names(&others), ["ann"]);
    assert_eq!(others[0]["principal"]["tenant"], "acme");
    let of = |name: &str| {
        let mut all = of_lea.iter().chain(&others);
        all.find(|held| held["principal"]["name"] == name).unwrap()
    };
    for who in ["ada", "ann", "anonymous"] {
        let request = house.request(who, Method::GET, "/v1/approvals");
        let (status, error) = house.send(request).await;
        assert_eq!((status, &error["code"]), (403, &json!("FORBIDDEN_ACCESS")));
        assert!(!error.to_string().contains("hello"), "{error}");
    }
    for (who, whose, expected) in [
        ("ada", "ada", 403),
        ("ada", "bob", 403),
        ("anonymous", "ada", 403),
        ("ann", "ann", 403),
        // Their own.
        ("bob", "bob", 403),
        // Those of another tenant are not there.
        ("lee", "ada", 404),
        ("bob", "ann", 404),
    ] {
        let (status, error) = house.decide(who, of(whose), &approve()).await;
        assert_eq!(status, expected, "{who} decides for {whose}: {error}");
    }
    let unknown = json!({"id": "0000000000000000"});
    assert_eq!(house.decide("bob", &unknown, &approve()).await.0, 404);
    for wrong in [
        json!({}),
        json!({"decision": "yes"}),
        json!({"decision": "deny", "reason": ""}),
        json!({"decision": "deny", "reason": "x".repeat(1001)}),
    ] {
        assert_eq!(house.decide("lea", of("ada"), &wrong).await.0, 400);
    }
    assert_eq!(house.count("held").await, 4);
    for (who, by) in [
        ("ada", "bob"),
        ("bob", "lea"),
        ("ann", "lee"),
        ("anonymous", "lea"),
    ] {
        assert_eq!(house.decide(by, of(who), &approve()).await.0, 200);
    }
    for calling in callings {
        assert_eq!(calling.await.unwrap().0, 200);
    }
}

#[tokio::test]
async fn there_is_room_for_so_many() {
    let held = "held: { approvers: { groups: [leads] }, most: 2, most_per_principal: 1 }";
    let house = House::of(&config(held, "")).await;
    let first = house.echo("ada", "1");
    house.listed("lea", 1).await;
    let (status, error) = house.echo("ada", "2").await.unwrap();
    assert_eq!(
        (status, &error["code"]),
        (429, &json!("RATE_LIMIT_CONCURRENCY"))
    );
    let second = house.echo("bob", "3");
    house.listed("lea", 2).await;
    assert_eq!(house.echo("anonymous", "4").await.unwrap().0, 429);
    assert_eq!(house.count("refused").await, 2);
    for held in house.list("lea").await {
        assert_eq!(house.decide("lea", &held, &approve()).await.0, 200);
    }
    assert_eq!(first.await.unwrap().0, 200);
    assert_eq!(second.await.unwrap().0, 200);
}

#[tokio::test]
async fn who_is_gone_is_not_asked_about() {
    let house = House::open().await;
    let calling = house.echo("ada", "hello");
    let held = house.listed("bob", 1).await.remove(0);
    calling.abort();
    house.listed("bob", 0).await;
    assert_eq!(house.decide("bob", &held, &approve()).await.0, 404);
    assert_eq!(house.count("withdrawn").await, 1);
    // Who says how long it waits does not wait longer.
    let call = json!({"name": "echo", "args": {"text": "x"}, "timeout_ms": 200});
    let (status, error) = house.post("ada", "/v1/call", &call).await;
    assert_eq!(
        (status, &error["details"]["approval"]),
        (403, &json!("expired"))
    );
    assert_eq!(house.list("bob").await, [] as [Json; 0]);
}

#[tokio::test]
async fn a_server_that_stops_does_not_wait_for_people() {
    let house = House::open().await;
    let calling = house.echo("ada", "hello");
    house.listed("bob", 1).await;
    let began = Instant::now();
    house.server.stop.cancel();
    let (status, error) = calling.await.unwrap();
    assert_eq!(status, 403, "{error}");
    assert_eq!(error["details"]["approval"], "unavailable", "{error}");
    assert!(began.elapsed() < Duration::from_secs(5), "{began:?}");
    let ended = async {
        while !house.server.served.is_finished() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.unwrap();
}

#[tokio::test]
async fn policies_that_changed_have_the_last_word() {
    let house = House::open().await;
    let calling = house.echo("ada", "hello");
    let held = house.listed("bob", 1).await.remove(0);
    // Policies that do not allow this any more.
    let forbid = "forbid(principal, action == Action::\"echo\", resource) when { context.input.text == \"hello\" };";
    std::fs::write(house.server.file("policies.cedar"), forbid).unwrap();
    until_denied(&house).await;
    assert_eq!(house.decide("bob", &held, &approve()).await.0, 200);
    let (status, error) = calling.await.unwrap();
    assert_eq!((status, &error["code"]), (403, &json!("FORBIDDEN_ACCESS")));
    let verdict = &house.audited()["decision"]["verdict"];
    assert_eq!(verdict, "not_approved");
}

/// Waits until a call of `echo` is denied at once.
async fn until_denied(house: &House) {
    let call = json!({"name": "echo", "args": {"text": "hello"}, "timeout_ms": 100});
    let denied = async {
        loop {
            let (_, error) = house.post("ada", "/v1/call", &call).await;
            if error["details"]["approval"].is_null() {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, denied).await.unwrap();
}

#[tokio::test]
async fn who_may_decide_follows_the_config() {
    let house = House::open().await;
    let calling = house.echo("bob", "hello");
    let held = house.listed("lea", 1).await.remove(0);
    let staff = config(&HELD.replace("leads", "staff"), "");
    let path = house.server.file("toolpact.yaml");
    let before = std::fs::read_to_string(&path).unwrap();
    let first: Vec<&str> = before.lines().take(2).collect();
    std::fs::write(&path, format!("{}\n{staff}", first.join("\n"))).unwrap();
    let followed = async {
        let ask = || house.request("lea", Method::GET, "/v1/approvals");
        while house.send(ask()).await.0 != 403 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, followed).await.unwrap();
    assert_eq!(house.decide("lea", &held, &approve()).await.0, 403);
    assert_eq!(house.decide("ada", &held, &approve()).await.0, 200);
    assert_eq!(calling.await.unwrap().0, 200);
}

#[tokio::test]
async fn what_is_secret_is_not_shown() {
    let held = "held: { approvers: { groups: [leads] }, redact: [text] }";
    let house = House::of(&config(held, "")).await;
    let calling = house.echo("ada", "secret");
    let held = house.listed("bob", 1).await.remove(0);
    assert_eq!(held["arguments"], json!({"text": "[redacted]"}));
    calling.abort();
    // What is long is cut.
    let audit = "arguments: redacted, redact: [other]";
    let config =
        config(HELD, "").replace("directory: audit", &format!("directory: audit, {audit}"));
    let house = House::of(&config).await;
    let calling = house.echo("ada", &"ä".repeat(20_000));
    let held = house.listed("bob", 1).await.remove(0);
    assert!(held["arguments"].is_null());
    let cut = held["arguments_cut"].as_str().unwrap();
    assert!(cut.starts_with("{\"text\":\"ää") && cut.len() <= 16_000);
    calling.abort();
    let config = config.replace("[other]", "[text]");
    let house = House::of(&config).await;
    let calling = house.echo("ada", "secret");
    let held = house.listed("bob", 1).await.remove(0);
    assert_eq!(held["arguments"], json!({"text": "[redacted]"}));
    calling.abort();
}
