use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use toolpact_core::Principal;

use super::RegisteredTool;
use crate::session::names::View;

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

/// How many views of principals are remembered.
const MOST: usize = 1024;

/// By all that is known about principals: of which view, and what is left of it.
type Made = HashMap<String, (Weak<View>, Arc<View>)>;

/// A filter, and what it has left of views.
pub(super) struct FilteredViews {
    filter: Arc<dyn ToolFilter>,
    made: Mutex<Made>,
}

impl FilteredViews {
    pub(super) fn new(filter: Arc<dyn ToolFilter>) -> Self {
        Self {
            filter,
            made: Mutex::default(),
        }
    }

    /// What a principal sees of a view.
    pub(super) fn of(&self, view: &Arc<View>, principal: &Principal) -> Arc<View> {
        let key = principal.fingerprint();
        if let Some((of, made)) = self.made().get(&key)
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(view))
        {
            return Arc::clone(made);
        }
        let filtered = view.only(|tool| self.filter.sees(principal, tool));
        let filtered = Arc::new(filtered);
        let mut made = self.made();
        if made.len() >= MOST {
            made.clear();
        }
        made.insert(key, (Arc::downgrade(view), Arc::clone(&filtered)));
        filtered
    }

    /// Forgets everything, since the filter decides otherwise now.
    pub(super) fn clear(&self) {
        self.made().clear();
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
