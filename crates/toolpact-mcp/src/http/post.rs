//! Messages of clients, and how they are answered: with JSON if the answer is there soon and nothing
//! comes before it, else with a stream of events.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Empty, Full};
use tokio_util::sync::CancellationToken;
use toolpact_http::{HeldBody, Owner, principal_of};

use super::Refusal;
use super::events::{EventBody, EventStream, Held};
use super::headers;
use super::service::{Body, HttpService};
use super::sessions::HttpSession;
use crate::rpc::{self, ErrorCode, Id, Kind, Message, Method};
use crate::server::dispatch::{self, Answer, Origin, PendingAnswer};
use crate::server::{Client, Described, Transport};

/// How long a client waits for a stream to begin.
const SOON: Duration = Duration::from_millis(100);

impl HttpService {
    pub(super) async fn post(&self, parts: Parts, body: &[u8]) -> Result<Response<Body>, Refusal> {
        headers::check_post(&parts.headers)?;
        let message = Message::read(body).map_err(Refusal::of_message)?;
        let described = Described::of(&message);
        let version = headers::version(&parts.headers, Some(&described))?;
        match &message.kind {
            Kind::Request { id, method } => {
                headers::check_version(version, id, method, &message, &described)?;
                headers::check_routing(&parts, version, &message, self.shared())?;
                // Clients that describe themselves have no sessions.
                if *method == Method::Initialize && !described.is_self_contained() {
                    return self.initialize(id, &message, &parts);
                }
                match is_sessionless(version, &described) {
                    true => {
                        self.answer_alone(id, method, &message, &described, &parts)
                            .await
                    }
                    false => {
                        let session = self.session(&parts)?;
                        self.answer_in_session(&session, id, method, &message, &described, &parts)
                            .await
                    }
                }
            }
            Kind::Notification(method) => {
                headers::check_routing(&parts, version, &message, self.shared())?;
                if !version.is_some_and(headers::is_sessionless) {
                    let session = self.session(&parts)?;
                    match method {
                        Method::Initialized => session.initialized(),
                        method => dispatch::notification(&session.client, method, &message),
                    }
                }
                Ok(accepted())
            }
            Kind::Response(id) => {
                let session = self.session(&parts)?;
                if let Some(id) = id {
                    session.client.questions.answer(id, &message);
                }
                Ok(accepted())
            }
        }
    }

    /// The session that the headers name. One of another principal is told from none by nobody.
    pub(super) fn session(&self, parts: &Parts) -> Result<Arc<HttpSession>, Refusal> {
        let Some(name) = headers::text(&parts.headers, &headers::SESSION) else {
            let message = "expected `Mcp-Session-Id`, as the answer to `initialize` has it";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
        };
        let principal = principal_of(&parts.extensions);
        let session = self.session_store().get(name, &principal);
        session.ok_or_else(|| {
            let message = "There is no such session, or it has ended. Initialize a new one.";
            Refusal::new(StatusCode::NOT_FOUND, message)
        })
    }

