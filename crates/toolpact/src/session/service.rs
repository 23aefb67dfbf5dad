//! A session as a `tower` service, so that it can have layers.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Session;
use crate::{Call, Completed};

/// Always ready: calls beyond the limits get an error as their result.
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
