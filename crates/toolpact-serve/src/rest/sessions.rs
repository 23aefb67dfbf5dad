//! Sessions over REST, and the results they keep.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Path, State};
use http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::Session;
use toolpact::core::returns::ErrorKind;

use super::App;
use super::body::Params;
use super::reply::{Created, Failure, NoContent, Reply};
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

#[derive(Serialize, JsonSchema)]
pub(super) struct SessionReply {
    session: String,
    /// How long it stays open without a call, in milliseconds.
    idle_ms: u64,
}

/// `POST /v1/sessions`
pub(super) async fn open(State(app): State<Arc<App>>) -> Result<Created<SessionReply>, Failure> {
    Ok(Created(SessionReply {
        session: app.sessions.add(app.tools().fork())?,
        idle_ms: app.limits.idle_ms,
    }))
}

/// `DELETE /v1/sessions/{id}`
pub(super) async fn close(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    app.sessions.remove(&id)?;
    Ok(NoContent)
}

/// Which part of a result is wanted.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ResultQuery {
    /// The session whose result it is.
    session: String,
    /// The first character, from 0.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ResultReply {
    text: String,
    /// Where the next page begins, if there is one.
    next: Option<usize>,
    total: usize,
}

/// `GET /v1/results/{handle}?session=…&from=…`
pub(super) async fn result(
    State(app): State<Arc<App>>,
    Path(handle): Path<String>,
    Params(query): Params<ResultQuery>,
) -> Result<Reply<ResultReply>, Failure> {
    let session = app.sessions.get(&query.session)?;
    let page = session.read_result(&handle, query.from);
    let page = page.map_err(|error| Failure::of_error(error.as_standard()))?;
    Ok(Reply(ResultReply {
        text: page.text,
        next: page.next,
        total: page.total,
    }))
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
