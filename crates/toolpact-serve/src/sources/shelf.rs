//! Which source has which name. The order of the config decides, and not who starts first.

mod decide;
mod quarantine;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolpact::core::diff::ToolDiff;
use toolpact::core::lock::{Difference, DifferenceKind};
use toolpact::core::model::ToolName;
use toolpact::{Definition, Registry};
use toolpact_audit::AuditEvents;

use super::lock::LockKeeper;
use super::state::LockHealth;
use crate::config::Trust;
use decide::{Claims, decide};

/// Most names that the log has.
const LOGGED: usize = 20;

/// The tools of all sources. Its methods take time where there are many tools, except for
/// [`Shelf::verdict`].
#[derive(Debug)]
pub(crate) struct Shelf {
    registry: Registry,
    /// For what is told of tools in quarantine.
    events: Option<AuditEvents>,
    /// Held while tools are registered.
    state: Mutex<State>,
    verdicts: Mutex<HashMap<Arc<str>, Verdict>>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order of the config.
    sources: Vec<Offer>,
    /// The tools that are registered, by the names that calls use.
    served: Claims,
    /// What was agreed on.
    keeper: LockKeeper,
}

/// A source as the config has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) id: &'p str,
    /// What the lock calls it.
    pub(crate) label: &'p str,
    pub(crate) trust: Option<Trust>,
}

/// What a source has.
#[derive(Debug)]
struct Offer {
    id: Arc<str>,
    label: Arc<str>,
    trust: Option<Trust>,
    toolset: Option<Arc<str>>,
    /// Whether it is known what it has, or it has had its time to tell.
    is_settled: bool,
    /// Whether it is known what it has.
    has_told: bool,
    tools: Vec<Offered>,
    /// What is not as the lock says.
    differences: Arc<[Difference]>,
    /// What the first of them mean.
    meanings: Arc<[Option<ToolDiff>]>,
}

/// A tool of a source.
#[derive(Debug)]
struct Offered {
    /// The one that calls use.
    name: Arc<str>,
    definition: Definition,
    standing: Standing,
}

/// Whether a tool is what was agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is, or nobody asks.
    Agreed,
    /// Its name was agreed on for another contract, so it is kept from others, too.
    Changed,
    /// There was no such tool.
    Unknown,
}

/// What became of the tools of a source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    pub(crate) served: usize,
    /// The names that others have.
    pub(crate) taken: Vec<Arc<str>>,
    /// The names that sources before it may have, which have not started yet.
    pub(crate) waiting: Vec<Arc<str>>,
    /// Whether one of the names is taken by a tool that is of no source, and so may become free at any time.
    pub(crate) is_retried: bool,
    /// The names of those that are not what was agreed on.
    pub(crate) quarantined: Vec<Arc<str>>,
    /// All that is not as the lock says, by the names that the source has for its tools.
    pub(crate) differences: Arc<[Difference]>,
    /// What the first of them mean for those who use the tools.
    pub(crate) meanings: Arc<[Option<ToolDiff>]>,
    label: Arc<str>,
}

impl Shelf {
    pub(crate) fn new(registry: Registry, keeper: LockKeeper, events: Option<AuditEvents>) -> Self {
        Self {
            registry,
            events,
            state: Mutex::new(State {
                keeper,
                ..State::default()
            }),
            verdicts: Mutex::default(),
        }
    }

    /// Takes note of a source that is about to start, after those that are there.
    pub(crate) fn add(&self, place: Place<'_>, toolset: Option<&str>) {
        self.state().sources.push(Offer {
            id: place.id.into(),
            label: place.label.into(),
            trust: place.trust,
            toolset: toolset.map(Into::into),
            is_settled: false,
            has_told: false,
            tools: Vec::new(),
            differences: Arc::default(),
            meanings: Arc::default(),
        });
    }

    /// Serves these tools of a source in the place of those that it had. Returns those that cannot be served
    /// at all.
    pub(crate) fn offer(&self, id: &str, tools: Vec<Definition>) -> Vec<String> {
        let mut state = self.state();
        let state = &mut *state;
        let Some(source) = state.sources.iter_mut().find(|source| *source.id == *id) else {
            return Vec::new();
        };
        let wrong = source.set(tools);
        source.hold_to(&mut state.keeper);
        self.settle(state);
        wrong
    }

    /// Waits no longer for a source before it serves those after it.
    pub(crate) fn release(&self, id: &str) {
        let mut state = self.state();
        let source = state.sources.iter_mut().find(|source| *source.id == *id);
        if let Some(source) = source.filter(|source| !source.is_settled) {
            source.is_settled = true;
            self.settle(&mut state);
        }
    }

    /// Takes the tools of a source out.
    pub(crate) fn remove(&self, id: &str) {
        let mut state = self.state();
        state.sources.retain(|source| *source.id != *id);
        self.settle(&mut state);
    }

