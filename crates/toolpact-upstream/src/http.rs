//! HTTP to another server, with a bound on everything it answers: the client of rmcp reads a body of JSON to
//! its end, which may never come.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::{Client, Response};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
    StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use toolpact::core::memory::MemoryBudget;
use toolpact_http::outgoing::{self, BodyError};

use crate::event_limit::{limit_events, no_memory};
use crate::trace;
use crate::turns::turn;

/// Most bytes of an answer, be it JSON or an event.
pub(crate) const ANSWER_BYTES: usize = 16 << 20;

/// Most bytes that are read to see why a request was refused.
const REFUSAL_BYTES: usize = 64 << 10;

type HttpError = StreamableHttpError<reqwest::Error>;

/// Sends the messages of rmcp.
#[derive(Clone)]
pub(crate) struct BoundedClient {
    client: Client,
    /// For answers that are being read.
    memory: Arc<MemoryBudget>,
}

impl BoundedClient {
    pub(crate) fn new(client: Client, memory: &Arc<MemoryBudget>) -> Self {
        let memory = Arc::clone(memory);
        Self { client, memory }
    }
}

impl StreamableHttpClient for BoundedClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let mut headers: HeaderMap = headers.into_iter().collect();
        trace::add_header(&mut headers, &message);
        let mut request = self.client.post(&*uri).headers(headers);
        let accepted = format!("{EVENT_STREAM_MIME_TYPE}, {JSON_MIME_TYPE}");
        request = request.header(ACCEPT, accepted);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(session) = &session {
            request = request.header(HEADER_SESSION_ID, &**session);
        }
        let expects_answer = matches!(message, JsonRpcMessage::Request(_));
        let response = request.json(&message).send().await?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                Ok(StreamableHttpPostResponse::Accepted)
            }
            StatusCode::NOT_FOUND if session.is_some() => Err(StreamableHttpError::SessionExpired),
            status if !status.is_success() => refused(response).await,
            _ => answered(response, expects_answer, &self.memory).await,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), HttpError> {
        let client = &self.client;
        client.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        self.client
            .get_stream_with_max_sse_event_size(
                uri,
                session,
                last_event_id,
                token,
                headers,
                ANSWER_BYTES,
            )
            .await
    }
}

/// The answer to a message, in either of its forms.
async fn answered(
    response: Response,
    expects_answer: bool,
    memory: &Arc<MemoryBudget>,
) -> Result<StreamableHttpPostResponse, HttpError> {
    let session = header(&response, HEADER_SESSION_ID);
    let content_type = header(&response, CONTENT_TYPE.as_str());
    if content_type.as_deref().is_some_and(is_events) {
        let bytes = limit_events(response.bytes_stream(), ANSWER_BYTES, memory.take(0));
        let events = SseStream::from_bytes_stream(bytes).boxed();
        return Ok(StreamableHttpPostResponse::Sse(events, session));
    }
    if !expects_answer {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if !content_type.as_deref().is_some_and(is_json) {
        return Err(StreamableHttpError::UnexpectedContentType(content_type));
    }
    let body = outgoing::read_body_within(response, ANSWER_BYTES, memory).await;
    // The share is held until the message is read.
    let (body, _share) = body.map_err(|error| match error {
        BodyError::Lost(error) => StreamableHttpError::Client(error),
        BodyError::NoMemory => StreamableHttpError::Io(no_memory()),
        error @ BodyError::TooLong(_) => unexpected(error.to_string()),
    })?;
    let turn = turn(body.len()).await;
    let message = serde_json::from_slice(&body);
    drop((body, turn));
    let message = message.map_err(|error| unexpected(format!("no message of MCP: {error}")))?;
    Ok(StreamableHttpPostResponse::Json(message, session))
}

/// Why a request was refused. An error of JSON-RPC is an answer.
async fn refused(response: Response) -> Result<StreamableHttpPostResponse, HttpError> {
    let status = response.status();
    let session = header(&response, HEADER_SESSION_ID);
    let challenge = header(&response, WWW_AUTHENTICATE.as_str());
    match (status, challenge) {
        (StatusCode::UNAUTHORIZED, Some(challenge)) => {
            let error = AuthRequiredError::new(challenge);
            return Err(StreamableHttpError::AuthRequired(error));
        }
        (StatusCode::FORBIDDEN, Some(challenge)) => {
            let error = InsufficientScopeError::new(challenge, None);
            return Err(StreamableHttpError::InsufficientScope(error));
        }
        _ => {}
    }
    let is_unavailable = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    let unavailable = is_unavailable
        .then(|| HttpStatusError::new(status.as_u16(), header(&response, RETRY_AFTER.as_str())));
    let is_locked = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let is_json = header(&response, CONTENT_TYPE.as_str()).is_some_and(|kind| is_json(&kind));
    let body = outgoing::read_body(response, REFUSAL_BYTES).await;
    let body = body.unwrap_or_default();
    let message = serde_json::from_slice::<ServerJsonRpcMessage>(&body);
    match (message, unavailable) {
        (Ok(error @ JsonRpcMessage::Error(_)), _) if is_json && !is_locked => {
            Ok(StreamableHttpPostResponse::Json(error, session))
        }
        (_, Some(unavailable)) => Err(unavailable.into()),
        _ => Err(unexpected(format!(
            "HTTP {status}: {}",
            String::from_utf8_lossy(&body)
        ))),
    }
}

fn header(response: &Response, name: &str) -> Option<String> {
    let value = response.headers().get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

fn is_events(content_type: &str) -> bool {
    content_type.starts_with(EVENT_STREAM_MIME_TYPE)
}

fn is_json(content_type: &str) -> bool {
    content_type.starts_with(JSON_MIME_TYPE)
}

fn unexpected(why: String) -> HttpError {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(why))
}
