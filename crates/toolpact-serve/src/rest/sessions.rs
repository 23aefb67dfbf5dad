//! Sessions over REST, and the results they keep.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::returns::ErrorKind;
use toolpact::{Principal, Session};
use toolpact_http::{Holder, Owner};

use super::App;
use super::body::{Params, Segment};
use super::reply::{Created, Failure, NoContent, Reply};
use super::sender::Sender;
use crate::config::Limits;

/// The sessions that are open.
pub(crate) struct Sessions {
    limits: Limits,
    open: Mutex<HashMap<String, Kept>>,
}

struct Kept {
    session: Session,
    owner: Owner,
    used: Instant,
}

impl Kept {
    fn is_of(&self, principal: &Principal) -> bool {
        self.session.principal() == principal
    }

    /// One that was used longest ago makes room first.
    fn holder<'a>(&self, id: &'a str) -> Holder<&'a str, Instant> {
        Holder {
            key: id,
            owner: self.owner.clone(),
            rank: (self.session.running() == 0).then_some(self.used),
        }
    }
}

impl Sessions {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            open: Mutex::default(),
        }
    }

    fn add(&self, session: Session, owner: Owner) -> Result<String, Failure> {
        let id = new_id()?;
        let mut open = self.swept();
        let room = self.limits.session_room();
        let goes = room.make(&owner, || open.iter().map(|(id, kept)| kept.holder(id)));
        let goes = goes.map_err(|full| {
            let message =
                "There are too many sessions, and all are in use. Close one, or try again later.";
            Failure::try_later(full.status(), message)
        })?;
        if let Some(goes) = goes.map(str::to_owned) {
            open.remove(&goes);
        }
        let used = Instant::now();
        let kept = Kept {
            session,
            owner,
            used,
        };
        open.insert(id.clone(), kept);
        Ok(id)
    }

    /// The session of this name, if it is this principal's. It is renewed if something else is said about them
    /// by now.
    pub(super) fn get(
        &self,
        id: &str,
        principal: &Principal,
        renew: impl FnOnce(&Session) -> Session,
    ) -> Result<Session, Failure> {
        let mut open = self.swept();
        let kept = open.get_mut(id).filter(|kept| kept.is_of(principal));
        let kept = kept.ok_or_else(unknown)?;
        kept.used = Instant::now();
        if !kept.session.principal().is_exactly(principal) {
            kept.session = renew(&kept.session);
        }
        Ok(kept.session.clone())
    }

    fn remove(&self, id: &str, principal: &Principal, force: bool) -> Result<(), Failure> {
        let mut open = self.lock();
        let is_theirs = open.get(id).is_some_and(|kept| kept.is_of(principal));
        let kept = is_theirs.then(|| open.remove(id)).flatten();
        drop(open);
        let session = kept.ok_or_else(unknown)?.session;
        match force {
            true => session.close(),
            false => session.drain(),
        }
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Drops the sessions whose time is over, and renews all when too much is kept for them, as long as there is a
    /// server.
    pub(crate) async fn sweep(app: Weak<App>, idle: Duration) {
        let every = (idle / 4).clamp(Duration::from_millis(50), Duration::from_secs(30));
        let Some(mut changes) = app.upgrade().map(|app| app.registry.changes()) else {
            return;
        };
        loop {
            // It ends with the registry, and that with the server.
            let has_changed = tokio::time::timeout(every, changes.changed()).await;
            let Some(app) = app.upgrade() else { return };
            drop(app.sessions.swept());
            if has_changed.is_ok() && app.registry.wants_renewal() {
                // To forget many tools takes a while.
                let renewed = toolpact::background::spawn(move || app.sessions.renew(&app));
                drop(renewed.await);
            }
        }
    }

    /// Shows those that are not in use the tools as they are now.
    fn renew(&self, app: &App) {
        let mut old = Vec::new();
        for kept in self.lock().values_mut() {
            let now = app.tools(kept.session.principal());
            if !now.sees_same(&kept.session) && kept.session.running() == 0 {
                let renewed = now.fork_after(&kept.session);
                old.push(std::mem::replace(&mut kept.session, renewed));
            }
        }
        drop(old);
    }

    /// The sessions, without those whose time is over.
    fn swept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        let mut open = self.lock();
        let idle = self.limits.idle();
        open.retain(|_, kept| {
            let is_used = kept.used.elapsed() < idle && !kept.session.is_over();
            is_used || kept.session.running() > 0
        });
        open
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SessionReply {
    session: String,
    /// How long it stays open without a call, in milliseconds.
    idle_ms: u64,
    /// How long it stays open in any case, in milliseconds, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
}

/// How long a session is to live.
#[derive(Deserialize, JsonSchema)]
pub(super) struct OpenQuery {
    /// After so many milliseconds it is over: its calls that still run end with a timeout.
    ttl_ms: Option<NonZeroU64>,
}

/// How a session is closed.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CloseQuery {
    /// Whether calls that run are cancelled; with `false`, they go on to their end.
    #[serde(default = "yes")]
    force: bool,
}

fn yes() -> bool {
    true
}

/// `POST /v1/sessions`
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Sender {
        principal, owner, ..
    }: Sender,
    Params(query): Params<OpenQuery>,
) -> Result<Created<SessionReply>, Failure> {
    let (tools, ttl_ms) = (app.tools(&principal), query.ttl_ms.map(NonZeroU64::get));
    let session = match ttl_ms {
        Some(ms) => tools.fork_for_time(Duration::from_millis(ms)),
        None => tools.fork(),
    };
    Ok(Created(SessionReply {
        session: app.sessions.add(session, owner)?,
        idle_ms: app.limits.idle_ms,
        ttl_ms,
    }))
}

/// `DELETE /v1/sessions/{id}`
pub(super) async fn close(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    Segment(id): Segment,
    Params(query): Params<CloseQuery>,
) -> Result<NoContent, Failure> {
    app.sessions.remove(&id, &principal, query.force)?;
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
    Sender { principal, .. }: Sender,
    Segment(handle): Segment,
    Params(query): Params<ResultQuery>,
) -> Result<Reply<ResultReply>, Failure> {
    let session = app.kept_session(&query.session, &principal)?;
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

/// Nobody can guess it.
pub(super) fn new_id() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "there is no randomness");
        Failure::new(ErrorKind::Internal, "No session can be opened now.")
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
