//! Clients over standard input that mean no good. The server is a process of its own, whose memory
//! is measured. `scripts/hostile` has the long forms.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::process::{Process, cancelled, request};

/// What the fixture takes in a debug build when it has nothing to do, and some more.
const IDLE: usize = 64;

const PLENTY: usize = 256 << 20;

fn call(id: impl Into<Json>, name: &str, arguments: Json) -> Json {
    let mut params = json!({"name": name});
    params["arguments"] = arguments;
    request(&id.into(), "tools/call", params)
}

#[tokio::test]
async fn a_client_that_sends_without_reading() {
    let list = |id: usize| request(&id.into(), "tools/list", json!({})).to_string();
    let ping = |id: usize| request(&id.into(), "ping", json!({})).to_string();
    let small = |id: usize| call(id, "test_simple_text", json!({})).to_string();
    let nonsense = |_: usize| "{".to_owned();
    let all: [&dyn Fn(usize) -> String; 4] = [&list, &ping, &small, &nonsense];
    for message in all {
        let mut server = Process::over_lines(PLENTY).await;
        let sent = server.flood(200_000, message).await;
        assert!(sent < 200_000, "{}", message(0));
        server.finish_flood().await;
        server.goes_on_within(IDLE).await;
    }
}

#[tokio::test]
async fn a_client_that_is_always_behind() {
    let mut server = Process::over_lines(PLENTY).await;
    let list = request(&json!(1), "tools/list", json!({}));
    server.read_behind(&list, 80_000_000).await;
    server.goes_on_within(IDLE).await;
}

/// They wait while the tools are written for the first time. Each is more than a megabyte, and asking for it costs nothing.
#[tokio::test]
async fn lists_that_are_asked_for_before_the_first_is_made() {
    let mut server = Process::with_tools(200).await;
    for id in 0..100 {
        server
            .send(&request(&id.into(), "tools/list", json!({})))
            .await;
    }
    for _ in 0..100 {
        let answer = server.read_line().await;
        assert!(answer.len() > 1 << 20, "{} {answer:.200}", answer.len());
    }
    server.goes_on_within(IDLE + 32).await;
}

