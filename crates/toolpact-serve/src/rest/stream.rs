//! Calls that are answered with Server-Sent Events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::header::{CACHE_CONTROL, HeaderValue};
use http::{HeaderMap, StatusCode};
use toolpact::core::json::Value;
use toolpact::core::returns::stream::{Event, sse_comment};
use toolpact::core::returns::{Returns, StandardType};
use toolpact::observe::trace::Incoming;
use toolpact::session::Update;

use super::App;
use super::call::PreparedCall;
use super::feed::{Feed, Listener};
use super::reply::{Failure, typed_response};
use super::streams::{Owned, Resumed};
use crate::view::written;

/// The id of the event `result`: it distinguishes it from events of that name that a tool sends, and a
/// listener that resumes after it has received everything.
pub(crate) const END_ID: &str = "toolpact:end";

const LAST_EVENT_ID: &str = "last-event-id";

/// How often a comment is sent when there are no events, so that the connection is not taken for lost.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Makes the call, or goes on with the events of one whose listener comes back.
pub(super) fn answer(
    app: &App,
    headers: &HeaderMap,
    request: &Value,
    prepared: PreparedCall,
) -> Result<Response, Failure> {
    let last_id = headers.get(LAST_EVENT_ID).map(HeaderValue::as_bytes);
    match last_id.filter(|id| !id.is_empty()) {
        Some(id) => match app.streams.resume(
            &Owned::new(request, prepared.session.principal()),
            &String::from_utf8_lossy(id),
        )? {
            Resumed::Events(listener) => Ok(respond(listener)),
            // Clients that come back on their own stop after this.
            Resumed::Nothing => Ok(StatusCode::NO_CONTENT.into_response()),
        },
        None => Ok(respond(start_call(app, request, prepared))),
    }
}

/// Starts the call. A listener that hangs up cancels it, unless it is one that can come back.
fn start_call(app: &App, request: &Value, prepared: PreparedCall) -> Listener {
    let streams = Arc::clone(&app.streams);
    let (feed, listener) = streams.feed();
    let is_events = returns_events(&prepared);
    let request = Owned::new(request, prepared.session.principal());
    // It outlives the request, but is for it.
    tokio::spawn(Incoming::current().around(async move {
        let events = send_events(&feed, prepared, is_events);
        match is_events {
            true => streams.keep(&request, &feed, events).await,
            false => tokio::select! {
                () = feed.abandoned(Duration::ZERO) => {}
                () = events => {}
            },
        }
    }));
    listener
}

fn returns_events(prepared: &PreparedCall) -> bool {
    let tool = prepared.session.get(prepared.call.name());
    tool.is_some_and(|tool| {
        let returns = tool.contract().returns();
        matches!(returns, Returns::Standard { standard, .. } if *standard == StandardType::EventStream)
    })
}

/// Sends what the tool sends, and `result` at the end. The events of an EventStream have the
/// names and ids that the tool gives them, and its result is one of them, too.
async fn send_events(feed: &Feed, prepared: PreparedCall, is_events: bool) {
    let mut running = prepared.session.call_streaming(prepared.call);
    while let Some(update) = running.next().await {
        if let Some(event) = event_of(&update, is_events) {
            feed.push(&event).await;
        }
    }
    let completed = running.finish().await;
    let last = completed
        .to_json()
        .filter(|_| is_events && completed.error().is_none());
    let last = last.and_then(|json| Event::from_value(&Value::from_json(json).ok()?).ok());
    if let Some(last) = last {
        feed.push(&last).await;
    }
    let result = written(&completed, prepared.view, prepared.kept);
    let result = named("result", result).and_then(|result| result.with_id(END_ID).ok());
    let share = completed.memory();
    drop(completed);
    if let Some(result) = result {
        feed.push_held(&result, share).await;
    }
    feed.end();
}

/// What cannot be sent under its own name is an `item`.
fn event_of(update: &Update, is_events: bool) -> Option<Event> {
    match update {
        Update::Progress(status) => named("progress", serde_json::to_string(status).ok()?),
        Update::Item(item) => {
            let event = is_events.then(|| Event::from_value(item).ok());
            event.flatten().or_else(|| named("item", item.text()))
        }
        Update::Log(line) => {
            let (level, message) = (line.level.name(), line.message.text());
            named(
                "log",
                format!(r#"{{"level":"{level}","message":{message}}}"#),
            )
        }
        _ => None,
    }
}

fn named(name: &str, data: impl Into<String>) -> Option<Event> {
    Event::new(data).with_name(name).ok()
}

fn respond(listener: Listener) -> Response {
    let events = stream::unfold(listener, |listener| async move {
        let text = match tokio::time::timeout(KEEP_ALIVE, listener.next()).await {
            Ok(text) => text?,
            Err(_) => Bytes::from(sse_comment("")),
        };
        Some((Ok::<_, Infallible>(text), listener))
    });
    let body = Body::from_stream(events);
    let mut response = typed_response(StatusCode::OK, "text/event-stream", body);
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
