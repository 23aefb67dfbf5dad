//! The task of one source: starts it, tries again if it fails, and follows its tools.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use toolpact::mock::Mock;
use toolpact_grid::Host;
use toolpact_upstream::{Upstream, Upstreams};

use super::build::{Built, NotBuilt, build};
use super::grid::OpenHost;
use super::mcp::of_upstream;
use super::shelf::{Place, Shelf};
use super::state::SourceState;
use super::supervisor::PATIENCE;
use crate::config::{Limits, Source};
use crate::memory::Memory;

/// How long to wait before a source that failed is tried again: at first, and at most.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// How often the tools of other servers are listed again. Not all of them announce changes, and this
/// notices a server that is gone.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);

/// How long a server that announces changes is left alone after its tools were listed: at least, at most, and how
/// many times as long as that took. So a server that changes all the time takes a fiftieth of a core.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = REFRESH_INTERVAL;
const PAUSES: u32 = 50;

/// How often a tool whose name is taken is tried again.
const RETRY_NAMES: Duration = Duration::from_secs(1);

/// How often it is looked whether a grid can be reached, and has another manifest.
const LOOK_AT_GRID: Duration = Duration::from_secs(1);

/// Most tools that the log names one by one.
const LOGGED: usize = 20;

/// What a task tells of its source.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) state: SourceState,
    /// Why it fails.
    pub(super) why: Option<&'static str>,
    /// How many tools cannot be used.
    pub(super) invalid: usize,
    /// How many do not fit into the limits.
    pub(super) beyond_limits: usize,
    /// The host of a grid.
    pub(super) host: Option<Host>,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            state: SourceState::Starting,
            why: None,
            invalid: 0,
            beyond_limits: 0,
            host: None,
        }
    }
}

pub(super) struct Task {
    pub(super) label: String,
    pub(super) id: String,
    pub(super) toolset: Option<String>,
    pub(super) shelf: Arc<Shelf>,
    pub(super) upstreams: Upstreams,
    pub(super) data: PathBuf,
    pub(super) limits: Limits,
    pub(super) memory: Memory,
    pub(super) mock: Option<Arc<Mock>>,
    pub(super) wanted: watch::Receiver<Source>,
    pub(super) told: watch::Sender<Told>,
    pub(super) upstream: Option<Upstream>,
    pub(super) host: Option<OpenHost>,
    /// What runtimes have registered with the host, by sessions, as it is on the shelf.
    pub(super) sessions: BTreeSet<Box<str>>,
    /// Why it did not start the last time, as the log has it.
    pub(super) logged: Option<String>,
}

impl Task {
    pub(super) async fn run(mut self, ended: &CancellationToken) {
        let release = release(Arc::clone(&self.shelf), self.id.clone());
        let supervise = async { tokio::join!(self.supervise(), release) };
        ended.run_until_cancelled(supervise).await;
        let (names, upstreams, id) = (self.shelf, self.upstreams, self.id);
        let sessions = self.sessions;
        in_background(move || {
            for session in &sessions {
                names.remove(&of_session(&id, session));
            }
            names.remove(&id);
            upstreams.remove(&id);
        })
        .await;
        if let Some(upstream) = &self.upstream {
            upstream.close().await;
        }
    }

    async fn supervise(&mut self) {
        let mut backoff = FIRST_BACKOFF;
        loop {
            let source = self.wanted.borrow_and_update().clone();
            let mock = self.mock.clone();
            match build(
                &source,
                &self.data,
                &self.limits,
                &self.memory,
                mock.as_deref(),
            )
            .await
            {
                Ok(built) => {
                    backoff = FIRST_BACKOFF;
                    self.logged = None;
                    let before = self.upstream.take();
                    self.install(move || built).await;
                    if let Some(before) = before {
                        before.close().await;
                    }
                    if self.wait_for_change().await.is_err() {
                        return;
                    }
                }
                Err(error) => {
                    self.failed(&error, backoff).await;
                    tokio::select! {
                        () = tokio::time::sleep(backoff) => backoff = (backoff * 2).min(LONGEST_BACKOFF),
                        changed = self.wanted.changed() => match changed {
                            Ok(()) => backoff = FIRST_BACKOFF,
                            Err(_) => return,
                        },
                    }
                }
            }
        }
    }

