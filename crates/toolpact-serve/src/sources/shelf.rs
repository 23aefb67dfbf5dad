//! Which source has which name. The order of the config decides, and not who starts first.

mod decide;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolpact::core::model::ToolName;
use toolpact::{Definition, Registry};

use decide::{Claims, decide};

/// Most names that the log has.
const LOGGED: usize = 20;

/// The tools of all sources. Its methods take time where there are many tools, except for
/// [`Shelf::verdict`].
#[derive(Debug)]
pub(crate) struct Shelf {
    registry: Registry,
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
}

/// What a source has.
#[derive(Debug)]
struct Offer {
    id: Arc<str>,
    toolset: Option<Arc<str>>,
    /// Whether it is known what it has, or it has had its time to tell.
    is_settled: bool,
    /// With the names that calls use.
    tools: Vec<(Arc<str>, Definition)>,
}

/// What became of the tools of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) served: usize,
    /// The names that others have.
    pub(crate) taken: Vec<Arc<str>>,
    /// The names that sources before it may have, which have not started yet.
    pub(crate) waiting: Vec<Arc<str>>,
    /// Whether one of the names is taken by a tool that is of no source, and so may become free at any time.
    pub(crate) is_retried: bool,
}

impl Shelf {
    pub(crate) fn new(registry: Registry) -> Self {
        Self {
            registry,
            state: Mutex::default(),
            verdicts: Mutex::default(),
        }
    }

    /// Takes note of a source that is about to start, after those that are there.
    pub(crate) fn add(&self, id: &str, toolset: Option<&str>) {
        self.state().sources.push(Offer {
            id: id.into(),
            toolset: toolset.map(Into::into),
            is_settled: false,
            tools: Vec::new(),
        });
    }

    /// Serves these tools of a source in the place of those that it had. Returns those that cannot be served
    /// at all.
    pub(crate) fn offer(&self, id: &str, tools: Vec<Definition>) -> Vec<String> {
        let mut state = self.state();
        let Some(source) = state.source(id) else {
            return Vec::new();
        };
        let wrong = source.set(tools);
        self.settle(&mut state);
        wrong
    }

    /// Waits no longer for a source before it serves those after it.
    pub(crate) fn release(&self, id: &str) {
        let mut state = self.state();
        let source = state.source(id).filter(|source| !source.is_settled);
        if let Some(source) = source {
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

    /// The order of the config.
    pub(crate) fn sort<'i>(&self, ids: impl IntoIterator<Item = &'i str>) {
        let places: HashMap<&str, usize> = ids.into_iter().zip(0..).collect();
        let place = |source: &Offer| places.get(&*source.id).copied().unwrap_or(usize::MAX);
        let mut state = self.state();
        if !state.sources.is_sorted_by_key(place) {
            state.sources.sort_by_key(place);
            self.settle(&mut state);
        }
    }

    /// Looks whether names have become free.
    pub(crate) fn retry(&self) {
        self.settle(&mut self.state());
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
            now.log(id, before.get(id).unwrap_or(&Verdict::default()));
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
    fn log(&self, id: &str, before: &Self) {
        let source = id.rsplit_once('@').map_or(id, |(label, _)| label);
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

/// How many names there are, and the first of them, if there are others than before.
fn told(names: &[Arc<str>], before: &[Arc<str>]) -> Option<(usize, String)> {
    (!names.is_empty() && names != before).then(|| {
        let first: Vec<&str> = names.iter().take(LOGGED).map(|name| &**name).collect();
        (names.len(), first.join(", "))
    })
}

impl State {
    fn source(&mut self, id: &str) -> Option<&mut Offer> {
        self.sources.iter_mut().find(|source| *source.id == *id)
    }
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
                Ok(_) => self.tools.push((name.into(), tool)),
                Err(violations) => {
                    let why = violations.iter().next().map(ToString::to_string);
                    wrong.push(format!("`{name}` is no name: {}", why.unwrap_or_default()));
                }
            }
        }
        wrong
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
