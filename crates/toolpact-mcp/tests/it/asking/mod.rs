//! Tools that ask their client something, or tell it.

mod log;
mod rounds;
mod sessions;
mod upstreams;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::http::{answer, modern_call};
use crate::support::{Client, Listening, listening, modern, soon};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolpact::call::{CallLimits, Retries};
use toolpact::code::SigningKey;
use toolpact::elicitation::{Prompt, Question};
use toolpact::session::LogLevel;
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
    let can = [Question::User, Question::Model, Question::Roots].map(|what| cx.can_ask(what));
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
    cx.log(LogLevel::Info, "quiet").await;
    cx.log(LogLevel::Error, "loud").await;
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
    cx.log(LogLevel::Info, "Listen.").await;
    name(cx, "name").await
}

fn server() -> Server {
    sealed(None)
}

fn sealed(key: Option<&str>) -> Server {
    let retries = Retries::new(2, std::time::Duration::from_millis(1));
    let limits = CallLimits::default().retries(retries).at_once(1).waiting(0);
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
        Some(key) => server.key(&SigningKey::new(key).unwrap()).build().unwrap(),
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

async fn serving(server: &Server) -> Listening {
    listening(server, Http::default(), Connections::default()).await
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
