//! Calls that are under way, whoever waits for them.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::RequestContext;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::asking::Asking;
use super::reply::Reply;

/// What comes of a call.
type Outcome = Result<Reply, ErrorData>;

/// A call that is under way. If nobody waits for it any more, it is dropped, or it goes on alone.
pub(crate) struct Calling {
    call: Option<Pin<Box<dyn Future<Output = Outcome> + Send>>>,
    cancel: CancellationToken,
    asking: Arc<Asking>,
    goes_on: bool,
}

impl Calling {
    pub(super) fn new(
        call: impl Future<Output = Outcome> + Send + 'static,
        cancel: CancellationToken,
        asking: Arc<Asking>,
        goes_on: bool,
    ) -> Self {
        Self {
            call: Some(Box::pin(call)),
            cancel,
            asking,
            goes_on,
        }
    }

    /// What the tool asks its client.
    pub(crate) fn asking(&self) -> Arc<Asking> {
        Arc::clone(&self.asking)
    }

    /// Waits for the end of the call, which comes sooner if it is cancelled.
    pub(super) async fn unless(mut self, cancelled: &CancellationToken) -> Outcome {
        tokio::select! {
            biased;
            outcome = &mut self => return outcome,
            () = cancelled.cancelled() => self.cancel.cancel(),
        }
        self.await
    }
}

impl Future for Calling {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let Some(call) = &mut self.call else {
            return Poll::Pending;
        };
        let outcome = call.as_mut().poll(context);
        if outcome.is_ready() {
            self.call = None;
        }
        outcome
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        let call = self.call.take().filter(|_| self.goes_on);
        self.asking.lose();
        if let (Some(call), Ok(runtime)) = (call, Handle::try_current()) {
            runtime.spawn(call);
        }
    }
}

/// A call that had begun before the library heard of it. It is put beside the message.
#[derive(Clone)]
pub(crate) struct Begun(Arc<Mutex<Option<Calling>>>);

impl Begun {
    pub(crate) fn new(calling: Calling) -> Self {
        Self(Arc::new(Mutex::new(Some(calling))))
    }

    /// Waits for the call that was put beside this message, if there is one.
    pub(super) async fn finish(context: &RequestContext<RoleServer>) -> Option<Outcome> {
        let parts = context.extensions.get::<http::request::Parts>()?;
        let Self(begun) = parts.extensions.get::<Self>()?;
        let calling = begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        match calling {
            Some(calling) => {
                calling.asking.reach(context);
                Some(calling.unless(&context.ct).await)
            }
            // It must not be made twice.
            None => Some(Err(ErrorData::internal_error("The call was lost.", None))),
        }
    }
}
