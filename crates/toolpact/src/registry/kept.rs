//! What sessions keep of tools that have changed or gone since they were opened.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many are kept however few tools there are.
const FEW: usize = 1000;

/// A tool takes as much memory as so many places of tools in the order of a view.
const PLACES: usize = 128;

/// Counts what is kept.
#[derive(Default)]
pub(crate) struct Kept {
    tools: AtomicUsize,
    places: AtomicUsize,
}

/// A tool that was replaced or removed, until nobody has it any more.
pub(crate) struct KeptTool(Arc<Kept>);

/// The places of a view, until it is dropped.
pub(crate) struct KeptPlaces {
    kept: Arc<Kept>,
    places: usize,
}

impl Kept {
    pub(crate) fn tool(self: &Arc<Self>) -> KeptTool {
        self.tools.fetch_add(1, Relaxed);
        KeptTool(Arc::clone(self))
    }

    pub(crate) fn places(self: &Arc<Self>, places: usize) -> KeptPlaces {
        self.places.fetch_add(places, Relaxed);
        let kept = Arc::clone(self);
        KeptPlaces { kept, places }
    }

    /// Whether more is kept than so many tools that are registered.
    pub(super) fn is_beyond(&self, registered: usize) -> bool {
        let tools = self.tools.load(Relaxed);
        tools.saturating_add(self.places.load(Relaxed) / PLACES) > registered.max(FEW)
    }
}

impl Drop for KeptTool {
    fn drop(&mut self) {
        self.0.tools.fetch_sub(1, Relaxed);
    }
}

impl Drop for KeptPlaces {
    fn drop(&mut self) {
        self.kept.places.fetch_sub(self.places, Relaxed);
    }
}