    /// The order of the config, and what the sources are called in it.
    pub(crate) fn arrange<'p>(&self, places: impl IntoIterator<Item = Place<'p>>) {
        let places: HashMap<&str, (usize, Place<'_>)> = { places.into_iter().enumerate() }
            .map(|(at, place)| (place.id, (at, place)))
            .collect();
        let at = |source: &Offer| places.get(&*source.id).map_or(usize::MAX, |(at, _)| *at);
        let mut state = self.state();
        let state = &mut *state;
        let mut has_changed = !state.sources.is_sorted_by_key(at);
        state.sources.sort_by_key(at);
        for source in &mut state.sources {
            let Some((_, place)) = places.get(&*source.id) else {
                continue;
            };
            if (&*source.label, source.trust) != (place.label, place.trust) {
                (source.label, source.trust) = (place.label.into(), place.trust);
                source.hold_again(&mut state.keeper);
                has_changed = true;
            }
        }
        if has_changed {
            self.settle(state);
        }
    }

    /// Holds all sources to the lock as it is now, if that has changed.
    pub(crate) fn follow_lock(&self) {
        let mut state = self.state();
        let state = &mut *state;
        if state.keeper.follow() {
            for source in &mut state.sources {
                source.hold_again(&mut state.keeper);
            }
            self.settle(state);
        }
    }

    /// Looks whether names have become free.
    pub(crate) fn retry(&self) {
        self.settle(&mut self.state());
    }

    /// Whether there is a lock.
    pub(crate) fn has_lock(&self) -> bool {
        self.state().keeper.is_there()
    }

    /// What became of the tools of a source.
    pub(crate) fn verdict(&self, id: &str) -> Verdict {
        self.verdicts().get(id).cloned().unwrap_or_default()
    }

    fn settle(&self, state: &mut State) {
        let (claims, verdicts) = decide(&state.sources, &state.served, &self.registry);
        claims.register(&state.served, &self.registry);
        state.served = claims;
        let before = std::mem::replace(&mut *self.verdicts(), verdicts.clone());
        for (id, now) in &verdicts {
            now.log(
                before.get(id).unwrap_or(&Verdict::default()),
                self.events.as_ref(),
            );
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdicts(&self) -> MutexGuard<'_, HashMap<Arc<str>, Verdict>> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Verdict {
    /// What is not served and was not told before.
    fn log(&self, before: &Self, events: Option<&AuditEvents>) {
        let source = &*self.label;
        if self.differences != before.differences {
            quarantine::tell(source, &self.differences, &before.differences, events);
        }
        if let Some((count, names)) = told(&self.taken, &before.taken) {
            tracing::warn!(
                source,
                count,
                names,
                "tools are not served, since others have their names; give a source a `name`, which \
                 becomes a part of the names of its tools"
            );
        }
        if let Some((count, names)) = told(&self.waiting, &before.waiting) {
            tracing::info!(
                source,
                count,
                names,
                "tools are not served yet, since sources before this one may have their names"
            );
        }
    }
}

impl Standing {
    fn of(kind: &DifferenceKind) -> Self {
        match kind {
            DifferenceKind::Changed => Standing::Changed,
            _ => Standing::Unknown,
        }
    }
}

/// How many names there are, and the first of them, if there are others than before.
fn told(names: &[Arc<str>], before: &[Arc<str>]) -> Option<(usize, String)> {
    (!names.is_empty() && names != before).then(|| {
        let first: Vec<&str> = names.iter().take(LOGGED).map(|name| &**name).collect();
        (names.len(), first.join(", "))
    })
}

impl Offer {
    /// Returns the tools that cannot be served: with the name of the source in front, a name may become too
    /// long.
    fn set(&mut self, tools: Vec<Definition>) -> Vec<String> {
        let mut wrong = Vec::new();
        self.is_settled = true;
        self.tools.clear();
        for tool in tools {
            let name = match &self.toolset {
                Some(toolset) => format!("{toolset}__{}", tool.contract().name()),
                None => tool.contract().name().to_string(),
            };
            match ToolName::new(&name) {
                Ok(_) => self.tools.push(Offered {
                    name: name.into(),
                    definition: tool,
                    standing: Standing::Agreed,
                }),
                Err(violations) => {
                    let why = violations.iter().next().map(ToString::to_string);
                    wrong.push(format!("`{name}` is no name: {}", why.unwrap_or_default()));
                }
            }
        }
        wrong
    }

    /// Holds its tools to the lock, if it has told which it has.
    fn hold_again(&mut self, keeper: &mut LockKeeper) {
        // Before, nothing could be called gone.
        if self.has_told {
            self.hold_to(keeper);
        }
    }

    fn hold_to(&mut self, keeper: &mut LockKeeper) {
        self.has_told = true;
        let contracts = self.tools.iter().map(|tool| tool.definition.contract());
        let differences = keeper.differences(&self.label, self.trust, contracts);
        let standings: HashMap<&str, Standing> = differences
            .iter()
            .filter(|difference| difference.is_there())
            .map(|difference| (difference.tool.as_str(), Standing::of(&difference.kind)))
            .collect();
        for tool in &mut self.tools {
            let name = tool.definition.contract().name().as_str();
            tool.standing = standings.get(name).copied().unwrap_or(Standing::Agreed);
        }
        if *self.differences != *differences {
            let told = differences.iter().take(LockHealth::TOLD);
            self.meanings = told.map(|one| self.meaning(one, keeper)).collect();
            self.differences = differences.into();
        }
    }

    /// What a change means for those who use a tool that was there.
    fn meaning(&self, difference: &Difference, keeper: &LockKeeper) -> Option<ToolDiff> {
        let was = match &difference.kind {
            DifferenceKind::RenamedFrom(was) => was,
            DifferenceKind::Changed => &difference.tool,
            _ => return None,
        };
        let old = keeper.locked(&self.label, was.as_str())?;
        let mut new = self.tools.iter().map(|tool| tool.definition.contract());
        let new = new.find(|new| new.name() == &difference.tool)?;
        Some(ToolDiff::between(old, new))
    }

    /// Whether it could have a tool of this name.
    fn may_have(&self, name: &str) -> bool {
        match &self.toolset {
            Some(toolset) => name
                .strip_prefix(&**toolset)
                .is_some_and(|rest| rest.starts_with("__")),
            None => true,
        }
    }
}
