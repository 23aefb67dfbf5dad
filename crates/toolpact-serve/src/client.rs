//! A client of the REST API, for those who call a server that runs.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client as Sender, RequestBuilder, Url};
use serde_json::{Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;

use crate::view::View;

/// A server that runs somewhere.
#[derive(Clone)]
pub struct Client {
    sender: Sender,
    base: Url,
    token: Option<HeaderValue>,
}

/// Why a server was not of use.
#[derive(Debug)]
pub struct ClientError(String);

impl Client {
    /// The server at an address, such as `http://127.0.0.1:7878`, and the token it asks for.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self, ClientError> {
        let base: Url = address.parse().map_err(|error| {
            ClientError(format!("expected an address, found `{address}`: {error}"))
        })?;
        if base.scheme() != "http" {
            let message = "expected an address that begins with `http://`";
            return Err(ClientError(message.to_owned()));
        }
        let token = token.map(|token| HeaderValue::from_str(&format!("Bearer {token}")));
        let mut token = token
            .transpose()
            .map_err(|_| ClientError("expected a token that HTTP can carry".to_owned()))?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        let sender = Sender::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build();
        let sender =
            sender.map_err(|error| ClientError(format!("HTTP cannot be used: {error}")))?;
        Ok(Self {
            sender,
            base,
            token,
        })
    }

    /// The contracts of all tools, under the names that calls use.
    pub async fn contracts(&self) -> Result<Vec<Contract>, ClientError> {
        let (status, text) = self
            .send(self.sender.get(self.at("/v1/exports/contract")))
            .await?;
        let list: Json = of_status(status, &text)?;
        let tools = list["tools"].as_array().cloned().unwrap_or_default();
        let read = |tool: &Json| {
            Contract::from_json(tool.to_string()).map_err(|wrong| {
                ClientError(format!("the server sent a contract that is none: {wrong}"))
            })
        };
        tools.iter().map(read).collect()
    }

    /// Makes a call. Returns whether it worked, and what came of it in the form that was asked for.
    pub async fn call(
        &self,
        tool: &str,
        args: &Value,
        view: View,
    ) -> Result<(bool, String), ClientError> {
        let name = Json::from(tool);
        let view = json!(view.as_str());
        let body = format!(r#"{{"name":{name},"args":{},"view":{view}}}"#, args.text());
        let request = self.sender.post(self.at("/v1/call"));
        let request = request.header(CONTENT_TYPE, "application/json").body(body);
        let (status, text) = self.send(request).await?;
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) && is_refusal(&text) {
            return Err(refused(status, &text));
        }
        Ok((status.is_success(), text))
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

    async fn send(&self, mut request: RequestBuilder) -> Result<(StatusCode, String), ClientError> {
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        let lost = |error: reqwest::Error| {
            let cause = error.source().map(ToString::to_string).unwrap_or_default();
            let base = &self.base;
            ClientError(format!(
                "the server at {base} cannot be reached: {cause}; `toolpact serve` starts one"
            ))
        };
        let response = request.send().await.map_err(lost)?;
        let status = response.status();
        Ok((status, response.text().await.map_err(lost)?))
    }
}

fn of_status(status: StatusCode, text: &str) -> Result<Json, ClientError> {
    if !status.is_success() {
        return Err(refused(status, text));
    }
    serde_json::from_str(text)
        .map_err(|_| ClientError("the server did not answer as a toolpact server does".to_owned()))
}

/// Whether the server itself has refused, rather than a tool.
fn is_refusal(text: &str) -> bool {
    let error: Option<Json> = serde_json::from_str(text).ok();
    error.is_some_and(|error| {
        error["message"]
            .as_str()
            .is_some_and(|m| m.starts_with("expected"))
    })
}

fn refused(status: StatusCode, text: &str) -> ClientError {
    let error: Json = serde_json::from_str(text).unwrap_or_default();
    let message = error["message"].as_str().unwrap_or("it says no more");
    ClientError(format!("the server refused ({status}): {message}"))
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
