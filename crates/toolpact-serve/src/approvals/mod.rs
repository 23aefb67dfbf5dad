//! Calls that are held until someone with the right has decided about them.

mod counts;
mod held;
mod hold;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use toolpact::call::{Answer, Proposal};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::observe::Reading;
use toolpact::{Principal, ToolError};
use toolpact_audit::AuditConfig;
use toolpact_policy::{HeldApproval, PolicyGuard};

use counts::{Counts, Outcome};
pub(crate) use held::HeldCall;
use hold::Hold;

/// The calls that are held. Cloning is cheap, and clones have the same calls.
#[derive(Clone)]
pub(crate) struct Approvals(Arc<Inner>);

struct Inner {
    guard: PolicyGuard,
    audit: Option<AuditConfig>,
    config: RwLock<Option<Arc<HeldApproval>>>,
    table: Mutex<Table>,
    counts: Counts,
}

#[derive(Default)]
struct Table {
    /// Whether anybody can decide: there is a REST API, and the server does not end.
    is_open: bool,
    /// In the order they came.
    calls: BTreeMap<u64, Waiting>,
    next: u64,
}

struct Waiting {
    call: HeldCall,
    caller: Principal,
    answer: oneshot::Sender<Answer>,
}

/// Why somebody does not decide about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// They may not decide about any.
    NoRight,
    /// It is their own.
    Own,
    /// It is not held, or not for them to know.
    Unknown,
}

/// When a caller comes back who found no room.
const COME_BACK: Duration = Duration::from_secs(10);

impl Approvals {
    /// Nothing is held until there is a config and somebody can decide.
    pub(crate) fn new(guard: PolicyGuard, audit: Option<AuditConfig>) -> Self {
        Self(Arc::new(Inner {
            guard,
            audit,
            config: RwLock::default(),
            table: Mutex::default(),
            counts: Counts::default(),
        }))
    }

    /// Goes on with another config. Without one, nobody can decide about calls any more, so none is held.
    pub(crate) fn configure(&self, config: Option<&HeldApproval>) {
        let config = config.cloned().map(Arc::new);
        let is_held = config.is_some();
        *self
            .0
            .config
            .write()
            .unwrap_or_else(PoisonError::into_inner) = config;
        if !is_held {
            self.0.give_up();
        }
    }

    /// From now on there are people who can decide.
    pub(crate) fn open(&self) {
        self.0.table().is_open = true;
    }

    /// The server comes to its end: calls that are held are denied at once, and so are those to come.
    pub(crate) fn close(&self) {
        self.0.table().is_open = false;
        self.0.give_up();
    }

    /// The calls that somebody may decide about, in the order they came.
    pub(crate) fn list(&self, approver: &Principal) -> Result<Vec<HeldCall>, Refused> {
        let config = self.0.config_for(approver)?;
        let table = self.0.table();
        let calls = table.calls.values();
        let calls = calls.filter(|waiting| config.approvers.may_decide(approver, &waiting.caller));
        Ok(calls.map(|waiting| waiting.call.clone()).collect())
    }

    /// Approves or denies a call.
    pub(crate) fn decide(
        &self,
        id: &str,
        approver: &Principal,
        is_approval: bool,
        reason: Option<&str>,
    ) -> Result<HeldCall, Refused> {
        let config = self.0.config_for(approver)?;
        let waiting = {
            let mut table = self.0.table();
            let found = table.calls.iter().find(|(_, one)| one.call.id == id);
            let found = found.filter(|(_, one)| config.approvers.may_see(approver, &one.caller));
            let (place, found) = found.ok_or(Refused::Unknown)?;
            if found.caller == *approver {
                return Err(Refused::Own);
            }
            let place = *place;
            table.calls.remove(&place).ok_or(Refused::Unknown)?
        };
        let (answer, outcome) = match is_approval {
            true => (Answer::approved(), Outcome::Approved),
            false => (Answer::denied(), Outcome::Denied),
        };
        let mut answer = answer.by(approver.clone());
        if let Some(reason) = reason {
            answer = answer.because(reason);
        }
        let Waiting {
            call, answer: to, ..
        } = waiting;
        // Whoever waited may have left in this moment.
        if to.send(answer).is_err() {
            self.0.counts.count(Outcome::Withdrawn);
            call.log(Outcome::Withdrawn, None, None);
            return Err(Refused::Unknown);
        }
        self.0.counts.count(outcome);
        call.log(outcome, Some(approver), reason);
        Ok(call)
    }

    /// What is measured.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let waiting = self.0.table().calls.len();
        self.0.counts.readings(waiting)
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn config(&self) -> Option<Arc<HeldApproval>> {
        let config = self.config.read();
        config.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn config_for(&self, approver: &Principal) -> Result<Arc<HeldApproval>, Refused> {
        let config = self.config();
        config
            .filter(|config| config.approvers.include(approver))
            .ok_or(Refused::NoRight)
    }

    /// Denies all calls that are held.
    fn give_up(&self) {
        let calls = std::mem::take(&mut self.table().calls);
        for waiting in calls.into_values() {
            self.counts.count(Outcome::Withdrawn);
            waiting.call.log(Outcome::Withdrawn, None, None);
            drop(waiting.answer.send(Answer::unavailable()));
        }
    }

    /// Begins to hold a call.
    fn hold(&self, proposal: &Proposal<'_>, question: &str) -> Result<Hold<'_>, Answer> {
        let config = self.config().ok_or_else(Answer::unavailable)?;
        let call = HeldCall::new(proposal, question, &config, self.audit.as_ref());
        let call = call.ok_or_else(Answer::unavailable)?;
        let caller = proposal.principal().clone();
        let (sender, answer) = oneshot::channel();
        let mut table = self.table();
        if !table.is_open {
            return Err(Answer::unavailable());
        }
        let own = table.calls.values().filter(|one| one.caller == caller);
        let is_full = own.count() >= config.most_per_principal.get();
        if is_full || table.calls.len() >= config.most.get() {
            drop(table);
            self.counts.count(Outcome::Refused);
            call.log(Outcome::Refused, None, None);
            return Err(Answer::not_now(too_many()));
        }
        let logged = call.clone();
        let place = table.next;
        table.next = place.wrapping_add(1);
        let waiting = Waiting {
            call,
            caller,
            answer: sender,
        };
        table.calls.insert(place, waiting);
        // A log that nobody reads must not hold up those who decide.
        drop(table);
        logged.log(Outcome::Held, None, None);
        self.counts.count(Outcome::Held);
        Ok(Hold {
            inner: self,
            place,
            until: Instant::now().checked_add(config.timeout()),
            answer,
        })
    }
}

fn too_many() -> ToolError {
    let message =
        "Too many calls wait for an approval. Wait until some are decided, and try again.";
    let ms = i64::try_from(COME_BACK.as_millis()).unwrap_or(i64::MAX);
    StandardError::new(ErrorKind::TooManyAtOnce, message)
        .with_detail("retry_after_ms", ms)
        .into()
}
