//! The span of a request, with OpenTelemetry's names, and the trace it is part of.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::MatchedPath;
use futures_util::future::Either;
use http::{Request, Response};
use toolpact::observe::trace::{self, Incoming};
use tower_layer::Layer;
use tower_service::Service;
use tracing::Span;
use tracing::field::Empty;

/// Puts a span around requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraceLayer;

#[derive(Debug, Clone)]
pub(super) struct TraceService<S>(S);

impl<S> Layer<S> for TraceLayer {
    type Service = TraceService<S>;

    fn layer(&self, inner: S) -> TraceService<S> {
        TraceService(inner)
    }
}

type Boxed<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl<S, A, B> Service<Request<A>> for TraceService<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = Either<S::Future, Boxed<Response<B>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let incoming = Incoming::new(span(&request), toolpact_http::trace_of(request.headers()));
        let answering = self.0.call(request);
        if incoming.is_untraced() {
            return Either::Left(answering);
        }
        let span = incoming.span().clone();
        Either::Right(Box::pin(incoming.around(async move {
            let answer = answering.await;
            if let Ok(response) = &answer {
                end(&span, response.status());
            }
            answer
        })))
    }
}

/// The route, and not the path: in paths are the names of sessions, who knows one may use it.
fn span<A>(request: &Request<A>) -> Span {
    let route = || request.extensions().get::<MatchedPath>();
    tracing::info_span!(
        target: trace::SPANS,
        "http",
        otel.name = name(request, route().map(MatchedPath::as_str)),
        otel.kind = "server",
        http.request.method = known(request.method()),
        http.route = route().map(MatchedPath::as_str),
        url.scheme = "http",
        http.response.status_code = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

fn name<A>(request: &Request<A>, route: Option<&str>) -> String {
    match (known(request.method()), route) {
        ("_OTHER", Some(route)) => format!("HTTP {route}"),
        ("_OTHER", None) => "HTTP".to_owned(),
        (method, Some(route)) => format!("{method} {route}"),
        (method, None) => method.to_owned(),
    }
}

/// Strangers make up no methods in spans.
fn known(method: &http::Method) -> &'static str {
    match *method {
        http::Method::GET => "GET",
        http::Method::POST => "POST",
        http::Method::DELETE => "DELETE",
        http::Method::HEAD => "HEAD",
        http::Method::OPTIONS => "OPTIONS",
        http::Method::PUT => "PUT",
        http::Method::PATCH => "PATCH",
        _ => "_OTHER",
    }
}

/// Of a server, what a client did wrong is no error.
fn end(span: &Span, status: http::StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("error.type", status.as_str());
        span.record("otel.status_code", "ERROR");
    }
}
