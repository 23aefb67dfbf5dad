//! Clients that have a session are asked while the tool waits.

use super::{
    SESSIONS, client, everything, first, given, reply, round, server, serving, text, whom,
};
use crate::http::{answer, post};
use crate::support::{Listening, modern, soon};
use futures_util::StreamExt as _;
use reqwest::header::HeaderValue;
use serde_json::{Value as Json, json};
use toolpact::Registry;
use toolpact::elicitation::Question;
use toolpact_mcp::Server;

#[tokio::test]
async fn in_a_session_the_client_is_asked_while_the_tool_waits() {
    for version in SESSIONS {
        let mut client = client(&server(), version, &everything()).await;
        let params = json!({"name": "match_up", "arguments": {}});
        client.begin("tools/call", params).await;
        for _ in 0..2 {
            let question = client.read().await;
            assert_eq!(question["method"], "elicitation/create", "{question}");
            let params = &question["params"];
            assert_eq!(params["message"], "Who are you?");
            assert_eq!(params["requestedSchema"]["required"], json!(["name"]));
            let age = &params["requestedSchema"]["properties"]["age"];
            assert_eq!(age["type"], "integer", "{age}");
            assert_eq!(age.get("format"), None, "{age}");
            reply(&mut client, &question, given("Ada")).await;
        }
        let question = client.read().await;
        assert_eq!(question["method"], "sampling/createMessage", "{question}");
        let params = &question["params"];
        assert_eq!(params["systemPrompt"], "Be kind.");
        assert_eq!(params["maxTokens"], 10);
        let content = json!({"type": "text", "text": "Yes."});
        let said = json!({"role": "assistant", "model": "m", "content": content});
        reply(&mut client, &question, said).await;
        let answer = client.read().await;
        assert_eq!(text(&answer), "Ada and Ada: Yes. (1)", "{version}");
    }
}

