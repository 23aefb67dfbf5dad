//! A client of the REST API, for those who call a server that runs.

mod approvals;
mod streaming;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client as Sender, RequestBuilder, Response, Url};
use serde_json::Value as Json;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact_http::outgoing::{self, BodyError};

pub use streaming::StreamedCall;

use crate::rest::OUTCOME;
use crate::view::View;

/// The answer to a call is lost, and not what the call has done.
const AFTER_A_CALL: &str = "; the call may have taken effect";

/// Most bytes of the answer to a call, or of all its events: four times what a tool may return (`result_bytes`), since
/// JSON can be escaped in JSON.
const CALL: usize = 64 << 20;
/// Most bytes of a list of all tools, of which there may be many.
const LIST: usize = 256 << 20;

/// A server that runs somewhere.
#[derive(Clone)]
pub struct Client {
    sender: Sender,
    base: Url,
    token: Option<HeaderValue>,
    call_bytes: usize,
}

/// What a server answered.
struct Answer {
    status: StatusCode,
    /// Whether a call was made.
    is_outcome: bool,
    text: String,
}

/// Why a server was not of use.
#[derive(Debug)]
pub struct ClientError(String);

impl Client {
    /// The server at an address, such as `http://127.0.0.1:7878` or `127.0.0.1:7878`, and the token it
    /// asks for.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self, ClientError> {
        let base: Url = with_scheme(address).parse().map_err(|error| {
            // Of a word without a scheme, it would say that a base is missing.
            let why = match address.contains("://") {
                true => format!(": {error}"),
                false => String::new(),
            };
            ClientError(format!(
                "expected an address such as `http://127.0.0.1:7878`, or a port, found `{address}`{why}"
            ))
        })?;
        if !matches!(base.scheme(), "http" | "https") {
            let message = "expected an address that begins with `http://` or `https://`";
            return Err(ClientError(message.to_owned()));
        }
        let token = token.map(|token| HeaderValue::from_str(&format!("Bearer {token}")));
        let mut token = token
            .transpose()
            .map_err(|_| ClientError("expected a token that HTTP can carry".to_owned()))?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        let sender = outgoing::client()
            .connect_timeout(Duration::from_secs(10))
            .no_proxy()
            .build();
        let sender =
            sender.map_err(|error| ClientError(format!("HTTP cannot be used: {error}")))?;
        Ok(Self {
            sender,
            base,
            token,
            call_bytes: CALL,
        })
    }

    /// Most bytes of the answer to a call, of all its events together: 64 MiB without this. A longer one is an error.
    #[must_use]
    pub fn call_bytes(mut self, bytes: usize) -> Self {
        self.call_bytes = bytes;
        self
    }

    /// Its address, with a path on it or `/` alone.
    #[must_use]
    pub fn address(&self) -> &str {
        self.base.as_str()
    }

    /// Where a toolpact server at this address speaks MCP.
    #[must_use]
    pub fn mcp_address(&self) -> String {
        self.at("/mcp").into()
    }

    /// Whether a toolpact server is there: `None` if it is, else what the server that is there
    /// answered. One that asks for a token may be.
    pub async fn foreign(&self) -> Result<Option<String>, ClientError> {
        let answer = self
            .send(self.sender.get(self.at("/v1/health")), "")
            .await?;
        let is_locked = matches!(
            answer.status,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
        );
        let json: Json = serde_json::from_str(&answer.text).unwrap_or_default();
        let is_ours = is_locked || json["status"].is_string() && json["version"].is_string();
        Ok((!is_ours).then(|| format!("GET /v1/health is answered {}", answer.status)))
    }

    /// The contracts of all tools, under the names that calls use.
    pub async fn contracts(&self) -> Result<Vec<Contract>, ClientError> {
        let asking = self.sender.get(self.at("/v1/exports/contract"));
        let list = list(&self.send(asking, "").await?)?;
        let tools = list["tools"].as_array().cloned().unwrap_or_default();
        let read = |tool: &Json| {
            Contract::from_json(tool.to_string()).map_err(|wrong| {
                ClientError(format!("the server sent a contract that is none: {wrong}"))
            })
        };
        tools.iter().map(read).collect()
    }

    /// The digests of the contracts of all tools, with the names that calls use. A digest is that of the
    /// contract in its source, in which a tool has its name without that of the source.
    pub async fn digests(&self) -> Result<Vec<(String, String)>, ClientError> {
        let asking = self.sender.get(self.at("/v1/contracts"));
        let list = list(&self.send(asking, "").await?)?;
        let tools = list["contracts"].as_array().cloned().unwrap_or_default();
        let text = |tool: &Json, key: &str| tool[key].as_str().unwrap_or_default().to_owned();
        let tools = tools.iter();
        Ok(tools
            .map(|tool| (text(tool, "name"), text(tool, "digest")))
            .collect())
    }

    /// Makes a call. Returns whether it worked, and what came of it in the form that was asked for.
    pub async fn call(
        &self,
        tool: &str,
        args: &Value,
        view: View,
    ) -> Result<(bool, String), ClientError> {
        let request = self.sender.post(self.at("/v1/call"));
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(call_body(tool, args, view));
        let answer = self
            .send_for(request, AFTER_A_CALL, self.call_bytes)
            .await?;
        match answer.is_outcome {
            true => Ok((answer.status.is_success(), answer.text)),
            false => Err(refused(&answer)),
        }
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

    async fn send(&self, request: RequestBuilder, after: &str) -> Result<Answer, ClientError> {
        self.send_for(request, after, LIST).await
    }

    /// For an answer of at most so many bytes.
    async fn send_for(
        &self,
        request: RequestBuilder,
        after: &str,
        most: usize,
    ) -> Result<Answer, ClientError> {
        let response = self.begin(request, after).await?;
        let answer = Answer::read(response, most).await;
        answer.map_err(|error| self.unread(error, after))
    }

    /// What is to be said `after` a connection was lost depends on what was asked.
    async fn begin(
        &self,
        mut request: RequestBuilder,
        after: &str,
    ) -> Result<Response, ClientError> {
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        let response = request.send().await;
        response.map_err(|error| self.lost(error, after))
    }

    /// Why an answer was not read.
    fn unread(&self, error: BodyError, after: &str) -> ClientError {
        match error {
            BodyError::Lost(error) => self.lost(error, after),
            error @ (BodyError::TooLong(_) | BodyError::NoMemory) => ClientError(format!(
                "{}: {error}{after}",
                outgoing::authority(&self.base)
            )),
        }
    }

    /// Before there is a connection, nothing was asked.
    fn lost(&self, error: reqwest::Error, after: &str) -> ClientError {
        let address = outgoing::authority(&self.base);
        let (refused, sent) = (outgoing::is_refused(&error), !error.is_connect());
        let cause = outgoing::causes(error);
        ClientError(match (refused, sent) {
            (true, _) => format!(
                "{address} refused the connection: no server is there; `toolpact serve` starts one"
            ),
            (_, false) => format!("the server at {address} cannot be reached: {cause}"),
            (_, true) => format!("the connection to {address} was lost: {cause}{after}"),
        })
    }
}

