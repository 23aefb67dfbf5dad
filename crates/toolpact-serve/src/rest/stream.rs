//! Calls whose tools are listened to: Server-Sent Events.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use toolpact::session::{CallStream, Update};

use super::call::Asked;
use crate::view::{View, written};

/// What comes next.
struct Listening {
    running: Option<CallStream>,
    view: View,
    kept: bool,
}

/// `progress` and `item` as the tool says them, and `result` at the end. A client that hangs up
/// cancels the call.
pub(super) fn events(asked: Asked) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let listening = Listening {
        running: Some(asked.session.call_streaming(asked.call)),
        view: asked.view,
        kept: asked.kept,
    };
    Sse::new(stream::unfold(listening, next)).keep_alive(KeepAlive::default())
}

async fn next(mut listening: Listening) -> Option<(Result<Event, Infallible>, Listening)> {
    let mut running = listening.running.take()?;
    let event = match running.next().await {
        Some(update) => {
            let event = of_update(&update);
            listening.running = Some(running);
            event
        }
        None => {
            let completed = running.finish().await;
            let result = written(&completed, listening.view, listening.kept);
            Event::default().event("result").data(result)
        }
    };
    Some((Ok(event), listening))
}

fn of_update(update: &Update) -> Event {
    match update {
        Update::Progress(status) => {
            let status = serde_json::to_string(status).unwrap_or_default();
            Event::default().event("progress").data(status)
        }
        Update::Item(item) => Event::default().event("item").data(item.text()),
        Update::Log(line) => {
            let (level, message) = (line.level.name(), line.message.text());
            let line = format!(r#"{{"level":"{level}","message":{message}}}"#);
            Event::default().event("log").data(line)
        }
        _ => Event::default().comment("something new"),
    }
}
