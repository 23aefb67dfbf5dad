use std::sync::{Arc, Weak};

use crate::Event;
use crate::shared::Shared;

/// Writes lines about what is no call into an audit, for as long as its [`AuditLog`](crate::AuditLog) is open. Cloning
/// is cheap.
#[derive(Clone)]
pub struct AuditEvents(Weak<Shared>);

impl AuditEvents {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self(Arc::downgrade(shared))
    }

    /// Writes a line. One that cannot be written now is written with the next that can.
    pub fn write(&self, event: &Event) {
        let Some(shared) = self.0.upgrade() else {
            return;
        };
        let mut writer = shared.writer();
        writer.event(event);
        if let Err(error) = writer.write() {
            tracing::error!(target: "toolpact::audit", %error, "an event could not be recorded yet");
        }
        drop(writer);
        shared.written();
    }
}

impl std::fmt::Debug for AuditEvents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuditEvents").finish_non_exhaustive()
    }
}
