//! Streams that clients of 2025 open or resume, and the end of their sessions.

use std::sync::Arc;

use http::request::Parts;
use http::{Response, StatusCode};

use super::events::{EventBody, EventStream, Held, read_event_id};
use super::post::empty;
use super::service::{Body, HttpService};
use super::{Refusal, headers};

/// The header that says which event a client has read last.
const LAST_EVENT: &str = "last-event-id";

impl HttpService {
    /// A stream of what is sent outside of requests, or the rest of one that broke.
    pub(super) fn get(&self, parts: &Parts) -> Result<Response<Body>, Refusal> {
        headers::check_get(&parts.headers)?;
        refuse_sessionless(parts)?;
        let session = self.session(parts)?;
        let last = headers::text(&parts.headers, LAST_EVENT);
        let held = Held::Session(session.open());
        let Some(last) = last else {
            let general = Arc::clone(&session.general);
            return Ok(EventBody::new(general, None, self.draining(), held).into_response());
        };
        let found = read_event_id(last).and_then(|(position, number)| {
            let end = match number {
                Some(_) => self.stopping(),
                None => self.draining(),
            };
            Some((session.stream(number)?, position, end))
        });
        let (stream, position, end) = found.unwrap_or_else(|| {
            // An error would make a browser try again for ever.
            let nothing = Arc::new(EventStream::new(&self.shared().streams));
            nothing.end(None);
            (nothing, 0, self.draining())
        });
        Ok(EventBody::new(stream, Some(position), end, held).into_response())
    }

    /// Ends a session.
    pub(super) fn delete(&self, parts: &Parts) -> Result<Response<Body>, Refusal> {
        refuse_sessionless(parts)?;
        self.session(parts)?;
        let name = headers::text(&parts.headers, &headers::SESSION).unwrap_or_default();
        self.session_store().remove(name);
        Ok(empty(StatusCode::NO_CONTENT))
    }
}

/// Clients of 2026-07-28 have no sessions.
fn refuse_sessionless(parts: &Parts) -> Result<(), Refusal> {
    let version = headers::version(&parts.headers, None)?;
    match version.is_some_and(headers::is_sessionless) {
        true => Err(Refusal::method_not_allowed("POST")),
        false => Ok(()),
    }
}