    fn initialize(
        &self,
        id: &Id,
        message: &Message,
        parts: &Parts,
    ) -> Result<Response<Body>, Refusal> {
        let principal = principal_of(&parts.extensions);
        let client = Client::new(Arc::clone(self.shared()), principal).map_err(|error| {
            tracing::error!(target: "toolpact::mcp", %error, "the tools cannot be served");
            let message = "The tools are not available.";
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let transport = Transport::http(&parts.headers);
        let answer = dispatch::initialize(&client, id, message, transport);
        if answer.error.is_some() {
            return Ok(self.json(answer, StatusCode::OK));
        }
        let name = self.add_session(client, &Owner::of(&parts.extensions))?;
        let mut response = self.json(answer, StatusCode::OK);
        if let Ok(name) = HeaderValue::from_str(&name) {
            response.headers_mut().insert(&headers::SESSION, name);
        }
        Ok(response)
    }

    async fn answer_in_session(
        &self,
        session: &Arc<HttpSession>,
        id: &Id,
        method: &Method,
        message: &Message,
        described: &Described<'_>,
        parts: &Parts,
    ) -> Result<Response<Body>, Refusal> {
        let stream = session.new_stream();
        let principal = principal_of(&parts.extensions);
        let refusal = self.refusal_of_call(id, method, message, Some(&session.client), &principal);
        let origin = Origin {
            client: Some(Arc::clone(&session.client)),
            principal,
            view: headers::text(&parts.headers, &headers::VIEW).map(Into::into),
            outbox: Arc::clone(&stream) as Arc<dyn crate::server::Outbox>,
            transport: Transport::http(&parts.headers),
            cancel: session.client.gone().child_token(),
            refused: refusal.as_ref().map(Refusal::message),
        };
        let answer = match dispatch::request(
            self.shared(),
            id.clone(),
            method,
            message,
            described,
            origin,
        ) {
            Answer::Ready(response) => return Ok(self.json(response, StatusCode::OK)),
            Answer::Pending(answer) | Answer::Page(answer) => answer,
            Answer::Subscription(_) => return Err(Refusal::method_not_allowed("POST")),
        };
        if let Some(refusal) = refusal {
            return self.refused(answer, refusal, id).await;
        }
        let open = session.open();
        let mut answer = Detached(Some((answer, Arc::clone(&stream))));
        let soon = async {
            tokio::select! {
                biased;
                answer = answer.wait() => Some(answer),
                () = stream.begun() => None,
                () = self.passed(SOON) => None,
            }
        };
        if let Some(response) = soon.await {
            let cancelled = || rpc::Response::of(id, &serde_json::json!({}));
            return Ok(self.json(response.unwrap_or_else(cancelled), StatusCode::OK));
        }
        session.keep(&stream);
        // The call goes on by itself, and its client reads the stream.
        drop(answer);
        let body = EventBody::new(stream, None, self.stopping(), Held::Session(open));
        Ok(body.into_response())
    }

    async fn answer_alone(
        &self,
        id: &Id,
        method: &Method,
        message: &Message,
        described: &Described<'_>,
        parts: &Parts,
    ) -> Result<Response<Body>, Refusal> {
        let is_self_contained = described.is_self_contained();
        let stream = Arc::new(EventStream::new(&self.shared().streams));
        let cancel = self.stopping().child_token();
        // A client that hangs up has cancelled its request.
        let guard = cancel.clone().drop_guard();
        let principal = principal_of(&parts.extensions);
        let refusal = self.refusal_of_call(id, method, message, None, &principal);
        let origin = Origin {
            client: None,
            principal,
            view: headers::text(&parts.headers, &headers::VIEW).map(Into::into),
            outbox: Arc::clone(&stream) as Arc<dyn crate::server::Outbox>,
            transport: Transport::http(&parts.headers),
            cancel,
            refused: refusal.as_ref().map(Refusal::message),
        };
        let held = Held::Request(guard);
        let streaming = |answer: PendingAnswer, end: CancellationToken| {
            let body = EventBody::new(Arc::clone(&stream), None, end, held);
            body.driving(answer).into_response()
        };
        let mut answer = match dispatch::request(
            self.shared(),
            id.clone(),
            method,
            message,
            described,
            origin,
        ) {
            Answer::Ready(response) => {
                let status = status(&response, is_self_contained);
                return Ok(self.json(response, status));
            }
            Answer::Subscription(answer) => {
                let answer = self.add_listener(answer, Owner::of(&parts.extensions))?;
                return Ok(streaming(answer, self.draining()));
            }
            Answer::Pending(answer) | Answer::Page(answer) => answer,
        };
        if let Some(refusal) = refusal {
            return self.refused(answer, refusal, id).await;
        }
        let soon = tokio::select! {
            biased;
            answer = &mut answer => Some(answer),
            () = stream.begun() => None,
            () = self.passed(SOON) => None,
        };
        match soon {
            Some(Some(response)) if !stream.has_begun() => {
                let status = status(&response, is_self_contained);
                Ok(self.json(response, status))
            }
            Some(response) => Ok(streaming(Box::pin(async { response }), self.stopping())),
            None => Ok(streaming(answer, self.stopping())),
        }
    }

    /// The answer to a call whose HTTP request is not enough for it: it was denied, and recorded like others. One that failed
    /// for another reason is answered as it is.
    async fn refused(
        &self,
        answer: PendingAnswer,
        refusal: Refusal,
        id: &Id,
    ) -> Result<Response<Body>, Refusal> {
        let cancelled = || rpc::Response::of(id, &serde_json::json!({}));
        match answer.await {
            Some(response) if response.is_denied => Err(refusal),
            response => Ok(self.json(response.unwrap_or_else(cancelled), StatusCode::OK)),
        }
    }

    /// An answer that takes a part of the memory for results until it is sent, or of that for streams. Up to 64 KiB are
    /// counted and never refused; longer ones have their part.
    fn json(&self, response: rpc::Response, status: StatusCode) -> Response<Body> {
        let length = response.json.len();
        let other = || self.shared().streams.take(length).map(Arc::new);
        let share = response.memory.or_else(other);
        let body = Full::new(Bytes::from(response.json));
        let body = HeldBody::new(body, share);
        let mut http = Response::new(body.boxed());
        *http.status_mut() = status;
        let kind = HeaderValue::from_static("application/json");
        http.headers_mut().insert(header::CONTENT_TYPE, kind);
        http
    }
}

/// Whether a request needs no session: it describes its sender.
fn is_sessionless(version: Option<&str>, described: &Described<'_>) -> bool {
    let version = described.version.as_deref().or(version);
    described.is_self_contained() || version.is_some_and(headers::is_sessionless)
}

/// A call that goes on if its client hangs up. Its answer is then in the stream.
struct Detached(Option<(PendingAnswer, Arc<EventStream>)>);

impl Detached {
    async fn wait(&mut self) -> Option<rpc::Response> {
        let Some((answer, stream)) = &mut self.0 else {
            return None;
        };
        let response = answer.await;
        // What came before the answer has to be sent before it.
        if stream.has_begun() {
            let answer: PendingAnswer = Box::pin(async { response });
            self.0 = Some((answer, Arc::clone(stream)));
            return std::future::pending().await;
        }
        self.0 = None;
        response
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        let Some((answer, stream)) = self.0.take() else {
            return;
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let response = answer.await;
                stream.end(response);
            });
        }
    }
}

/// The status of an answer to a client that has no session.
fn status(response: &rpc::Response, is_self_contained: bool) -> StatusCode {
    match response.error {
        Some(
            ErrorCode::UNSUPPORTED_VERSION
            | ErrorCode::MISSING_CAPABILITY
            | ErrorCode::HEADER_MISMATCH,
        ) => StatusCode::BAD_REQUEST,
        Some(ErrorCode::INVALID_PARAMS) if !is_self_contained => StatusCode::BAD_REQUEST,
        Some(ErrorCode::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

fn accepted() -> Response<Body> {
    empty(StatusCode::ACCEPTED)
}

pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Empty::new().boxed());
    *response.status_mut() = status;
    response
}
