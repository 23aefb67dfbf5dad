//! Bodies of requests, within limits.

use std::error::Error;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::Collect;
use http_body_util::{BodyExt as _, Collected, LengthLimitError, Limited};
use pin_project_lite::pin_project;
use tokio::time::{Timeout, timeout};
use tower_layer::Layer;
use tower_service::Service;

use crate::Refusal;

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
    respond: fn(Refusal) -> Response<R>,
    collected: PhantomData<fn() -> C>,
}

/// A service behind a [`BodyLayer`].
pub struct BodyService<S, C, R> {
    layer: BodyLayer<C, R>,
    inner: S,
}

/// Reads a body.
pub type ReadBody<B> = Collect<Limited<B>>;

pin_project! {
    /// The answer of a [`BodyService`].
    pub struct BodyFuture<T, S, C, R>
    where
        S: Service<Request<C>>,
    {
        #[pin]
        state: State<T, S, S::Future>,
        layer: BodyLayer<C, R>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<T, S, F> {
        Reading { #[pin] body: Timeout<T>, parts: Option<Parts>, inner: S },
        Running { #[pin] future: F },
        Refused { refusal: Refusal },
    }
}

impl<C, R> BodyLayer<C, R> {
    /// The limits, and how what is beyond them is refused.
    pub fn new(limits: BodyLimits, respond: fn(Refusal) -> Response<R>) -> Self {
        Self {
            limits,
            respond,
            collected: PhantomData,
        }
    }
}

impl<S, C, R> Layer<S> for BodyLayer<C, R> {
    type Service = BodyService<S, C, R>;

    fn layer(&self, inner: S) -> Self::Service {
        let layer = *self;
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
    type Future = BodyFuture<ReadBody<B>, S, C, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let BodyLimits { bytes, time } = self.layer.limits;
        let promised = usize::try_from(body.size_hint().lower());
        let state = match promised {
            _ if parts.method != Method::POST => State::Running {
                future: self.inner.call(with_body(parts, Bytes::new())),
            },
            Ok(promised) if promised <= bytes => {
                // The one that is ready is called; the copy has to become so.
                let next = self.inner.clone();
                State::Reading {
                    body: timeout(time, Limited::new(body, bytes).collect()),
                    parts: Some(parts),
                    inner: std::mem::replace(&mut self.inner, next),
                }
            }
            _ => State::Refused {
                refusal: too_large(bytes),
            },
        };
        let layer = self.layer;
        BodyFuture { state, layer }
    }
}

impl<T, D, S, C, R> Future for BodyFuture<T, S, C, R>
where
    T: Future<Output = Result<Collected<D>, Box<dyn Error + Send + Sync>>>,
    D: Buf,
    S: Service<Request<C>, Response = Response<R>>,
    C: From<Bytes>,
{
    type Output = Result<Response<R>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let BodyLayer {
            limits, respond, ..
        } = *this.layer;
        loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Running { future } => return future.poll(context),
                StateProjection::Refused { refusal } => {
                    return Poll::Ready(Ok(respond(refusal.clone())));
                }
                StateProjection::Reading { body, parts, inner } => {
                    let read = match ready!(body.poll(context)) {
                        Ok(read) => read.map_err(|error| unreadable(&*error, limits)),
                        Err(_) => Err(too_slow(limits)),
                    };
                    match (read, parts.take()) {
                        (Ok(body), Some(parts)) => State::Running {
                            future: inner.call(with_body(parts, body.to_bytes())),
                        },
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

fn too_large(most: usize) -> Refusal {
    let message = format!("expected a request of at most {most} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn too_slow(limits: BodyLimits) -> Refusal {
    let message = format!("expected the whole request within {:?}", limits.time);
    Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
}

fn unreadable(error: &(dyn Error + Send + Sync + 'static), limits: BodyLimits) -> Refusal {
    if error.is::<LengthLimitError>() {
        return too_large(limits.bytes);
    }
    tracing::debug!(target: "toolpact::http", %error, "a request could not be read");
    Refusal::new(StatusCode::BAD_REQUEST, "expected a whole request")
}

impl<C, R> Clone for BodyLayer<C, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, R> Copy for BodyLayer<C, R> {}

impl<S: Clone, C, R> Clone for BodyService<S, C, R> {
    fn clone(&self) -> Self {
        let (layer, inner) = (self.layer, self.inner.clone());
        Self { layer, inner }
    }
}

impl<C, R> std::fmt::Debug for BodyLayer<C, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BodyLayer").field(&self.limits).finish()
    }
}