impl Answer {
    async fn read(response: Response, most: usize) -> Result<Self, BodyError> {
        let status = response.status();
        let is_outcome = response.headers().contains_key(OUTCOME);
        let body = outgoing::read_body(response, most).await?;
        Ok(Self {
            status,
            is_outcome,
            text: String::from_utf8_lossy(&body).into_owned(),
        })
    }
}

/// A host with a port is one of HTTP.
fn with_scheme(address: &str) -> Cow<'_, str> {
    let port = address.strip_prefix(':').unwrap_or(address);
    if port.parse::<u16>().is_ok() {
        return format!("http://127.0.0.1:{port}").into();
    }
    let is_host = !address.contains("://") && address.contains(':') && !address.starts_with(':');
    match is_host {
        true => format!("http://{address}").into(),
        false => address.into(),
    }
}

fn call_body(tool: &str, args: &Value, view: View) -> String {
    let (name, view) = (Json::from(tool), Json::from(view.as_str()));
    format!(r#"{{"name":{name},"args":{},"view":{view}}}"#, args.text())
}

fn list(answer: &Answer) -> Result<Json, ClientError> {
    if !answer.status.is_success() {
        return Err(refused(answer));
    }
    serde_json::from_str(&answer.text)
        .map_err(|_| ClientError("the server did not answer as a toolpact server does".to_owned()))
}

/// What the server itself says no to, rather than a tool.
fn refused(answer: &Answer) -> ClientError {
    let error: Json = serde_json::from_str(&answer.text).unwrap_or_default();
    let message = error["message"].as_str().unwrap_or("it says no more");
    let how = match answer.status {
        StatusCode::UNAUTHORIZED => "; name the environment variable with it by --auth-token-env",
        _ => "",
    };
    ClientError(format!(
        "the server refused ({}): {message}{how}",
        answer.status
    ))
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ClientError {}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Client;

    #[test]
    fn a_port_is_one_of_this_machine() {
        for (address, expected) in [
            ("9000", "http://127.0.0.1:9000/"),
            (":9000", "http://127.0.0.1:9000/"),
            ("localhost:9000", "http://localhost:9000/"),
            ("https://tools.example/x", "https://tools.example/x"),
        ] {
            let client = Client::new(address, None).map_err(|error| error.to_string());
            assert_eq!(client.unwrap().address(), expected);
        }
        for (address, expected) in [
            ("nowhere", "or a port, found `nowhere`"),
            ("99999", "or a port, found `99999`"),
            ("http://[", "found `http://[`: invalid IPv6 address"),
        ] {
            let error = Client::new(address, None).err().unwrap();
            assert!(error.to_string().ends_with(expected), "{error}");
        }
    }
}
