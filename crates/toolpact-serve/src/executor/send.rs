//! Requests on their way, within limits.

use std::sync::Arc;
use std::time::Duration;

use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Client, Response, Url};
use toolpact::ToolError;
use toolpact::core::memory::{MemoryBudget, MemoryShare};
use toolpact::core::returns::ErrorKind;
use toolpact_http::outgoing::{self, BodyError};
use tracing::Instrument as _;

use super::hosts::Hosts;
use super::request::Request;
use super::span;

/// What a call may ask and take.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub(super) hosts: Hosts,
    pub(super) time: Duration,
    pub(super) bytes: usize,
    pub(super) redirects: u8,
}

/// What a server answered.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) json: bool,
    pub(super) body: Vec<u8>,
    /// What the body takes of the memory for answers.
    pub(super) _share: Option<MemoryShare>,
}

/// Sends requests. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Sender {
    client: Client,
    /// For answers that are being read.
    memory: Arc<MemoryBudget>,
}

impl Sender {
    /// Redirects are followed here, where the list of hosts is known.
    pub(crate) fn new(memory: &Arc<MemoryBudget>) -> Result<Self, String> {
        let client = outgoing::client().no_proxy().build();
        let client = client.map_err(|error| format!("HTTP cannot be used: {error}"))?;
        let memory = Arc::clone(memory);
        Ok(Self { client, memory })
    }

    pub(super) async fn send(
        &self,
        mut request: Request,
        limits: &Limits,
    ) -> Result<Answer, ToolError> {
        let span = span::new(&request);
        let sending = async {
            span::pass_on(&mut request.headers);
            match tokio::time::timeout(limits.time, self.follow(request, limits)).await {
                Ok(answer) => answer,
                Err(_) => Err(ToolError::new(
                    ErrorKind::DependencyTimedOut,
                    "The server behind this tool did not answer in time.",
                )),
            }
        };
        let answer = sending.instrument(span.clone()).await;
        span::end(&span, &answer);
        answer
    }

    async fn follow(&self, mut request: Request, limits: &Limits) -> Result<Answer, ToolError> {
        for redirected_to in 0..=limits.redirects {
            if !limits.hosts.allow(&request.url) {
                return Err(astray(&request.url));
            }
            let response = self.ask(&request).await;
            let response = response.map_err(|error| match redirected_to {
                0 => not_sent(error, &request.url),
                _ => lost(error),
            })?;
            match next(&request, &response) {
                Some(url) if is_downgrade(&request.url, &url) => return Err(astray(&url)),
                Some(url) => request = redirected(request, url),
                None => return read(response, limits.bytes, &self.memory).await,
            }
        }
        let why = "it redirects more often than `redirects` allows";
        Err(ToolError::unavailable(NOT_USABLE).with_source(why))
    }

    async fn ask(&self, request: &Request) -> Result<Response, reqwest::Error> {
        let mut asking = self
            .client
            .request(request.method.clone(), request.url.clone())
            .headers(request.headers.clone());
        if let Some(body) = &request.body {
            asking = asking.body(body.clone());
        }
        asking.send().await
    }
}

const NOT_USABLE: &str = "The server behind this tool gave an answer that cannot be used.";

const UNREACHABLE: &str = "The server behind this tool cannot be reached.";

/// Where a request is sent on to. What changes something is not sent twice.
fn next(request: &Request, response: &Response) -> Option<Url> {
    let moved = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let safe = matches!(request.method, Method::GET | Method::HEAD);
    let location = response.headers().get(LOCATION).filter(|_| moved && safe)?;
    request.url.join(location.to_str().ok()?).ok()
}

/// What was asked for in secret is not asked for in public.
fn is_downgrade(from: &Url, to: &Url) -> bool {
    from.scheme() == "https" && to.scheme() != "https"
}

/// The same request elsewhere. Headers are for those they were meant for.
fn redirected(request: Request, url: Url) -> Request {
    let same = request.url.origin() == url.origin();
    let headers = if same {
        request.headers
    } else {
        HeaderMap::new()
    };
    Request {
        url,
        headers,
        ..request
    }
}

async fn read(
    response: Response,
    most: usize,
    memory: &Arc<MemoryBudget>,
) -> Result<Answer, ToolError> {
    let status = response.status();
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let json = content_type.is_some_and(is_json);
    let body = outgoing::read_body_within(response, most, memory).await;
    let (body, share) = body.map_err(|error| match error {
        BodyError::Lost(error) => lost(error),
        error @ BodyError::TooLong(_) => ToolError::unavailable(NOT_USABLE).with_source(error),
        error @ BodyError::NoMemory => ToolError::no_memory().with_source(error),
    })?;
    Ok(Answer {
        status,
        json,
        body,
        _share: share,
    })
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    essence == "application/json" || essence.ends_with("+json")
}

fn astray(url: &Url) -> ToolError {
    let host = url.host_str().unwrap_or_default();
    let why = format!(
        "`{}://{host}` is not where it may ask: see `allow_hosts`",
        url.scheme()
    );
    ToolError::unavailable(NOT_USABLE).with_source(why)
}

/// Before there is a connection, nothing can have been done.
fn not_sent(error: reqwest::Error, url: &Url) -> ToolError {
    if !error.is_connect() {
        return lost(error);
    }
    // Where it is, only operators need to know.
    let (place, causes) = (outgoing::authority(url), outgoing::causes(error));
    ToolError::unavailable(UNREACHABLE)
        .with_detail("request_sent", false)
        .with_source(format!("{place}: {causes}"))
}

/// The address may be told to the logs, but not what is in its query.
fn lost(error: reqwest::Error) -> ToolError {
    ToolError::unavailable(UNREACHABLE).with_source(outgoing::causes(error))
}
