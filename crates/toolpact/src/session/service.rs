//! A session as a service of `tower`, so that its layers can be put around it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Session;
use crate::{Call, Completed};

/// Always ready: what is too much is refused with a result that says so.
impl Service<Call> for Session {
    type Response = Completed;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Completed, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: Call) -> Self::Future {
        let session = self.clone();
        Box::pin(async move { Ok(Session::call(&session, call).await) })
    }
}
