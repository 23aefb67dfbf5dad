//! Calls whose answers are streams of events.

use http::header::{ACCEPT, CONTENT_TYPE};
use reqwest::Response;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::stream::{Event, SseDecoder};
use toolpact_http::outgoing::BodyError;

use super::{AFTER_A_CALL, Answer, Client, ClientError, call_body, refused};
use crate::rest::END_ID;
use crate::view::View;

/// What a tool sent while it ran, and its result.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StreamedCall {
    /// Whether it worked.
    pub worked: bool,
    /// The result, or the error, as JSON.
    pub answer: String,
    /// Its events or chunks, as JSON, in the order they came.
    pub items: Vec<String>,
}

const EVENTS: &str = "text/event-stream";

impl Client {
    /// Makes a call, and reads what the tool sends while it runs.
    pub async fn call_streaming(
        &self,
        tool: &str,
        args: &Value,
    ) -> Result<StreamedCall, ClientError> {
        let request = self.sender.post(self.at("/v1/call"));
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, EVENTS)
            .body(call_body(tool, args, View::Json));
        let response = self.begin(request, AFTER_A_CALL).await?;
        if !is_event_stream(&response) {
            let answer = Answer::read(response, self.call_bytes).await;
            let answer = answer.map_err(|error| self.unread(error, AFTER_A_CALL))?;
            return Err(refused(&answer));
        }
        self.read_events(response).await
    }

    async fn read_events(&self, mut response: Response) -> Result<StreamedCall, ClientError> {
        let most = self.call_bytes;
        let (mut decoder, mut items) = (SseDecoder::new().max_event_bytes(most), Vec::new());
        let mut left = most;
        loop {
            let piece = response.chunk().await;
            let piece = piece.map_err(|error| self.lost(error, AFTER_A_CALL))?;
            let Some(piece) = piece else {
                let message =
                    format!("the server stopped in the middle of an answer{AFTER_A_CALL}");
                return Err(ClientError(message));
            };
            left = left
                .checked_sub(piece.len())
                .ok_or_else(|| self.unread(BodyError::TooLong(most), AFTER_A_CALL))?;
            let mut bytes = &*piece;
            while let Some(event) = decoder.next_event(&mut bytes).map_err(|error| {
                let message = format!("the server sent events that are none: {error}");
                ClientError(format!("{message}{AFTER_A_CALL}"))
            })? {
                match (event.name(), event.id()) {
                    ("result", Some(END_ID)) => return finish(&event, items),
                    ("item", None) => items.push(event.data().to_owned()),
                    ("progress" | "log", None) => {}
                    _ => items.push(tool_event(&event)?),
                }
            }
        }
    }
}

fn is_event_stream(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with(EVENTS))
}

/// An event that the tool named.
fn tool_event(event: &Event) -> Result<String, ClientError> {
    let value = event.to_value();
    let value = value.map_err(|error| ClientError(format!("the server sent no event: {error}")))?;
    Ok(value.text().to_owned())
}

/// `{"result": …}` or `{"error": …}`.
fn finish(event: &Event, mut items: Vec<String>) -> Result<StreamedCall, ClientError> {
    let unknown = || ClientError("the server did not answer as a toolpact server does".to_owned());
    let value = Value::from_json(event.data()).map_err(|_| unknown())?;
    let part = |key: &str| value.root().get(key).map(Node::text);
    let worked = part("result").is_some();
    let answer = part("result").or(part("error")).ok_or_else(unknown)?;
    let answer = answer.to_owned();
    // The result of an EventStream came under its own name before.
    if worked && items.last() == Some(&answer) {
        items.pop();
    }
    Ok(StreamedCall {
        worked,
        answer,
        items,
    })
}
