//! Bodies of requests, within limits.

use std::error::Error;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response};
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};
use tower_layer::Layer;
use tower_service::Service;

use crate::read_body::{ReadBody, too_large, too_slow};
use crate::{Peer, Refusal};
use toolpact_core::memory::{MemoryBudget, MemoryShare};

/// How large a body may be, and how long its client may take to send it.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a body has no more than size and time"
)]
pub struct BodyLimits {
    /// Most bytes.
    pub bytes: usize,
    /// From the head of the request to the end of its body.
    pub time: Duration,
}

/// Reads the bodies of `POST` requests before the service is called, as a `C` such as [`Bytes`]. The
/// service sees no bodies of other requests: none of ours has a meaning.
pub struct BodyLayer<C, R> {
    limits: BodyLimits,
    budget: Option<Arc<MemoryBudget>>,
    respond: fn(&Refusal) -> Response<R>,
    collected: PhantomData<fn() -> C>,
}

/// A service behind a [`BodyLayer`].
pub struct BodyService<S, C, R> {
    layer: BodyLayer<C, R>,
    inner: S,
}

pin_project! {
    /// The answer of a [`BodyService`].
    pub struct BodyFuture<B, S, C, R>
    where
        S: Service<Request<C>>,
    {
        #[pin]
        state: State<B, S, S::Future>,
        limits: BodyLimits,
        respond: fn(&Refusal) -> Response<R>,
        // Until the request is answered.
        share: Option<MemoryShare>,
        collected: PhantomData<fn() -> C>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<B, S, F> {
        // The time runs if the body is not there with the head.
        Reading { #[pin] body: ReadBody<B>, #[pin] time: Option<Sleep>, parts: Option<Parts>, inner: S },
        Running { #[pin] future: F },
        Refused { refusal: Refusal },
    }
}

impl<C, R> BodyLayer<C, R> {
    /// The limits, and how what is beyond them is refused.
    pub fn new(limits: BodyLimits, respond: fn(&Refusal) -> Response<R>) -> Self {
        Self {
            limits,
            budget: None,
            respond,
            collected: PhantomData,
        }
    }

    /// All bodies together take no more memory than this, as long as their requests are not answered.
    #[must_use]
    pub fn within(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.budget = Some(budget);
        self
    }
}

impl<S, C, R> Layer<S> for BodyLayer<C, R> {
    type Service = BodyService<S, C, R>;

    fn layer(&self, inner: S) -> Self::Service {
        let layer = self.clone();
        BodyService { layer, inner }
    }
}

impl<S, B, C, R> Service<Request<B>> for BodyService<S, C, R>
where
    S: Service<Request<C>, Response = Response<R>> + Clone,
    B: http_body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
    C: From<Bytes>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = BodyFuture<B, S, C, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let BodyLimits { bytes, .. } = self.layer.limits;
        let share = self.layer.budget.as_ref().and_then(|budget| budget.take(0));
        let state = match usize::try_from(body.size_hint().lower()) {
            _ if parts.method != Method::POST => State::Running {
                future: self.inner.call(with_body(parts, Bytes::new())),
            },
            Ok(promised) if promised <= bytes => {
                // The one that is ready is called; the copy has to become so.
                let next = self.inner.clone();
                State::Reading {
                    body: ReadBody::new(body, bytes, share),
                    time: None,
                    parts: Some(parts),
                    inner: std::mem::replace(&mut self.inner, next),
                }
            }
            _ => State::Refused {
                refusal: too_large(bytes),
            },
        };
        BodyFuture {
            state,
            limits: self.layer.limits,
            respond: self.layer.respond,
            share: None,
            collected: PhantomData,
        }
    }
}

impl<B, S, C, R> Future for BodyFuture<B, S, C, R>
where
    B: http_body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
    S: Service<Request<C>, Response = Response<R>>,
    C: From<Bytes>,
{
    type Output = Result<Response<R>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Running { future } => return future.poll(context),
                StateProjection::Refused { refusal } => {
                    return Poll::Ready(Ok((this.respond)(refusal)));
                }
                StateProjection::Reading {
                    body,
                    mut time,
                    parts,
                    inner,
                } => {
                    let read = match body.poll(context) {
                        Poll::Ready(read) => read,
                        Poll::Pending => {
                            if time.is_none() {
                                time.set(Some(sleep(this.limits.time)));
                            }
                            let time = time.as_pin_mut();
                            ready!(time.map_or(Poll::Pending, |time| time.poll(context)));
                            Err(too_slow(*this.limits))
                        }
                    };
                    match (read, parts.take()) {
                        (Ok((body, share)), Some(parts)) => {
                            *this.share = share;
                            Peer::received(&parts.extensions);
                            State::Running {
                                future: inner.call(with_body(parts, body)),
                            }
                        }
                        (Err(refusal), _) => State::Refused { refusal },
                        (Ok(_), None) => return Poll::Pending,
                    }
                }
            };
            this.state.set(next);
        }
    }
}

fn with_body<C: From<Bytes>>(parts: Parts, body: Bytes) -> Request<C> {
    Request::from_parts(parts, body.into())
}

impl<C, R> Clone for BodyLayer<C, R> {
    fn clone(&self) -> Self {
        Self {
            limits: self.limits,
            budget: self.budget.clone(),
            respond: self.respond,
            collected: PhantomData,
        }
    }
}

impl<S: Clone, C, R> Clone for BodyService<S, C, R> {
    fn clone(&self) -> Self {
        let (layer, inner) = (self.layer.clone(), self.inner.clone());
        Self { layer, inner }
    }
}

impl<C, R> std::fmt::Debug for BodyLayer<C, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BodyLayer").field(&self.limits).finish()
    }
}
