//! Tools that ask their client something.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::http::{answer, modern_call, post};
use crate::support::{Client, Listening, listening, modern, soon};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolpact::ask::{Ask, Prompt};
use toolpact::call::{Decision, Limits, Proposal, Retries};
use toolpact::code::Key;
use toolpact::session::Level;
use toolpact::{Context, Registry, ToolError, tool};
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http};

const SESSIONS: [&str; 2] = ["2025-06-18", "2025-11-25"];

#[derive(Debug, Deserialize, JsonSchema)]
struct Name {
    /// What to be called.
    name: String,
    #[expect(dead_code, reason = "only the form is of interest")]
    age: Option<u8>,
}

async fn name(cx: &Context, question: &str) -> Result<String, ToolError> {
    let answer = cx.ask_user::<Name>(question, "Who are you?").await?;
    let nobody = || ToolError::not_allowed("Nobody said who they are.");
    Ok(answer.given().ok_or_else(nobody)?.name)
}

/// Greets the user.
#[tool(opaque)]
async fn greet(cx: &Context, greeting: Option<String>) -> Result<String, ToolError> {
    let greeting = greeting.unwrap_or("Hello".to_owned());
    Ok(format!("{greeting}, {}!", name(cx, "name").await?))
}

/// Also greets the user.
#[tool(opaque)]
async fn salute(cx: &Context) -> Result<String, ToolError> {
    Ok(format!("Salute, {}!", name(cx, "name").await?))
}

/// Asks two people at once, and then a model.
#[tool(opaque)]
async fn match_up(cx: &Context) -> Result<String, ToolError> {
    let runs = cx.get::<AtomicUsize>();
    let runs = runs.map_or(0, |runs| runs.fetch_add(1, Ordering::SeqCst) + 1);
    let (one, other) = tokio::try_join!(name(cx, "one"), name(cx, "other"))?;
    let prompt = Prompt::new(format!("Do {one} and {other} match?"), 10).with_system("Be kind.");
    let said = cx.ask_model("match", &prompt).await?;
    Ok(format!("{one} and {other}: {} ({runs})", said.text))
}

/// Knows whom it can ask.
#[tool(opaque)]
async fn whom(cx: &Context) -> String {
    let can = [Ask::User, Ask::Model, Ask::Roots].map(|what| cx.can_ask(what));
    format!("{can:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Deep {
    #[expect(dead_code, reason = "nobody is asked")]
    person: Name,
}

/// Asks for more than a form can hold.
#[tool(opaque)]
async fn dig(cx: &Context) -> Result<String, ToolError> {
    cx.ask_user::<Deep>("deep", "Who?").await?;
    Ok("It could.".to_owned())
}

/// Talks while it works.
#[tool(opaque)]
async fn talk(cx: &Context) -> String {
    cx.log(Level::Info, "quiet").await;
    cx.log(Level::Error, "loud").await;
    "Done.".to_owned()
}

/// Asks something else each time.
#[tool(opaque)]
async fn waver(cx: &Context) -> Result<String, ToolError> {
    let runs = cx.get::<AtomicUsize>();
    let runs = runs.map_or(0, |runs| runs.fetch_add(1, Ordering::SeqCst) + 1);
    let message = format!("Really, {} times?", runs.min(2));
    let answer = cx.ask_user::<Name>("name", message).await?;
    Ok(format!("{answer:?}"))
}

/// Asks until it is content, on the thread of its caller.
#[tool(opaque, inline)]
async fn insist(cx: &Context) -> Result<String, ToolError> {
    loop {
        let name = name(cx, "name").await?;
        if name == "Ada" {
            return Ok("At last.".to_owned());
        }
    }
}

/// Asks, and fails at first.
#[tool(opaque, idempotent)]
async fn stumble(cx: &Context) -> Result<String, ToolError> {
    let name = name(cx, "name").await?;
    let runs = cx.get::<AtomicUsize>().unwrap();
    match runs.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::unavailable("Not now.")),
        _ => Ok(format!("Here, {name}.")),
    }
}

/// Says something before it asks.
#[tool(opaque)]
async fn announce(cx: &Context) -> Result<String, ToolError> {
    cx.log(Level::Info, "Listen.").await;
    name(cx, "name").await
}

fn server() -> Server {
    sealed(None)
}

fn sealed(key: Option<&str>) -> Server {
    let retries = Retries::new(2, std::time::Duration::from_millis(1));
    let limits = Limits::default().retries(retries).at_once(1).waiting(0);
    let registry = Registry::builder().limits(limits).build();
    registry.add(greet::tool()).unwrap();
    registry.add(waver::tool()).unwrap();
    registry.add(insist::tool()).unwrap();
    registry.add(stumble::tool()).unwrap();
    registry.add(announce::tool()).unwrap();
    registry.add(salute::tool()).unwrap();
    registry.add(match_up::tool()).unwrap();
    registry.add(whom::tool()).unwrap();
    registry.add(dig::tool()).unwrap();
    registry.add(talk::tool()).unwrap();
    let server = Server::builder(registry).session(|session| session.with(AtomicUsize::new(0)));
    match key {
        Some(key) => server.key(&Key::new(key).unwrap()).build().unwrap(),
        None => server.build().unwrap(),
    }
}

