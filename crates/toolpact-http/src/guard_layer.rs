//! Hosts, origins, tokens and CORS, before anything else of a request is looked at.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{HeaderValue, Request, Response, header};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

use crate::{Guard, Refusal, cors};

/// Lets pass who may ask, and tells browsers which pages may read the answers.
///
/// ```
/// use http::Response;
/// use toolpact_http::{Guard, GuardLayer, Refusal};
///
/// fn respond(refusal: &Refusal) -> Response<String> {
///     let mut response = Response::new(refusal.message().to_owned());
///     *response.status_mut() = refusal.status();
///     response
/// }
///
/// let layer = GuardLayer::new(Guard::default().token("s3cret"), respond);
/// ```
pub struct GuardLayer<R> {
    guard: Arc<Guard>,
    respond: fn(&Refusal) -> Response<R>,
}

/// A service behind a [`GuardLayer`].
pub struct GuardService<S, R> {
    layer: GuardLayer<R>,
    inner: S,
}

pin_project! {
    /// The answer of a [`GuardService`].
    pub struct GuardFuture<F, R> {
        #[pin]
        state: State<F, R>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<F, R> {
        Answered { response: Option<Response<R>> },
        Passed { #[pin] future: F, origin: Option<HeaderValue> },
    }
}

impl<R> GuardLayer<R> {
    /// The guard, and how what it refuses is written.
    pub fn new(guard: Guard, respond: fn(&Refusal) -> Response<R>) -> Self {
        let guard = Arc::new(guard);
        Self { guard, respond }
    }
}

impl<S, R> Layer<S> for GuardLayer<R> {
    type Service = GuardService<S, R>;

    fn layer(&self, inner: S) -> Self::Service {
        let layer = self.clone();
        GuardService { layer, inner }
    }
}

impl<S, B, R> Service<Request<B>> for GuardService<S, R>
where
    S: Service<Request<B>, Response = Response<R>>,
    R: Default,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = GuardFuture<S::Future, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let GuardLayer { guard, respond } = &self.layer;
        let is_preflight = cors::is_preflight(&request);
        let checked = match is_preflight {
            // Browsers send no token with it.
            true => guard.check_place(&request),
            false => guard.check(&request),
        };
        let answered = match checked {
            Err(refusal) => Some(respond(&refusal)),
            Ok(()) if is_preflight => Some(cors::preflight(&request)),
            Ok(()) => None,
        };
        let state = match answered {
            Some(_) => State::Answered { response: answered },
            None => State::Passed {
                origin: request.headers().get(header::ORIGIN).cloned(),
                future: self.inner.call(request),
            },
        };
        GuardFuture { state }
    }
}

impl<F, R, E> Future for GuardFuture<F, R>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        match self.project().state.project() {
            StateProjection::Answered { response } => response
                .take()
                .map_or(Poll::Pending, |it| Poll::Ready(Ok(it))),
            StateProjection::Passed { future, origin } => {
                let mut response = ready!(future.poll(context))?;
                if let Some(origin) = origin.take() {
                    cors::allow_reading(response.headers_mut(), origin);
                }
                Poll::Ready(Ok(response))
            }
        }
    }
}

impl<R> Clone for GuardLayer<R> {
    fn clone(&self) -> Self {
        let (guard, respond) = (Arc::clone(&self.guard), self.respond);
        Self { guard, respond }
    }
}

impl<S: Clone, R> Clone for GuardService<S, R> {
    fn clone(&self) -> Self {
        let (layer, inner) = (self.layer.clone(), self.inner.clone());
        Self { layer, inner }
    }
}

impl<R> std::fmt::Debug for GuardLayer<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("GuardLayer").field(&self.guard).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::task::{Context, Poll, Waker};

    use http::{Method, Request, Response};
    use tower_layer::Layer as _;
    use tower_service::Service;

    use super::GuardLayer;
    use crate::{Guard, Refusal};

    #[derive(Clone)]
    struct Hello;

    impl Service<Request<()>> for Hello {
        type Response = Response<String>;
        type Error = Infallible;
        type Future = std::future::Ready<Result<Response<String>, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Request<()>) -> Self::Future {
            std::future::ready(Ok(Response::new("hello".to_owned())))
        }
    }

    fn respond(refusal: &Refusal) -> Response<String> {
        let mut response = Response::new(refusal.message().to_owned());
        *response.status_mut() = refusal.status();
        response
    }

    fn ask(method: Method, headers: &[(&str, &str)]) -> Response<String> {
        let guard = Guard::default()
            .origin("https://app.example.com")
            .token("s3cret");
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut service = GuardLayer::new(guard, respond).layer(Hello);
        let answer = std::pin::pin!(service.call(request.body(()).unwrap()));
        match answer.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(response)) => response,
            Poll::Pending => panic!("nothing is waited for"),
        }
    }

    #[test]
    fn only_pages_that_may_ask_are_told_so() {
        for (origin, expected) in [
            ("https://app.example.com", 204),
            ("http://localhost:3000", 204),
            ("https://evil.example", 403),
        ] {
            let asking = [
                ("origin", origin),
                ("access-control-request-method", "POST"),
                ("access-control-request-headers", "authorization"),
            ];
            let answer = ask(Method::OPTIONS, &asking);
            assert_eq!(answer.status().as_u16(), expected, "{origin}");
            let headers = answer.headers();
            let allowed = headers.get("access-control-allow-origin");
            assert_eq!(allowed.is_some_and(|it| it == origin), expected == 204);
            let wanted = headers.get("access-control-allow-headers");
            assert_eq!(
                wanted.is_some_and(|it| it == "authorization"),
                expected == 204
            );
        }
    }

    #[test]
    fn what_passes_is_answered_and_readable() {
        let token = ("authorization", "Bearer s3cret");
        let origin = ("origin", "https://app.example.com");
        let page = ask(Method::POST, &[token, origin]);
        assert_eq!(page.body(), "hello");
        assert_eq!(page.headers()["access-control-allow-origin"], origin.1);
        let program = ask(Method::POST, &[token]);
        assert_eq!(program.body(), "hello");
        assert!(program.headers().is_empty());
        assert_eq!(ask(Method::POST, &[]).status(), 401);
        // No page asks with it, so it needs the token.
        assert_eq!(ask(Method::OPTIONS, &[origin]).status(), 401);
    }
}