/// Answers of a megabyte wait for the client, and none is lost.
#[tokio::test]
async fn a_client_that_asks_for_much_and_does_not_read() {
    let mut server = Process::over_lines(PLENTY).await;
    for id in 0..70 {
        server.send(&call(id, "test_large_result", json!({}))).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    for _ in 0..70 {
        let answer = server.read_line().await;
        assert!(answer.len() > 1 << 20, "{answer:.200}");
    }
    // What runs at once holds its results, and 64 MiB of answers wait.
    server.goes_on_within(IDLE + 64 + 3 * 70).await;
}

/// Every call has an answer: its result, or that there is no place for it.
#[tokio::test]
async fn results_beyond_the_budget_are_refused() {
    let mut server = Process::with_result_bytes(16 << 20).await;
    for id in 0..250 {
        server.send(&call(id, "test_large_result", json!({}))).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (mut results, mut refused) = (0, 0);
    for _ in 0..250 {
        let answer = server.read_line().await;
        match answer.len() > 1 << 20 {
            true => results += 1,
            false => {
                assert!(answer.contains("RATE_LIMIT_CONCURRENCY"), "{answer:.400}");
                refused += 1;
            }
        }
    }
    assert!(results >= 16 && refused > 0, "{results} {refused}");
    // 64 MiB of answers wait, and the results of the budget.
    server.goes_on_within(IDLE + 64 + 3 * 16 + 64).await;
}

#[tokio::test]
async fn half_a_message() {
    let mut server = Process::over_lines(PLENTY).await;
    let ping = request(&json!(1), "ping", json!({})).to_string() + "\n";
    let (first, second) = ping.as_bytes().split_at(20);
    server.send_bytes(first).await;
    assert!(server.is_silent().await);
    server.send_bytes(second).await;
    assert_eq!(server.read().await["id"], 1);
    // The second half never comes.
    server.send_bytes(first).await;
    assert!(server.is_silent().await);
    server.took_at_most(IDLE);
    server.close().await;
}

/// It is refused when it is too long, not when it ends.
#[tokio::test]
async fn a_line_that_does_not_end() {
    let mut server = Process::over_lines(PLENTY).await;
    let part = vec![b'x'; 1 << 20];
    for _ in 0..6 {
        server.send_bytes(&part).await;
    }
    let refused = server.read().await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert_eq!(refused["id"], Json::Null);
    for _ in 0..58 {
        server.send_bytes(&part).await;
    }
    assert!(server.is_silent().await, "it is refused once");
    server.send_bytes(b"\n").await;
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn answers_to_questions_never_asked() {
    let mut server = Process::over_lines(PLENTY).await;
    let answers = |count: usize| {
        let id = match count % 4 {
            0 => json!(count),
            1 => json!(count.to_string()),
            2 => json!(-1),
            _ => json!(i64::MAX),
        };
        match count % 3 {
            0 => json!({"jsonrpc": "2.0", "id": id, "error": {"code": 1, "message": "no"}}),
            _ => json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept"}}),
        }
        .to_string()
    };
    assert_eq!(server.flood(20_000, answers).await, 20_000);
    // One that is asked hears the answer to its own question only.
    server
        .send(&call(1, "test_elicitation", json!({"message": "Who?"})))
        .await;
    let question = server.read().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let said = json!({"action": "accept", "content": {"username": "ada", "email": "a@b.c"}});
    for id in [json!(9), json!(question["id"].to_string()), json!(null)] {
        server
            .send(&json!({"jsonrpc": "2.0", "id": id, "result": said}))
            .await;
    }
    let refused = server.read().await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert!(server.is_silent().await);
    for _ in 0..2 {
        server
            .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
            .await;
    }
    let answer = server.read().await;
    assert!(answer["result"].to_string().contains("ada"), "{answer}");
    server.goes_on_within(IDLE).await;
}

/// Each request has one answer, whatever its identifier.
#[tokio::test]
async fn identifiers_that_are_used_again() {
    let mut server = Process::over_lines(PLENTY).await;
    // Of calls that run, and of those that have ended.
    for _ in 0..2 {
        for _ in 0..3 {
            server.send(&call(7, "test_reconnection", json!({}))).await;
        }
        for _ in 0..3 {
            let answer = server.read().await;
            assert_eq!(answer["id"], 7, "{answer}");
            assert!(answer["result"].is_object(), "{answer}");
        }
    }
    let long = "i".repeat(1 << 20);
    for id in [json!(long), json!("7"), json!(i64::MIN), json!("\u{0}\"")] {
        let answer = server.ask(&id, "ping", json!({})).await;
        assert_eq!(answer["result"], json!({}));
    }
    for id in ["null", "1.5", "99999999999999999999", "{}", "[1]", "true"] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        server.send_bytes((ping + "\n").as_bytes()).await;
        let refused = server.read().await;
        assert_eq!(refused["error"]["code"], -32600, "{id}: {refused}");
        assert_eq!(refused["id"], Json::Null);
    }
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn cancellations_of_everything() {
    let mut server = Process::over_lines(PLENTY).await;
    let strange = [
        json!("begin"),
        json!(1),
        json!(null),
        json!(1.5),
        json!({}),
        json!("x".repeat(1 << 20)),
    ];
    for id in &strange {
        server.send(&cancelled(id)).await;
    }
    for params in [json!({}), json!({"requestId": [1]})] {
        let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
        server.send(&message).await;
        let mut message = message;
        message["params"] = params;
        server.send(&message).await;
    }
    // The call comes after its cancellation, and the cancellation of another is not its own.
    server.send(&call(1, "sleeps", json!({}))).await;
    server.send(&cancelled(&json!("1"))).await;
    server.send(&call("1", "sleeps", json!({}))).await;
    for _ in 0..2 {
        server.send(&cancelled(&json!("1"))).await;
    }
    let fast = server.ask(&json!(2), "ping", json!({})).await;
    assert_eq!(fast["result"], json!({}));
    assert!(server.is_silent().await);
    server.send(&cancelled(&json!(1))).await;
    server.send(&cancelled(&json!(2))).await;
    assert!(server.is_silent().await, "nobody waits for these answers");
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn messages_that_are_none() {
    let mut server = Process::over_lines(PLENTY).await;
    let ping = request(&json!(1), "ping", json!({}));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}{}}}"#,
        r#"{"a":"#.repeat(300_000),
        "}".repeat(300_000)
    );
    let many = format!("[{}]", vec![ping.to_string(); 20_000].join(","));
    for (message, code) in [
        (json!([ping, ping]).to_string(), -32600),
        (many, -32600),
        ("[]".to_owned(), -32600),
        ("[".repeat(2_000_000), -32700),
        (deep, -32700),
        ("\u{0}".to_owned(), -32700),
    ] {
        server.send_bytes((message.clone() + "\n").as_bytes()).await;
        let refused = server.read().await;
        assert_eq!(refused["error"]["code"], code, "{message:.60}: {refused}");
    }
    server.send_bytes(b"\n \r\n\xff\xfe\n").await;
    assert_eq!(server.read().await["error"]["code"], -32700);
    server.goes_on_within(IDLE + 80).await;
}

