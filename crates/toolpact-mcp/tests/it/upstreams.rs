//! Tools of another server, behind ours. The other server is ours, too, so that it can be made to do
//! wrong.

use crate::support::{echo, endless, json_value, listening, server, soon, tool};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::UntypedOutput;
use toolpact::{Call, Completed, Registry, Session, ToolError};
use toolpact_mcp::http::{Connections, Guard, Http};
use toolpact_upstream::{Upstream, UpstreamBuilder};

fn open(upstream: &Upstream) -> Session {
    let registry = Registry::new();
    registry.add_all(upstream.definitions()).unwrap();
    registry.session().open().unwrap()
}

async fn call(session: &Session, name: &str, args: &str) -> Completed {
    session
        .call(Call::new(name, Value::from_json(args).unwrap()))
        .await
}

fn code(completed: &Completed) -> Option<&str> {
    completed.error().map(ToolError::code)
}

#[tokio::test]
async fn results_and_errors_come_through() {
    let tools = server([
        echo(),
        tool("list", r#"{"type": "array"}"#, || json_value("[1, 2]")),
        tool("null", r#"{"type": ["null", "string"]}"#, || {
            json_value("null")
        }),
        tool("strict", r#"{"type": "object", "required": ["x"]}"#, || {
            Err(ToolError::with_code("CONFLICT_STATE", "It is closed.")
                .with_detail("until", "noon"))
        }),
    ]);
    let server = listening(&tools, Http::default(), Connections::default()).await;
    for sessionless in [false, true] {
        let builder = Upstream::http(server.url());
        let builder = if sessionless {
            builder.sessionless()
        } else {
            builder
        };
        let session = open(&builder.connect().await.unwrap());
        let echoed = call(&session, "echo", r#"{"text": "hi"}"#).await;
        assert_eq!(
            echoed.to_value().unwrap().to_canonical(),
            r#"{"text":"hi"}"#
        );
        // What was wrapped on the way is what it was.
        let list = call(&session, "list", "{}").await;
        assert_eq!(
            list.to_value().unwrap().to_canonical(),
            "[1,2]",
            "{:?}",
            list.error()
        );
        let null = call(&session, "null", "{}").await;
        assert_eq!(
            null.to_value().unwrap().to_canonical(),
            "null",
            "{:?}",
            null.error()
        );
        let failed = call(&session, "strict", "{}").await;
        let error = failed.error().unwrap();
        assert_eq!(
            (error.code(), error.message()),
            ("CONFLICT_STATE", "It is closed.")
        );
        assert_eq!(
            error.as_standard().detail("until").unwrap().text(),
            r#""noon""#
        );
    }
}

