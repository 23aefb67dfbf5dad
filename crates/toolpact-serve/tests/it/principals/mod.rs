//! What a principal has, no other can read, resume, end or see.

mod fuzz;
mod issuer;
mod ways;

use std::sync::Mutex;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::returns::{ChunkedData, EventStream};
use toolpact::{Context, Registry, ToolError, tool};
use toolpact_identity::{NewToken, TokenFile};
use toolpact_serve::{Config, Service};

use self::issuer::Issuer;
use crate::support::PATIENCE;

/// Says who calls.
#[tool(opaque, read_only)]
async fn who(cx: &Context) -> String {
    cx.principal().to_string()
}

/// Has more to say than is read at once.
#[tool(opaque, read_only)]
async fn talk(cx: &Context) -> String {
    format!("secret of {} ", cx.principal()).repeat(5000)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Word {
    word: String,
}

/// Asks for a word.
#[tool(opaque)]
async fn ask(cx: &Context) -> Result<String, ToolError> {
    let word = cx.ask_user::<Word>("word", "Which word?").await?;
    let nothing = || ToolError::not_allowed("Nothing was said.");
    Ok(format!(
        "{}: {}",
        cx.principal(),
        word.given().ok_or_else(nothing)?.word
    ))
}

/// Tells one event, and then waits.
#[tool]
async fn watch(cx: &Context) -> Result<EventStream<String>, ToolError> {
    let first = EventStream::new("first")?.with_id("1")?;
    cx.emit(&first.with_data(format!("secret of {}", cx.principal())))
        .await?;
    cx.cancelled().await;
    Ok(EventStream::new("last")?.with_id("2")?)
}

/// Waits until it is told to stop.
#[tool(opaque)]
async fn wait(cx: &Context) -> String {
    cx.cancelled().await;
    "stopped".to_owned()
}

/// The pieces of work that were begun, and whose they are.
static WORK: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Begins an operation, and returns its number.
#[tool(opaque)]
async fn begin(cx: &Context) -> String {
    let mut work = WORK.lock().unwrap();
    work.push(cx.principal().key());
    work.len().to_string()
}

/// How an operation is, if it is the caller's.
#[tool(opaque, read_only)]
async fn poll(number: String, cx: &Context) -> Result<String, ToolError> {
    is_theirs(&number, cx)?;
    Ok(format!("secret of {}", cx.principal()))
}

/// A chunk of what came of an operation, if it is the caller's.
#[tool(read_only)]
async fn chunk(number: String, cx: &Context) -> Result<ChunkedData, ToolError> {
    is_theirs(&number, cx)?;
    let content = format!("secret of {}", cx.principal()).into_bytes();
    Ok(ChunkedData::new(&number, 0, 1, content)?)
}

/// Tools that keep something have only the principal of their call to go by.
fn is_theirs(number: &str, cx: &Context) -> Result<(), ToolError> {
    let place = number.parse::<usize>().unwrap_or_default().wrapping_sub(1);
    let work = WORK.lock().unwrap();
    match work
        .get(place)
        .is_some_and(|of| *of == cx.principal().key())
    {
        true => Ok(()),
        false => Err(ToolError::not_found("There is no such operation.")),
    }
}

const NAMES: [&str; 3] = ["ada", "bob", "eve"];

/// Two who are called as another is, by an issuer, and in a tenant of it.
const NAMESAKES: [&str; 2] = ["ada of the issuer", "ada of acme"];

/// A server with these tools that knows three principals, and lets others in without a name.
struct House {
    url: String,
    client: Client,
    file: TokenFile,
    secrets: Vec<(String, String)>,
    stop: CancellationToken,
    _folder: tempfile::TempDir,
}

impl House {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = TokenFile::at(folder.path().join("tokens.json"));
        let add = |name: &&str| {
            let new = NewToken {
                name: (*name).to_owned(),
                groups: vec!["staff".to_owned()],
                ..NewToken::default()
            };
            ((*name).to_owned(), file.add(new).unwrap())
        };
        let mut secrets: Vec<_> = NAMES.iter().map(add).collect();
        let issuer = Issuer::new(&folder.path().join("keys.json"));
        for (name, claims) in NAMESAKES.iter().zip([json!({}), json!({"org": "acme"})]) {
            secrets.push(((*name).to_owned(), issuer.token("ada", claims)));
        }
        let path = folder.path().join("toolpact.yaml");
        let config = "listen: 127.0.0.1:0\nlimits: { call_ms: 600000 }\n\
                      identity:\n  tokens: tokens.json\n  anonymous: true\n  \
                      jwt: [{ issuer: https://login.example.com, audience: [tools], algorithms: [EdDSA], \
                      jwks: { file: keys.json }, claims: { tenant: org } }]\n";
        std::fs::write(&path, config).unwrap();
        let config = Config::from_file(&path).unwrap();
        let registry = Registry::new();
        registry.add(who::tool()).unwrap();
        registry.add(talk::tool()).unwrap();
        registry.add(ask::tool()).unwrap();
        registry.add(watch::tool()).unwrap();
        registry.add(wait::tool()).unwrap();
        registry.add(begin::tool()).unwrap();
        registry.add(poll::tool()).unwrap();
        registry.add(chunk::tool()).unwrap();
        let stop = CancellationToken::new();
        let listener = Service::bind(&config).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let builder = Service::builder().registry(registry).config(config);
        let service = builder.stop(stop.clone()).start().await.unwrap();
        tokio::spawn(async move { service.listen(listener).await.unwrap() });
        let client = toolpact_http::outgoing::client().no_proxy();
        Self {
            url,
            client: client.timeout(PATIENCE).build().unwrap(),
            file,
            secrets,
            stop,
            _folder: folder,
        }
    }

    /// A request of a principal: one of the names, or nobody.
    fn request(&self, who: &str, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match self.secrets.iter().find(|(name, _)| name == who) {
            Some((_, secret)) => request.bearer_auth(secret),
            None => request,
        }
    }

    async fn post(&self, who: &str, path: &str, body: &Json) -> (u16, String) {
        let request = self.request(who, Method::POST, path).body(body.to_string());
        read(request.send().await.unwrap()).await
    }

    /// A message of MCP, with headers.
    fn mcp(&self, who: &str, body: &Json, headers: &[(&str, &str)]) -> RequestBuilder {
        let request = self
            .request(who, Method::POST, "/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        let with =
            |request: RequestBuilder, (name, value): &(&str, &str)| request.header(*name, *value);
        headers.iter().fold(request, with).body(body.to_string())
    }

    /// A call of 2026-07-28.
    async fn modern(&self, who: &str, params: &Json) -> (u16, Json) {
        let mut params = params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        });
        let name = params["name"].as_str().unwrap().to_owned();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", name.as_str()),
        ];
        let (status, text) = read(self.mcp(who, &body, &headers).send().await.unwrap()).await;
        (status, last_message(&text))
    }

    /// Opens a session of MCP.
    async fn begin(&self, who: &str) -> String {
        let about = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let response = self.mcp(who, &body, &[]).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The status and the text; of a stream, what comes at once.
async fn read(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let kind = response.headers().get("content-type");
    let is_stream = kind.is_some_and(|kind| kind == "text/event-stream");
    match is_stream && status == 200 {
        true => {
            let mut response = response;
            let moment = Duration::from_millis(200);
            let first = tokio::time::timeout(moment, response.chunk()).await;
            let first = first.map_or_else(|_| None, |first| first.unwrap());
            let first = first.unwrap_or_default();
            (
                status,
                format!("stream: {}", String::from_utf8_lossy(&first)),
            )
        }
        false => (status, response.text().await.unwrap()),
    }
}

fn last_message(text: &str) -> Json {
    let mut events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let last = events.rfind(|data| !data.trim().is_empty());
    serde_json::from_str(last.unwrap_or(text)).unwrap_or_default()
}