/// The token is repeated in each message.
#[tokio::test]
async fn a_token_of_a_megabyte() {
    let mut server = Process::over_lines(PLENTY).await;
    let token = "t".repeat(1 << 20);
    let params = json!({"name": "test_much_progress", "_meta": {"progressToken": token}});
    let progress = |id: usize| request(&id.into(), "tools/call", params.clone()).to_string();
    server.flood(20, progress).await;
    server.finish_flood().await;
    server.goes_on_within(IDLE + 120).await;
}

#[tokio::test]
async fn progress_that_nobody_reads() {
    let mut server = Process::over_lines(PLENTY).await;
    for id in 0..20 {
        let params = json!({"name": "test_much_progress", "_meta": {"progressToken": id}});
        server
            .send(&request(&id.into(), "tools/call", params))
            .await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.took_at_most(IDLE);
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn very_many_notifications() {
    let mut server = Process::over_lines(PLENTY).await;
    let strange = |count: usize| match count % 3 {
        0 => json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        1 => json!({"jsonrpc": "2.0", "method": "notifications/nobody/knows"}).to_string(),
        _ => cancelled(&count.into()).to_string(),
    };
    assert_eq!(server.flood(60_000, strange).await, 60_000);
    server.goes_on_within(IDLE).await;
}

/// Calls that run are bounded by their bytes, and what would end them is still read.
#[tokio::test]
async fn calls_that_take_all_the_memory() {
    let mut server = Process::over_lines(1 << 20).await;
    server
        .send(&call("q", "test_elicitation", json!({"message": "Who?"})))
        .await;
    let question = server.read().await;
    let text = "x".repeat(200_000);
    let mut refused = 0;
    for id in 0..20 {
        server
            .send(&call(id, "sleeps", json!({"text": text})))
            .await;
    }
    // Behind all of them are an answer and cancellations.
    let said = json!({"action": "decline"});
    server
        .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
        .await;
    loop {
        let answer = server.read().await;
        if answer["id"] == "q" {
            break;
        }
        assert_eq!(answer["error"]["code"], -32000, "{answer}");
        refused += 1;
    }
    assert!((10..=15).contains(&refused), "{refused}");
    for id in 0..20 {
        server.send(&cancelled(&id.into())).await;
    }
    server.goes_on_within(IDLE).await;
    let large = json!({"text": text});
    let large = server.ask(&json!("large"), "ping", large).await;
    assert_eq!(large["result"], json!({}));
    server
        .send(&call("again", "sleeps", json!({"text": text})))
        .await;
    assert!(server.is_silent().await, "there is room again");
}