fn everything() -> Json {
    json!({"elicitation": {}, "sampling": {}, "roots": {}})
}

fn given(name: &str) -> Json {
    json!({"action": "accept", "content": {"name": name}})
}

fn text(answer: &Json) -> &str {
    let text = answer["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("{answer}"))
}

/// A client over lines that can be asked.
async fn client(server: &Server, version: &str, capabilities: &Json) -> Client {
    let mut client = Client::silent(server);
    let about = json!({"name": "test", "version": "1"});
    let params =
        json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": about});
    client.ask("initialize", params).await;
    let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    client.send(&said).await;
    client
}

async fn reply(client: &mut Client, question: &Json, result: Json) {
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    client.send(&answer).await;
}

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

async fn serving(server: &Server) -> Listening {
    listening(server, Http::default(), Connections::default()).await
}

/// Over HTTP, the call begins without the library, which has to be there for the question.
#[tokio::test]
async fn a_question_over_http_comes_before_the_answer_of_its_call() {
    let server = serving(&server()).await;
    let about = json!({"name": "test", "version": "1"});
    let version = "2025-11-25";
    let params =
        json!({"protocolVersion": version, "capabilities": everything(), "clientInfo": about});
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let begun = post(&server, &begin).send().await.unwrap();
    let session = begun.headers()["mcp-session-id"].to_owned();
    answer(begun).await;
    let send = |message: Json| {
        let request = post(&server, &message).header("mcp-session-id", &session);
        request.header("mcp-protocol-version", version).send()
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
    let about = json!({"name": "test", "version": "1"});
    let version = "2025-11-25";
    let params =
        json!({"protocolVersion": version, "capabilities": everything(), "clientInfo": about});
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let begun = post(&server, &begin).send().await.unwrap();
    let session = begun.headers()["mcp-session-id"].to_owned();
    answer(begun).await;
    let with = |request: reqwest::RequestBuilder| {
        let request = request.header("mcp-session-id", &session);
        request.header("mcp-protocol-version", version).send()
    };
    let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    with(post(&server, &said)).await.unwrap();
    let params = json!({"name": "greet", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let called = soon(with(post(&server, &call))).await.unwrap();
    let end = toolpact_mcp::outgoing::client().build().unwrap();
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

/// A call of 2026-07-28 with these parameters.
async fn round(server: &Listening, params: &Json) -> Json {
    let name = params["name"].as_str().unwrap();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = modern_call(server, name, &json!({})).body(body.to_string());
    answer(soon(call.send()).await.unwrap()).await
}

fn first(name: &str) -> Json {
    let mut params = json!({"name": name, "arguments": {}, "_meta": modern()});
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = everything();
    params
}

/// The next round: answers, and the state that came with the questions.
fn next(params: &Json, asked: &Json, answers: Json) -> Json {
    let mut params = params.clone();
    params["inputResponses"] = answers;
    params["requestState"] = asked["result"]["requestState"].clone();
    params
}

fn questions(answer: &Json) -> Vec<&str> {
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    let questions = answer["result"]["inputRequests"].as_object().unwrap();
    questions.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn without_a_session_the_client_calls_again() {
    let server = serving(&server()).await;
    let params = first("match_up");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["one", "other"]);
    // What is missing is asked again, and what was answered is not.
    let once = next(
        &params,
        &asked,
        json!({"one": given("Ada"), "else": given("Eve")}),
    );
    let asked = round(&server, &once).await;
    assert_eq!(questions(&asked), ["other"]);
    let twice = next(&params, &asked, json!({"other": given("Bob")}));
    let asked = round(&server, &twice).await;
    assert_eq!(questions(&asked), ["match"]);
    let content = json!([{"type": "text", "text": "Y"}, {"type": "text", "text": "es."}]);
    let said = json!({"role": "assistant", "model": "m", "content": content});
    let last = next(&params, &asked, json!({"match": said}));
    let answered = round(&server, &last).await;
    assert_eq!(answered["result"]["resultType"], "complete");
    // It has run four times, as it says: a tool asks before it does anything else.
    assert_eq!(text(&answered), "Ada and Bob: Yes. (4)");
}

/// A name that is asked again is another question, and a loop has an end.
#[tokio::test]
async fn a_tool_may_insist() {
    let server = serving(&server()).await;
    let params = first("insist");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["name"]);
    let again = next(&params, &asked, json!({"name": given("Bob")}));
    let asked = round(&server, &again).await;
    assert_eq!(questions(&asked), ["name#2"]);
    let again = next(&params, &asked, json!({"name#2": given("Ada")}));
    assert_eq!(text(&round(&server, &again).await), "At last.");
}

/// An answer is to a question as it was put.
#[tokio::test]
async fn what_reads_otherwise_is_asked_again() {
    let mut client = Client::silent(&server());
    let params = first("waver");
    let asked = client.ask("tools/call", params.clone()).await;
    let first = &asked["result"]["inputRequests"]["name"]["params"]["message"];
    assert_eq!(first, "Really, 1 times?");
    let again = next(&params, &asked, json!({"name": given("Ada")}));
    let asked = client.ask("tools/call", again).await;
    let second = &asked["result"]["inputRequests"]["name"]["params"]["message"];
    assert_eq!(second, "Really, 2 times?");
    let again = next(&params, &asked, json!({"name": given("Ada")}));
    let answered = client.ask("tools/call", again).await;
    assert!(text(&answered).contains("Ada"), "{answered}");
}

/// What was answered in an earlier round stays as it was.
#[tokio::test]
async fn an_answer_is_given_once() {
    let server = serving(&server()).await;
    let params = first("match_up");
    let asked = round(&server, &params).await;
    let both = json!({"one": given("Ada"), "other": given("Bob")});
    let asked = round(&server, &next(&params, &asked, both)).await;
    let content = json!({"type": "text", "text": "Yes."});
    let said = json!({"role": "assistant", "model": "m", "content": content});
    let last = next(&params, &asked, json!({"one": given("Eve"), "match": said}));
    let answered = round(&server, &last).await;
    assert!(
        text(&answered).starts_with("Ada and Bob: Yes."),
        "{answered}"
    );
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

/// What is told before a question comes before it.
#[tokio::test]
async fn a_log_comes_before_the_question() {
    let mut client = Client::silent(&server());
    for _ in 0..20 {
        let mut params = first("announce");
        params["_meta"]["io.modelcontextprotocol/logLevel"] = "info".into();
        assert_eq!(log(&mut client, params).await, ["info: Listen."]);
    }
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
    impl toolpact::ask::Client for Parrot {
        fn can_ask(&self, what: Ask) -> bool {
            what == Ask::Model
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

/// The same over lines.
#[tokio::test]
async fn lines_have_rounds_too() {
    let mut client = Client::silent(&server());
    let params = first("greet");
    let asked = client.ask("tools/call", params.clone()).await;
    assert_eq!(questions(&asked), ["name"]);
    let params = next(&params, &asked, json!({"name": given("Ada")}));
    let answered = client.ask("tools/call", params).await;
    assert_eq!(text(&answered), "Hello, Ada!");
}

#[tokio::test]
async fn answers_are_held_to_what_they_are_of() {
    let server = serving(&server()).await;
    for (said, expected) in [
        (
            json!(5),
            "expected `inputResponses.name` to be an object whose `action`",
        ),
        (
            json!({"action": "accept", "content": 5}),
            "expected `inputResponses.name`",
        ),
    ] {
        let mut params = first("greet");
        params["inputResponses"] = json!({"name": said});
        let refused = round(&server, &params).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
    }
    for wrong in [json!({"inputResponses": []}), json!({"requestState": 5})] {
        let mut params = first("greet");
        params
            .as_object_mut()
            .unwrap()
            .extend(wrong.as_object().unwrap().clone());
        let refused = round(&server, &params).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("`inputResponses`"), "{message}");
    }
    // One that does not fit the form is for the tool.
    let mut params = first("greet");
    params["inputResponses"] = json!({"name": {"action": "accept", "content": {"name": 5}}});
    let failed = round(&server, &params).await;
    assert!(text(&failed).contains("/name"), "{failed}");
}

/// What a client carries from round to round is bound to its call.
#[tokio::test]
async fn a_state_is_for_one_call_of_one_server() {
    let server = serving(&sealed(Some("a key of some length"))).await;
    let same = serving(&sealed(Some("a key of some length"))).await;
    let other = serving(&sealed(Some("another of some length"))).await;
    let by_chance = serving(&sealed(None)).await;
    let params = first("greet");
    let asked = round(&server, &params).await;
    let good = next(&params, &asked, json!({"name": given("Ada")}));
    for server in [&server, &same] {
        assert_eq!(text(&round(server, &good).await), "Hello, Ada!");
    }
    let mut tampered = good.clone();
    tampered["requestState"] = format!("{}x", good["requestState"].as_str().unwrap()).into();
    let mut changed = good.clone();
    let state = good["requestState"].as_str().unwrap();
    // Another letter in the middle of what is sealed.
    let middle = state.len() / 2;
    let letter = if &state[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    let state = format!("{}{letter}{}", &state[..middle], &state[middle + 1..]);
    changed["requestState"] = state.into();
    let mut elsewhere = good.clone();
    elsewhere["name"] = "salute".into();
    let mut otherwise = good.clone();
    otherwise["arguments"] = json!({"greeting": "Bye"});
    let mut empty = good.clone();
    empty["requestState"] = "".into();
    for (server, params) in [
        (&server, tampered),
        (&server, changed),
        (&server, elsewhere),
        (&server, otherwise),
        (&server, empty),
        (&other, good.clone()),
        (&by_chance, good),
    ] {
        let refused = round(server, &params).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("call again without it"), "{message}");
    }
}

/// A guard asks before the tool runs, and so the tool runs once.
#[tokio::test]
async fn a_user_approves_of_a_call() {
    let guard = |_: &Proposal<'_>| Decision::AskCaller("Sure?".to_owned());
    let registry = Registry::builder().guard(guard).build();
    registry.add(whom::tool()).unwrap();
    let server = serving(&Server::new(registry).unwrap()).await;
    let params = first("whom");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["toolpact/approval"]);
    for (approve, expected) in [(true, "[true, true, true]"), (false, "needs an approval")] {
        let said = json!({"action": "accept", "content": {"approve": approve}});
        let again = next(&params, &asked, json!({"toolpact/approval": said}));
        let answered = round(&server, &again).await;
        assert!(text(&answered).contains(expected), "{answered}");
    }
}

/// The lines of the log that come before the answer of a call.
async fn log(client: &mut Client, params: Json) -> Vec<String> {
    let call = client.begin("tools/call", params).await;
    let mut lines = Vec::new();
    loop {
        let told = client.read().await;
        if told["id"] == call {
            return lines;
        }
        assert_eq!(told["method"], "notifications/message", "{told}");
        let (level, data) = (&told["params"]["level"], &told["params"]["data"]);
        lines.push(format!(
            "{}: {}",
            level.as_str().unwrap(),
            data.as_str().unwrap()
        ));
    }
}

#[tokio::test]
async fn a_client_reads_the_log_from_the_level_that_it_sets() {
    for version in SESSIONS {
        let mut client = client(&server(), version, &json!({})).await;
        let call = || json!({"name": "talk", "arguments": {}});
        assert!(log(&mut client, call()).await.is_empty());
        client
            .ask("logging/setLevel", json!({"level": "debug"}))
            .await;
        assert_eq!(
            log(&mut client, call()).await,
            ["info: quiet", "error: loud"]
        );
        client
            .ask("logging/setLevel", json!({"level": "warning"}))
            .await;
        assert_eq!(log(&mut client, call()).await, ["error: loud"]);
        let wrong = client
            .ask("logging/setLevel", json!({"level": "loud"}))
            .await;
        assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    }
}

#[tokio::test]
async fn without_a_session_each_call_says_what_it_wants_of_the_log() {
    let mut client = Client::silent(&server());
    let mut params = first("talk");
    assert!(log(&mut client, params.clone()).await.is_empty());
    params["_meta"]["io.modelcontextprotocol/logLevel"] = "error".into();
    assert_eq!(log(&mut client, params.clone()).await, ["error: loud"]);
    // And over HTTP, where such a call is not quick.
    let server = serving(&server()).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = modern_call(&server, "talk", &json!({})).body(body.to_string());
    let heard = soon(call.send()).await.unwrap().text().await.unwrap();
    assert!(
        heard.contains("loud") && !heard.contains("quiet"),
        "{heard}"
    );
    let mut level = json!({"level": "info", "_meta": modern()});
    level["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let refused = client.ask("logging/setLevel", level).await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
}

/// A tool that waits for an answer that cannot come any more is stopped.
#[tokio::test]
async fn tools_are_dropped_at_their_questions() {
    let runs = Arc::new(AtomicUsize::new(0));
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    /// Counts when it is dropped.
    #[tool(opaque)]
    async fn counted(cx: &Context) -> Result<String, ToolError> {
        let counts = cx
            .get::<Arc<AtomicUsize>>()
            .map(|runs| Counts(Arc::clone(&runs)));
        let name = name(cx, "name").await;
        drop(counts);
        name
    }
    let registry = Registry::new();
    registry.add(counted::tool()).unwrap();
    let shared = Arc::clone(&runs);
    let server = Server::builder(registry)
        .session(move |session| session.with(Arc::clone(&shared)))
        .build()
        .unwrap();
    let listening = serving(&server).await;
    for _ in 0..5 {
        questions(&round(&listening, &first("counted")).await);
    }
    let all = async {
        while runs.load(Ordering::SeqCst) < 5 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    soon(all).await;
}
