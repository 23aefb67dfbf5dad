//! Conversations over REST, and what they have kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use toolpact::Session;
use toolpact::core::returns::ErrorKind;

use super::App;
use super::reply::{Failure, json_response};
use crate::config::Limits;

/// The sessions that are open.
pub(crate) struct Sessions {
    limits: Limits,
    open: Mutex<HashMap<String, Kept>>,
}

struct Kept {
    session: Session,
    used: Instant,
}

impl Sessions {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            open: Mutex::default(),
        }
    }

    fn add(&self, session: Session) -> Result<String, Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, kept| kept.used.elapsed() < self.limits.idle());
        if open.len() >= self.limits.sessions {
            let message = "There are too many sessions. Close one, or try again later.";
            return Err(unavailable(message));
        }
        let id = new_id()?;
        let used = Instant::now();
        open.insert(id.clone(), Kept { session, used });
        Ok(id)
    }

    pub(super) fn get(&self, id: &str) -> Result<Session, Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, kept| kept.used.elapsed() < self.limits.idle());
        let kept = open.get_mut(id).ok_or_else(unknown)?;
        kept.used = Instant::now();
        Ok(kept.session.clone())
    }

    fn remove(&self, id: &str) -> Result<(), Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = open.remove(id).ok_or_else(unknown)?;
        kept.session.close();
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}

/// `POST /v1/sessions`
pub(super) async fn open(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let id = app.sessions.add(app.tools().fork())?;
    let json = json!({"session": id, "idle_ms": app.limits.idle_ms});
    Ok(json_response(StatusCode::CREATED, json.to_string()))
}

/// `DELETE /v1/sessions/{id}`
pub(super) async fn close(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    app.sessions.remove(&id)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// What of a result is wanted.
#[derive(Deserialize)]
pub(super) struct Wanted {
    session: Option<String>,
    #[serde(default)]
    from: usize,
}

/// `GET /v1/results/{handle}?session=…&from=…`
pub(super) async fn result(
    State(app): State<Arc<App>>,
    Path(handle): Path<String>,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Failure> {
    let wanted = wanted.map_err(|_| Failure::invalid("Expected `from` to be a whole number."))?;
    let id = wanted.session.as_deref();
    let id = id.ok_or_else(|| Failure::invalid("Expected `session`, whose result it is."))?;
    let session = app.sessions.get(id)?;
    let page = session.read_result(&handle, wanted.from);
    let page = page.map_err(|error| Failure::of_error(error.as_standard()))?;
    let json = json!({"text": page.text, "next": page.next, "total": page.total});
    Ok(json_response(StatusCode::OK, json.to_string()))
}

fn unknown() -> Failure {
    Failure::not_found("There is no such session any more. `POST /v1/sessions` opens one.")
}

fn unavailable(message: &str) -> Failure {
    Failure::refused(
        StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::TooManyAtOnce,
        message,
    )
}

/// Nobody can guess it.
fn new_id() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "there is no randomness");
        unavailable("No session can be opened now.")
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