#[tokio::test]
async fn a_client_says_no_or_something_that_is_none() {
    for (result, expected) in [
        (json!({"action": "decline"}), "Nobody said who they are."),
        (json!({"action": "cancel"}), "Nobody said who they are."),
        (
            json!({"action": "perhaps"}),
            "The client's answer to `name` is none",
        ),
        (
            json!({"action": "accept", "content": {"name": 5}}),
            "The answer to `name` is not what was asked for: value-type at /name.",
        ),
        (
            json!({"action": "accept"}),
            "The answer to `name` is not what was asked for",
        ),
    ] {
        let mut client = client(&server(), "2025-11-25", &everything()).await;
        let params = json!({"name": "greet", "arguments": {}});
        client.begin("tools/call", params).await;
        let question = client.read().await;
        reply(&mut client, &question, result).await;
        let answer = client.read().await;
        assert_eq!(answer["result"]["isError"], true);
        assert!(text(&answer).contains(expected), "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_refuses_a_question_is_quoted() {
    let mut client = client(&server(), "2025-11-25", &everything()).await;
    let params = json!({"name": "greet", "arguments": {}});
    client.begin("tools/call", params).await;
    let question = client.read().await;
    let error = json!({"code": -1, "message": "The user is asleep."});
    let refused = json!({"jsonrpc": "2.0", "id": question["id"], "error": error});
    client.send(&refused).await;
    let answer = client.read().await;
    assert!(text(&answer).contains("The client did not answer `name`."));
    let error = &answer["result"]["_meta"]["toolpact/error"];
    assert_eq!(error["details"]["said"], "The user is asleep.", "{answer}");
}

/// Whoever gives up a call need not answer what it asked.
#[tokio::test]
async fn a_question_ends_with_its_call() {
    let mut client = client(&server(), "2025-11-25", &everything()).await;
    let params = json!({"name": "greet", "arguments": {}});
    let call = client.begin("tools/call", params).await;
    let question = client.read().await;
    let params = json!({"requestId": call});
    let method = "notifications/cancelled";
    client
        .send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
        .await;
    let told = client.read().await;
    assert_eq!(told["method"], method, "{told}");
    assert_eq!(told["params"]["requestId"], question["id"]);
}

#[tokio::test]
async fn what_a_client_cannot_is_not_asked() {
    for (capabilities, can) in [
        (json!({}), "[false, false, false]"),
        (everything(), "[true, true, true]"),
        (json!({"elicitation": {"url": {}}}), "[false, false, false]"),
        (
            json!({"elicitation": {"url": {}, "form": {}}, "roots": {}}),
            "[true, false, true]",
        ),
    ] {
        let mut session = client(&server(), "2025-11-25", &capabilities).await;
        assert_eq!(text(&session.call("whom", json!({})).await), can);
        let listening = serving(&server()).await;
        let mut params = json!({"name": "whom", "arguments": {}, "_meta": modern()});
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        let answered = round(&listening, &params).await;
        assert_eq!(text(&answered), can);
    }
    let mut mute = client(&server(), "2025-11-25", &json!({})).await;
    let answer = mute.call("greet", json!({})).await;
    assert!(text(&answer).contains("The tool has a question for its user"));
}

/// A form is flat. What is not is the mistake of the tool, and not told to the client.
#[tokio::test]
async fn what_no_form_can_hold_is_not_asked() {
    let mut client = client(&server(), "2025-11-25", &everything()).await;
    let answer = client.call("dig", json!({})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(!answer.to_string().contains("person"), "{answer}");
}

const VERSION: &str = "2025-11-25";

/// A session over HTTP of a client that can be asked.
async fn session(server: &Listening) -> HeaderValue {
    let about = json!({"name": "test", "version": "1"});
    let params =
        json!({"protocolVersion": VERSION, "capabilities": everything(), "clientInfo": about});
    let first = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let response = post(server, &first).send().await.unwrap();
    let session = response.headers()["mcp-session-id"].clone();
    answer(response).await;
    session
}

/// Over HTTP, the call begins without a stream, which has to be there for the question.
#[tokio::test]
async fn a_question_over_http_comes_before_the_answer_of_its_call() {
    let server = serving(&server()).await;
    let session = session(&server).await;
    let send = |message: Json| {
        let request = post(&server, &message).header("mcp-session-id", &session);
        request.header("mcp-protocol-version", VERSION).send()
    };
    let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    send(said).await.unwrap();
    let listed = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    answer(send(listed).await.unwrap()).await;

    let params = json!({"name": "greet", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let called = soon(send(call)).await.unwrap();
    assert_eq!(called.headers()["content-type"], "text/event-stream");
    let mut events = called.bytes_stream();
    let mut heard = String::new();
    while !heard.contains("elicitation/create") {
        let event = soon(events.next()).await.unwrap().unwrap();
        heard.push_str(std::str::from_utf8(&event).unwrap());
    }
    let question = heard.lines().find(|line| line.contains("elicitation"));
    let question: Json =
        serde_json::from_str(question.unwrap().strip_prefix("data:").unwrap()).unwrap();
    let given = json!({"jsonrpc": "2.0", "id": question["id"], "result": given("Ada")});
    assert_eq!(send(given).await.unwrap().status(), 202);
    while !heard.contains("Hello, Ada!") {
        let event = soon(events.next()).await.unwrap().unwrap();
        heard.push_str(std::str::from_utf8(&event).unwrap());
    }
}

/// A client that leaves does not answer, and its tools do not wait for it.
#[tokio::test]
async fn a_session_that_ends_ends_the_questions() {
    let server = serving(&server()).await;
    let session = session(&server).await;
    let with = |request: reqwest::RequestBuilder| {
        let request = request.header("mcp-session-id", &session);
        request.header("mcp-protocol-version", VERSION).send()
    };
    let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    with(post(&server, &said)).await.unwrap();
    let params = json!({"name": "greet", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let called = soon(with(post(&server, &call))).await.unwrap();
    let end = toolpact_http::outgoing::client().build().unwrap();
    with(end.delete(server.url())).await.unwrap();
    soon(called.text()).await.ok();
    // There is one place for this tool, and it is free again.
    let again = async {
        loop {
            let asked = round(&server, &first("greet")).await;
            if asked["result"]["resultType"] == "input_required" {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    soon(again).await;
}

/// A tool that is tried again knows what it was told.
#[tokio::test]
async fn retries_do_not_ask_again() {
    let mut session = client(&server(), "2025-11-25", &everything()).await;
    let call = json!({"name": "stumble", "arguments": {}});
    session.begin("tools/call", call).await;
    let question = session.read().await;
    reply(&mut session, &question, given("Ada")).await;
    assert_eq!(text(&session.read().await), "Here, Ada.");
}

/// Who has no session is not asked as if they had one.
#[tokio::test]
async fn without_a_session_nobody_waits() {
    let server = serving(&server()).await;
    let mut params = first("whom");
    let version = "2025-11-25";
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version.into();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = post(&server, &body).header("mcp-protocol-version", version);
    let call = call
        .header("mcp-method", "tools/call")
        .header("mcp-name", "whom");
    let answered = answer(soon(call.send()).await.unwrap()).await;
    assert_eq!(text(&answered), "[false, false, false]");
}

/// The server may have answers of its own.
#[tokio::test]
async fn a_session_answers_for_clients_that_cannot() {
    struct Parrot;
    impl toolpact::elicitation::Responder for Parrot {
        fn can_ask(&self, what: Question) -> bool {
            what == Question::Model
        }
    }
    let registry = Registry::new();
    registry.add(whom::tool()).unwrap();
    let server = Server::builder(registry)
        .session(|session| session.answered_by(Parrot))
        .build()
        .unwrap();
    let mut client = client(&server, "2025-11-25", &json!({})).await;
    let answer = client.call("whom", json!({})).await;
    assert_eq!(text(&answer), "[false, true, false]");
}
