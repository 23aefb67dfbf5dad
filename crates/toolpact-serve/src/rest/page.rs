//! What a person sees who opens the server in a browser.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{ACCEPT, AUTHORIZATION, HOST};
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;
use serde_json::{Value as Json, json};
use toolpact::Session;
use toolpact::mock::Mock;
use toolpact_docs::Docs;
use toolpact_docs::html::{self, PALETTE, escaped};

use super::App;
use super::documents::{self, DocumentReply, Kind, Made, contracts};
use super::raw::quality;
use super::reply::{Failure, Html, Reply, html_document};
use super::sender::Sender;
use crate::sources::{Health, SourceState};

const STYLE: &str = include_str!("page.css");

/// Nothing is loaded, and nothing runs.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// What is where.
const LINKS: [(&str, &str, &str); 6] = [
    ("docs", "/v1/docs", "the tools, for people"),
    ("contracts", "/v1/contracts", "the tools, for programs"),
    ("openapi", "/v1/openapi.json", "the REST API"),
    ("health", "/v1/health", "the state of the sources"),
    ("metrics", "/v1/metrics", "for Prometheus"),
    (
        "stubs",
        "/v1/stubs?lang=python",
        "the tools as Python declarations",
    ),
];

/// `GET /`
pub(super) async fn page(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let accept = headers.get_all(ACCEPT).iter();
    let accept: Vec<&str> = accept.filter_map(|value| value.to_str().ok()).collect();
    let accept = accept.join(",");
    let mut response = match quality(&accept, "application/json") > quality(&accept, "text/html") {
        true => Reply(overview(&app, app.tools(&principal).len())).into_response(),
        false => {
            let tools = documents::get(&app, &principal, Kind::ToolList, list).await?;
            let count = app.tools(&principal).len();
            Html(document(&app, count, &headers, &tools.bytes)).into_response()
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// `GET /v1/docs`
pub(super) async fn docs(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
) -> Result<DocumentReply<Html>, Failure> {
    let document = documents::get(&app, &principal, Kind::Docs, write_docs).await?;
    Ok(document.reply(&headers, html_document))
}

#[expect(clippy::unnecessary_wraps, reason = "other documents can fail")]
fn write_docs(session: &Session, _: Kind) -> Made {
    Ok(html::whole(&Docs::of("Tools", &contracts(session))).into_bytes())
}

#[expect(clippy::unnecessary_wraps, reason = "other documents can fail")]
/// The number of tools, and what each is for.
fn list(session: &Session, _: Kind) -> Made {
    let docs = Docs::of("Tools", &contracts(session));
    let tools = docs.pages().iter().map(|page| {
        let (slug, name) = (escaped(&page.slug), escaped(&page.name));
        let about = escaped(&page.about.summary().to_string());
        format!(
            "<li><a href=\"/v1/docs#{slug}\"><code>{name}</code></a> <small>{about}</small></li>\n"
        )
    });
    let tools: String = tools.collect();
    Ok(format!("<h2>Tools</h2>\n<ul class=\"tools\">\n{tools}</ul>\n").into_bytes())
}

#[derive(Serialize)]
struct Overview {
    name: &'static str,
    version: &'static str,
    tools: usize,
    /// Whether nothing runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mock: bool,
    mcp: &'static str,
    links: Json,
}

fn overview(app: &App, tools: usize) -> Overview {
    let links = LINKS
        .iter()
        .map(|(name, path, _)| ((*name).to_owned(), (*path).into()));
    Overview {
        name: "toolpact",
        version: env!("CARGO_PKG_VERSION"),
        tools,
        mock: app.supervisor.mock().is_some(),
        mcp: "/mcp",
        links: Json::Object(links.collect()),
    }
}

fn document(app: &App, count: usize, headers: &HeaderMap, tools: &[u8]) -> String {
    let links = LINKS.iter().map(|(name, path, about)| {
        format!("<li><a href=\"{path}\">{name}</a> <small>{about}</small></li>\n")
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>toolpact</title>\n<style>{PALETTE}{STYLE}</style>\n</head>\n<body>\n\
         <h1>toolpact <small>{version}</small></h1>\n\
         <p>This server has {count}, over MCP at <code>/mcp</code> and as a REST API under \
         <code>/v1</code>.</p>\n{mock}\
         <ul class=\"links\">\n{links}</ul>\n{connect}{sources}\
         {tools}</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        count = counted(count),
        links = links.collect::<String>(),
        mock = app.supervisor.mock().map_or(String::new(), mocked),
        connect = connect(headers),
        sources = sources(&app.supervisor.health()),
        tools = String::from_utf8_lossy(tools),
    )
}

fn mocked(mock: &Mock) -> String {
    let more = match mock.all.is_quiet() && mock.tools.is_empty() {
        true => "",
        false => ", with errors, delays or broken results as its config says",
    };
    format!(
        "<p class=\"mock\"><strong>This is a mock:</strong> answers are made from the contracts (seed {}){more}; \
         no tool runs.</p>\n",
        mock.seed
    )
}

/// How an MCP client finds the server: as this browser did.
fn connect(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let url = format!("http://{}/mcp", host.unwrap_or("127.0.0.1:7878"));
    let mut server = json!({"type": "http", "url": url});
    if headers.contains_key(AUTHORIZATION) {
        server["headers"] = json!({"Authorization": "Bearer …"});
    }
    let config = json!({"mcpServers": {"toolpact": server}});
    let config = serde_json::to_string_pretty(&config).unwrap_or_default();
    format!(
        "<h2>Connect an MCP client</h2>\n\
         <p>Streamable HTTP at <code>{}</code>. In a config of servers:</p>\n\
         <pre>{}</pre>\n\
         <p>Behind a proxy with TLS, the address begins with <code>https</code>.</p>\n",
        escaped(&url),
        escaped(&config)
    )
}

fn sources(sources: &[Health]) -> String {
    let rows = sources.iter().map(|source| {
        let state = match source.state {
            SourceState::Starting => "starting",
            SourceState::Ready => "ready",
            SourceState::Failing => "failing",
        };
        let why = source.why.map(|why| format!(": {}", escaped(why)));
        let left_out = match (source.left_out, &*source.reasons) {
            (0, _) => String::new(),
            (number, []) => format!(", {number} left out"),
            (number, reasons) => {
                let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                format!(", {number} left out: {}", escaped(&reasons.join("; ")))
            }
        };
        format!(
            "<tr class=\"{state}\"><th><code>{}</code></th><td>{state}{}</td><td>{}{left_out}</td></tr>\n",
            escaped(&source.source),
            why.unwrap_or_default(),
            counted(source.tools)
        )
    });
    let rows: String = rows.collect();
    match rows.is_empty() {
        true => rows,
        false => format!("<h2>Sources</h2>\n<table>\n{rows}</table>\n"),
    }
}

fn counted(tools: usize) -> String {
    match tools {
        1 => "1 tool".to_owned(),
        tools => format!("{tools} tools"),
    }
}
