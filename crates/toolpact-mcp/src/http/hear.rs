//! What is done with a request that may be made.

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use tokio::sync::OwnedMutexGuard;
use toolpact::core::json::Value;

use super::quick::Reader;
use super::service::{Body, HEARD, HttpService};
use super::{Refusal, body, news};
use crate::server::message::{self, Said};
use crate::server::{Clients, Sent};

/// The header that says up to which event a client was told.
const LAST_EVENT: &str = "last-event-id";

impl HttpService {
    /// Answers somebody who may ask.
    pub(super) async fn answer<B>(&self, parts: Parts, body: B) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if self.0.stop.is_cancelled() {
            let message = "The server has come to its end.";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        match parts.method {
            Method::POST => {
                let http = &self.0.http;
                let body = body::read(body, http.body_bytes, http.body_time).await?;
                self.hear(parts, body).await
            }
            Method::GET => Ok(self.tell_more(parts).await),
            Method::DELETE => {
                let session = session(&parts).to_owned();
                let response = self.pass(parts, Bytes::new()).await;
                if response.status().is_success() {
                    self.0.clients.remove(&session);
                }
                Ok(response)
            }
            _ => Ok(self.pass(parts, Bytes::new()).await),
        }
    }

    /// Answers a message.
    async fn hear(&self, mut parts: Parts, body: Bytes) -> Result<Response<Body>, Refusal> {
        let (said, message) = message::look(&body).map_err(Refusal::of_message)?;
        match said {
            Said::Call => return Ok(self.call(&message, parts, body).await),
            Said::Listen => return Ok(self.tell(parts, body).await),
            Said::Initialize => {
                let _turn = self.begin().await?;
                return Ok(self.pass(parts, body).await);
            }
            Said::Initialized => {
                parts.extensions.insert(self.0.clients.clone());
            }
            Said::Cancelled => self.cancel(&message, &parts),
            Said::Other => {}
        }
        Ok(self.pass(parts, body).await)
    }

    /// Cancels a call that the library may not have heard of. It is told as well.
    fn cancel(&self, message: &Value, parts: &Parts) {
        let id = message
            .root()
            .get("params")
            .and_then(|p| p.get("requestId"));
        let id = id.and_then(message::request_id);
        if let (Some(id), Some(known)) = (id, self.0.clients.get(session(parts))) {
            known.cancel(&id);
        }
    }

    /// Answers a call, soon or through the library.
    async fn call(&self, message: &Value, mut parts: Parts, body: Bytes) -> Response<Body> {
        let reader = Reader {
            shared: &self.0.shared,
            clients: &self.0.clients,
            heard: self.0.http.idle / HEARD,
            stop: &self.0.stop,
        };
        if let Some(quick) = reader.read(message.root(), &parts.headers) {
            match quick.make().await {
                Ok(response) => return response,
                Err(begun) => drop(parts.extensions.insert(begun)),
            }
        }
        let body = Sent::aside(&self.0.shared, message, body, &mut parts);
        self.pass(parts, body).await
    }

    /// Answers with news, or with the rest of an answer to a client that has come back for it.
    async fn tell_more(&self, parts: Parts) -> Response<Body> {
        let place = parts.headers.get(LAST_EVENT);
        // An event is named by its place and, if it belongs to an answer, the number of that: `3/7`.
        match place.is_some_and(|place| place.as_bytes().contains(&b'/')) {
            true => self.pass(parts, Bytes::new()).await,
            false => self.tell(parts, Bytes::new()).await,
        }
    }

    /// Answers with a stream of news.
    async fn tell(&self, parts: Parts, body: Bytes) -> Response<Body> {
        let answer = self.pass(parts, body).await;
        answer.map(|body| news::until(body, self.0.draining.clone()))
    }

    /// Lets the library answer.
    async fn pass(&self, parts: Parts, body: Bytes) -> Response<Body> {
        let request = Request::from_parts(parts, Full::new(body));
        self.0.service.handle(request).await
    }

    /// Waits for the turn to begin a session, if there is room for one more.
    async fn begin(&self) -> Result<OwnedMutexGuard<()>, Refusal> {
        let turn = Arc::clone(&self.0.beginning).lock_owned().await;
        match self.sessions().await < self.0.http.sessions {
            true => Ok(turn),
            false => Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "There are too many sessions. Close one, or try again later.",
            )),
        }
    }
}

/// The session of a request.
fn session(parts: &Parts) -> &str {
    let session = parts.headers.get(Clients::HEADER);
    session
        .and_then(|session| session.to_str().ok())
        .unwrap_or_default()
}
