//! A call that is waited for.

use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::model::ErrorData;
use tokio::runtime::Handle;

use crate::server::{Answer, Calling};

/// A call that is waited for. If nobody waits for it any more, it is dropped, or it goes on alone.
pub(super) struct Waiting {
    calling: Option<Calling>,
    goes_on: bool,
}

impl Waiting {
    pub(super) fn new(calling: Calling, goes_on: bool) -> Self {
        let calling = Some(calling);
        Self { calling, goes_on }
    }

    /// The call, if it is under way still.
    pub(super) fn take(&mut self) -> Option<Calling> {
        self.calling.take()
    }
}

impl Future for Waiting {
    type Output = Result<Answer, ErrorData>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(calling) = &mut self.calling else {
            return Poll::Pending;
        };
        let progress = calling.as_mut().poll(context);
        if progress.is_ready() {
            self.calling = None;
        }
        progress
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let calling = self.calling.take().filter(|_| self.goes_on);
        if let (Some(calling), Ok(runtime)) = (calling, Handle::try_current()) {
            runtime.spawn(calling);
        }
    }
}