/// The other server promises nothing; we hold it to contracts of our own.
#[tokio::test]
async fn natural_answers_are_lifted_and_text_is_no_structure() {
    let names = ["text", "object", "list", "void", "words", "opaque"];
    let said = [
        "Traceback of s3cret",
        r#"{"id": 1}"#,
        r#"[{"id": 1}]"#,
        "",
        "two words",
        "\"hi\"",
    ];
    let tools = std::iter::zip(names, said)
        .map(|(name, said)| tool(name, r#""opaque""#, move || Ok(UntypedOutput::text(said))));
    let server = listening(&server(tools), Http::default(), Connections::default()).await;
    let contract = |name: &str, returns: &str| {
        let json = format!(
            r#"{{"name": "{name}", "description": "Does it.", "parameters": {{"type": "object"}}, "returns": {returns}}}"#
        );
        Contract::from_json(json).unwrap()
    };
    let returns = [
        r#"{"type": "object"}"#,
        r#""ObjectResult""#,
        r#""ListResult""#,
        r#""VoidResult""#,
        r#""StringValue""#,
        r#""opaque""#,
    ];
    let contracts = std::iter::zip(names, returns).map(|(name, returns)| contract(name, returns));
    let upstream = contracts.fold(Upstream::http(server.url()), UpstreamBuilder::contract);
    let session = open(&upstream.connect().await.unwrap());
    let text = call(&session, "text", "{}").await;
    assert_eq!(code(&text), Some("INTERNAL_CONTRACT"));
    assert!(!text.text().contains("s3cret"), "{}", text.text());
    for (name, expected) in [
        ("object", r#"{"data":{"id":1},"success":true}"#),
        ("list", r#"{"data":[{"id":1}],"success":true}"#),
        ("void", r#"{"success":true}"#),
        ("words", r#""two words""#),
        ("opaque", r#""\"hi\"""#),
    ] {
        let lifted = call(&session, name, "{}").await;
        let value = lifted.to_value().map(|value| value.to_canonical());
        assert_eq!(
            value.as_deref(),
            Some(expected),
            "{name}: {:?}",
            lifted.error()
        );
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_is_given_up_there() {
    let (sender, mut stopped) = mpsc::unbounded_channel();
    let tools = server([endless(sender)]);
    let server = listening(&tools, Http::default(), Connections::default()).await;
    for sessionless in [false, true] {
        let builder = Upstream::http(server.url());
        let builder = if sessionless {
            builder.sessionless()
        } else {
            builder
        };
        let session = open(&builder.connect().await.unwrap());
        let (token, call) = (
            CancellationToken::new(),
            Call::new("endless", Value::from_json("{}").unwrap()),
        );
        let running = tokio::spawn({
            let call = call.cancelled_by(&token);
            async move { session.call(call).await }
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        token.cancel();
        assert_eq!(
            code(&soon(running).await.unwrap()),
            Some("INTERNAL_CANCELLED")
        );
        soon(stopped.recv()).await.unwrap();
    }
}

#[tokio::test]
async fn timeouts_are_kept() {
    let (sender, _stopped) = mpsc::unbounded_channel();
    let tools = server([endless(sender)]);
    let server = listening(&tools, Http::default(), Connections::default()).await;
    let builder = Upstream::http(server.url()).timeout(Duration::from_millis(200));
    let session = open(&builder.connect().await.unwrap());
    let called = soon(call(&session, "endless", "{}")).await;
    assert_eq!(code(&called), Some("INTERNAL_TIMEOUT"));
}

#[tokio::test]
async fn a_server_that_comes_back_is_found_again() {
    let tools = server([echo()]);
    let first = listening(
        &tools,
        Http::default(),
        Connections::default().drain(Duration::ZERO),
    )
    .await;
    let (address, upstream) = (
        first.address,
        Upstream::http(first.url()).connect().await.unwrap(),
    );
    let session = open(&upstream);
    drop(first);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let called = call(&session, "echo", r#"{"text": "hi"}"#).await;
    assert_eq!(
        code(&called),
        Some("EXTERNAL_API_ERROR"),
        "{:?}",
        called.error()
    );
    assert!(!called.text().contains("127.0.0.1"), "{}", called.text());

    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    let (service, stop) = (tools.http(Http::default()), CancellationToken::new());
    let _stop = stop.clone().drop_guard();
    tokio::spawn(toolpact_mcp::http::listen(
        listener,
        service,
        Connections::default(),
        stop,
    ));
    let called = call(&session, "echo", r#"{"text": "hi"}"#).await;
    assert_eq!(code(&called), None, "{:?}", called.error());
}

#[tokio::test]
async fn tokens_open_and_are_not_shown() {
    let http = Http::default().guard(Guard::default().token("s3cret"));
    let server = listening(&server([echo()]), http, Connections::default()).await;
    let refused = Upstream::http(server.url())
        .bearer("guess-s3")
        .connect()
        .await;
    let refused = refused.unwrap_err();
    assert!(
        !format!("{refused} {refused:?}").contains("guess-s3"),
        "{refused:?}"
    );
    let upstream = Upstream::http(server.url())
        .bearer("s3cret")
        .connect()
        .await
        .unwrap();
    assert!(!format!("{upstream:?}").contains("s3cret"));
    assert_eq!(upstream.definitions().len(), 1);
}

#[tokio::test]
async fn what_does_not_start_is_named() {
    let missing = Upstream::command("/nonexistent/server")
        .connect()
        .await
        .unwrap_err();
    let message = missing.to_string();
    assert!(
        message.contains("`/nonexistent/server` does not start"),
        "{message}"
    );
    let silent = Upstream::command("sleep")
        .arg("60")
        .connect_timeout(Duration::from_millis(300));
    let message = silent.connect().await.unwrap_err().to_string();
    assert!(message.contains("did not answer within 300ms"), "{message}");
    let wrong = Upstream::http("http://127.0.0.1:1/mcp")
        .arg("x")
        .connect()
        .await
        .unwrap_err();
    assert_eq!(wrong.to_string(), "`arg` is for programs");
    let ends = Upstream::command("true")
        .connect()
        .await
        .unwrap_err()
        .to_string();
    assert!(ends.contains("`true`"), "{ends}");
}
