//! A service that says what its connection does, and tells who sends its requests.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tower_service::Service;

use crate::peer::Peer;
use crate::places::Place;

#[derive(Clone)]
pub(crate) struct Tracked<S> {
    inner: S,
    peer: Peer,
}

impl<S> Tracked<S> {
    pub(crate) fn new(inner: S, peer: Peer) -> Self {
        Self { inner, peer }
    }
}

pin_project! {
    pub(crate) struct TrackedFuture<F> {
        #[pin]
        future: F,
        working: Option<Working>,
    }
}

pin_project! {
    /// A body; its connection rests when it is sent or dropped.
    pub(crate) struct TrackedBody<B> {
        #[pin]
        body: B,
        working: Option<Working>,
    }
}

struct Working(Arc<Place>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.rest();
    }
}

impl<S, Q, B> Service<Request<Q>> for Tracked<S>
where
    S: Service<Request<Q>, Response = Response<B>>,
    Q: Body,
{
    type Response = Response<TrackedBody<B>>;
    type Error = S::Error;
    type Future = TrackedFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Q>) -> Self::Future {
        let place = &self.peer.place;
        match request.body().is_end_stream() {
            true => place.work(),
            false => place.receive(),
        }
        let working = Some(Working(Arc::clone(place)));
        request.extensions_mut().insert(self.peer.clone());
        let future = self.inner.call(request);
        TrackedFuture { future, working }
    }
}

impl<F, B, E> Future for TrackedFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Response<TrackedBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = ready!(this.future.poll(context))?;
        let working = this.working.take();
        // Also where nobody has read the request.
        if let Some(Working(place)) = &working {
            place.work();
        }
        Poll::Ready(Ok(response.map(|body| TrackedBody { body, working })))
    }
}

impl<B: Body> Body for TrackedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        self.project().body.poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