    /// Serves what was built in the place of what was there.
    async fn install(&mut self, built: impl FnOnce() -> Built + Send + 'static) {
        let (names, id) = (Arc::clone(&self.shelf), self.id.clone());
        let installed = in_background(move || {
            let mut built = built();
            let definitions = std::mem::take(&mut built.definitions);
            built.left_out.extend(names.offer(&id, definitions));
            (built, names.verdict(&id).served)
        });
        let Some((built, tools)) = installed.await else {
            return;
        };
        self.log(&built, tools);
        self.host = built.host;
        self.told.send_replace(Told {
            host: self.host.as_ref().map(|open| open.host.clone()),
            state: SourceState::Ready,
            why: None,
            invalid: built.left_out.len(),
            beyond_limits: built.excess.as_ref().map_or(0, |excess| excess.seen),
        });
        self.upstream = built.upstream;
        self.pass_through().await;
        self.serve_registered().await;
    }

    /// Serves what runtimes have registered with a host in DEVELOPMENT mode, each session in a toolset of its name.
    async fn serve_registered(&mut self) {
        let registered = self.host.as_ref().map(|open| open.host.registered());
        let registered = registered.unwrap_or_default();
        let before = std::mem::take(&mut self.sessions);
        self.sessions.extend(registered.keys().cloned());
        let (names, id) = (Arc::clone(&self.shelf), self.id.clone());
        in_background(move || {
            let gone = before.iter().filter(|one| !registered.contains_key(*one));
            gone.for_each(|session| names.remove(&of_session(&id, session)));
            for (session, tools) in registered {
                let id = of_session(&id, &session);
                if !before.contains(&session) {
                    // What is registered while a server runs is in no lock, so that one with a lock does not serve it.
                    let place = Place {
                        id: &id,
                        label: &id,
                        trust: None,
                    };
                    names.add(place, Some(&session));
                }
                for why in names.offer(&id, tools) {
                    tracing::warn!(%session, why, "a tool that was registered is not served");
                }
            }
        })
        .await;
    }

    fn log(&self, built: &Built, tools: usize) {
        let source = &*self.label;
        for why in built.left_out.iter().take(LOGGED) {
            tracing::warn!(source, why, "a tool is not served");
        }
        if let Some(more @ 1..) = built.left_out.len().checked_sub(LOGGED) {
            tracing::warn!(source, more, "more tools are not served");
        }
        if let Some(excess) = &built.excess {
            let why = excess.to_string();
            tracing::warn!(
                source,
                why,
                "tools are not served; `limits.tools` and `limits.tools_bytes` allow more"
            );
        }
        tracing::info!(source, tools, "the source is ready");
    }

    /// Passes through what a server has besides tools.
    async fn pass_through(&self) {
        let (upstreams, id, toolset) = (
            self.upstreams.clone(),
            self.id.clone(),
            self.toolset.clone(),
        );
        let upstream = self.upstream.clone();
        in_background(move || match upstream {
            Some(upstream) => upstreams.set(&id, toolset.as_deref(), &upstream),
            None => upstreams.remove(&id),
        })
        .await;
    }

    /// It is tried again and again, and each reason is logged once.
    async fn failed(&mut self, error: &NotBuilt, backoff: Duration) {
        let (again, why) = (format!("{backoff:?}"), &*error.reason);
        match self.logged.as_deref() == Some(why) {
            true => tracing::debug!(
                source = self.label,
                again,
                "the source still does not start"
            ),
            false => tracing::error!(
                source = self.label,
                error = why,
                again,
                "the source does not start"
            ),
        }
        self.logged = Some(why.to_owned());
        let (names, id) = (Arc::clone(&self.shelf), self.id.clone());
        // Those after it have waited long enough.
        in_background(move || names.release(&id)).await;
        self.set_failing(error.public_reason);
    }

    fn set_failing(&self, reason: &'static str) {
        self.told.send_modify(|told| {
            told.state = SourceState::Failing;
            told.why = Some(reason);
        });
    }

