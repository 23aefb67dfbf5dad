use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use toolpact_core::Principal;

use super::RegisteredTool;
use crate::session::PerPrincipal;
use crate::session::names::{Seen, View};

/// Decides which tools a principal sees at all. What it does not see is not there for it: it is in no list, and
/// calls of it are calls of an unknown tool.
///
/// A session asks when it is opened, or forked for a principal. [`Registry::refresh`](super::Registry::refresh)
/// says that the answers have changed.
pub trait ToolFilter: Send + Sync + 'static {
    /// Whether it does.
    fn sees(&self, principal: &Principal, tool: &RegisteredTool) -> bool;
}

impl<F> ToolFilter for F
where
    F: Fn(&Principal, &RegisteredTool) -> bool + Send + Sync + 'static,
{
    fn sees(&self, principal: &Principal, tool: &RegisteredTool) -> bool {
        self(principal, tool)
    }
}

/// Of how many views it is remembered what principals see of them, and for how many principals.
const VIEWS: usize = 8;
const PRINCIPALS: usize = 1024;

/// How many tools all that principals see of a view may have together: 16 MiB of places.
const PLACES: usize = 4 << 20;

/// The places of tools in a view; all of them without this.
type Places = Option<Arc<[u32]>>;

/// A filter, and what it has left of views.
pub(super) struct FilteredViews {
    filter: Arc<dyn ToolFilter>,
    made: Mutex<Vec<Arc<Filtered>>>,
}

/// What principals see of one view.
struct Filtered {
    /// It is not kept for this.
    view: Weak<View>,
    principals: PerPrincipal<Places>,
    /// Those who see the same tools share them.
    distinct: Mutex<Distinct>,
}

#[derive(Default)]
struct Distinct {
    all: HashSet<Arc<[u32]>>,
    places: usize,
}

impl FilteredViews {
    pub(super) fn new(filter: Arc<dyn ToolFilter>) -> Self {
        Self {
            filter,
            made: Mutex::default(),
        }
    }

    /// Whether a principal would see a tool that is in no view.
    pub(super) fn sees(&self, principal: &Principal, tool: &RegisteredTool) -> bool {
        self.filter.sees(principal, tool)
    }

    /// What a principal sees of a view.
    pub(super) fn of(&self, view: &Arc<View>, principal: &Principal) -> Seen {
        let filtered = self.filtered(view);
        let only = filtered.principals.get(principal, || {
            let seen = view.places(|tool| self.filter.sees(principal, tool));
            (seen.len() < view.len()).then(|| lock(&filtered.distinct).share(&seen))
        });
        Seen::only(Arc::clone(view), only)
    }

    /// Forgets everything, since the filter decides otherwise now. What is being made goes to what is forgotten.
    pub(super) fn clear(&self) {
        lock(&self.made).clear();
    }

    fn filtered(&self, view: &Arc<View>) -> Arc<Filtered> {
        let mut made = lock(&self.made);
        let is_of = |one: &&Arc<Filtered>| std::ptr::eq(one.view.as_ptr(), Arc::as_ptr(view));
        if let Some(one) = made.iter().find(is_of) {
            return Arc::clone(one);
        }
        made.retain(|one| one.view.strong_count() > 0);
        if made.len() >= VIEWS {
            made.remove(0);
        }
        let one = Arc::new(Filtered {
            view: Arc::downgrade(view),
            principals: PerPrincipal::new(PRINCIPALS),
            distinct: Mutex::default(),
        });
        made.push(Arc::clone(&one));
        one
    }
}

impl Distinct {
    fn share(&mut self, places: &[u32]) -> Arc<[u32]> {
        if let Some(known) = self.all.get(places) {
            return Arc::clone(known);
        }
        if self.all.len() >= PRINCIPALS || self.places + places.len() > PLACES {
            // Those that are in use stay so; they are only not found any more.
            *self = Self::default();
        }
        let shared: Arc<[u32]> = places.into();
        self.places += shared.len();
        self.all.insert(Arc::clone(&shared));
        shared
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