    /// Returns when the config of the source changes, and fails when the supervisor is gone. Meanwhile, the
    /// tools of servers are listed again when they may have changed.
    async fn wait_for_change(&mut self) -> Result<(), watch::error::RecvError> {
        // One receiver for all the time, so that nothing is missed while the tools are listed.
        let mut list = self.upstream.as_ref().map(Upstream::changes);
        let mut registered = self
            .host
            .as_ref()
            .and_then(|open| open.host.registrations());
        let mut earliest = Instant::now();
        let mut due = earliest + REFRESH_INTERVAL;
        loop {
            let has_taken_names = self.shelf.verdict(&self.id).is_retried;
            tokio::select! {
                changed = self.wanted.changed() => return changed,
                () = tokio::time::sleep(RETRY_NAMES), if has_taken_names => self.retry_names().await,
                () = tokio::time::sleep(LOOK_AT_GRID), if self.host.is_some() => if self.look_at_grid().await {
                    return Ok(());
                },
                () = told(registered.as_mut()) => self.serve_registered().await,
                () = list_may_have_changed(list.as_mut(), earliest, due) => if let Some(upstream) = self.upstream.clone() {
                    let began = Instant::now();
                    self.refresh(upstream).await;
                    let pause = (began.elapsed() * PAUSES).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
                    earliest = Instant::now() + pause;
                    due = Instant::now() + REFRESH_INTERVAL;
                },
            }
        }
    }

    /// Says whether a grid can be reached. Its tools are served meanwhile, and calls of them fail at once. Returns
    /// whether it has another manifest.
    async fn look_at_grid(&self) -> bool {
        let Some(open) = &self.host else { return false };
        let is_connected = open.host.is_connected();
        let changed = self.told.send_if_modified(|told| {
            let was_connected = told.state == SourceState::Ready;
            (told.state, told.why) = match is_connected {
                true => (SourceState::Ready, None),
                false => (SourceState::Failing, Some("the grid cannot be reached")),
            };
            was_connected != is_connected
        });
        match (changed, is_connected) {
            (false, _) => {}
            (true, true) => tracing::info!(source = self.label, "the grid can be reached again"),
            (true, false) => tracing::warn!(source = self.label, "the grid cannot be reached"),
        }
        open.has_another_manifest().await
    }

    /// Serves tools whose names have become free.
    async fn retry_names(&mut self) {
        let (names, id) = (Arc::clone(&self.shelf), self.id.clone());
        let retried = in_background(move || {
            let before = names.verdict(&id).served;
            names.retry();
            names.verdict(&id).served.saturating_sub(before)
        });
        if let Some(added @ 1..) = retried.await {
            tracing::info!(source = self.label, added, "names have become free");
        }
    }

    /// Lists the tools of a server again, and changes nothing if they are the same.
    async fn refresh(&mut self, upstream: Upstream) {
        match upstream.refresh().await {
            Ok(fresh) if fresh.has_same_tools(&upstream) => {
                self.upstream = Some(fresh);
                self.pass_through().await;
                self.told.send_if_modified(|told| {
                    let was_failing = told.state == SourceState::Failing;
                    (told.state, told.why) = (SourceState::Ready, None);
                    was_failing
                });
            }
            Ok(fresh) => self.install(move || of_upstream(fresh)).await,
            Err(error) => {
                let error = error.to_string();
                tracing::warn!(
                    source = self.label,
                    error,
                    "the tools could not be listed again"
                );
                self.set_failing("the tools could not be listed again");
            }
        }
    }
}

/// What takes long, off the threads that answer requests.
async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = toolpact::background::spawn(work).await;
    done.inspect_err(|error| tracing::error!(%error, "the tools are not up to date"))
        .ok()
}

/// What the tools of a session are called on the shelf.
fn of_session(id: &str, session: &str) -> String {
    format!("{id}/{session}")
}

/// Returns when it is told; never, if nobody tells.
async fn told(changes: Option<&mut watch::Receiver<u64>>) {
    if let Some(changes) = changes
        && changes.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Sources after one that is slow do not wait for ever.
async fn release(shelf: Arc<Shelf>, id: String) {
    tokio::time::sleep(PATIENCE).await;
    in_background(move || shelf.release(&id)).await;
}

/// Returns when a server announces that its tools have changed, but not before it is time, or when they are due
/// anyway.
async fn list_may_have_changed(
    list: Option<&mut watch::Receiver<u64>>,
    earliest: Instant,
    due: Instant,
) {
    let Some(list) = list else {
        return std::future::pending().await;
    };
    tokio::select! {
        () = tokio::time::sleep_until(due) => {}
        () = async {
            tokio::time::sleep_until(earliest).await;
            if list.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        } => {}
    }
}
