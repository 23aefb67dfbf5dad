//! Hosts, origins, credentials and CORS, before anything else of a request is looked at.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{HeaderValue, Request, Response, header};
use pin_project_lite::pin_project;
use toolpact_core::Principal;
use tower_layer::Layer;
use tower_service::Service;

use crate::{Authentication, Guard, PendingAuthentication, Refusal, cors};

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
    pub struct GuardFuture<B, S, R>
    where
        S: Service<Request<B>>,
    {
        #[pin]
        state: State<B, S, S::Future, R>,
        respond: fn(&Refusal) -> Response<R>,
        // The page that may read the answer.
        origin: Option<HeaderValue>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<B, S, F, R> {
        Answered { response: Option<Response<R>> },
        Asking { asked: PendingAuthentication, request: Option<Request<B>>, inner: S },
        Passed { #[pin] future: F },
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
    S: Service<Request<B>, Response = Response<R>> + Clone,
    R: Default,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = GuardFuture<B, S, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let GuardLayer { guard, respond } = &self.layer;
        let respond = *respond;
        if let Err(refusal) = guard.check_place(&request) {
            return GuardFuture::answered(refused(respond, &refusal), respond, None);
        }
        // Browsers send no credentials with it.
        if cors::is_preflight(&request) {
            return GuardFuture::answered(cors::preflight(&request), respond, None);
        }
        let origin = request.headers().get(header::ORIGIN).cloned();
        let state = match guard.authenticate(&request) {
            Authentication::Known(principal) => State::Passed {
                future: self.inner.call(sent_by(request, principal)),
            },
            Authentication::Refused(refusal) => {
                return GuardFuture::answered(refused(respond, &refusal), respond, origin);
            }
            Authentication::Pending(asked) => {
                // The one that is ready is called; the copy has to become so.
                let next = self.inner.clone();
                State::Asking {
                    asked,
                    request: Some(request),
                    inner: std::mem::replace(&mut self.inner, next),
                }
            }
        };
        GuardFuture {
            state,
            respond,
            origin,
        }
    }
}

impl<B, S: Service<Request<B>>, R> GuardFuture<B, S, R> {
    fn answered(
        response: Response<R>,
        respond: fn(&Refusal) -> Response<R>,
        origin: Option<HeaderValue>,
    ) -> Self {
        let state = State::Answered {
            response: Some(response),
        };
        Self {
            state,
            respond,
            origin,
        }
    }
}

/// A request whose sender is known.
fn sent_by<B>(mut request: Request<B>, principal: Principal) -> Request<B> {
    if !principal.is_anonymous() {
        request.extensions_mut().insert(principal);
    }
    request
}

fn refused<R>(respond: fn(&Refusal) -> Response<R>, refusal: &Refusal) -> Response<R> {
    let mut response = respond(refusal);
    if let Some(challenge) = refusal.challenge() {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, challenge.clone());
    }
    response
}

impl<B, S, R> Future for GuardFuture<B, S, R>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Output = Result<Response<R>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let mut response = loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Answered { response } => match response.take() {
                    Some(response) => break response,
                    None => return Poll::Pending,
                },
                StateProjection::Passed { future } => break ready!(future.poll(context))?,
                StateProjection::Asking {
                    asked,
                    request,
                    inner,
                } => match (ready!(asked.as_mut().poll(context)), request.take()) {
                    (Ok(principal), Some(request)) => State::Passed {
                        future: inner.call(sent_by(request, principal)),
                    },
                    (Err(refusal), _) => State::Answered {
                        response: Some(refused(*this.respond, &refusal)),
                    },
                    (Ok(_), None) => return Poll::Pending,
                },
            };
            this.state.set(next);
        };
        if let Some(origin) = this.origin.take() {
            cors::allow_reading(response.headers_mut(), origin);
        }
        Poll::Ready(Ok(response))
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
    use crate::{Authentication, Authenticator, Credentials, Guard, Refusal, principal_of};
    use toolpact_core::Principal;

    #[derive(Clone)]
    struct Hello;

    impl Service<Request<()>> for Hello {
        type Response = Response<String>;
        type Error = Infallible;
        type Future = std::future::Ready<Result<Response<String>, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request<()>) -> Self::Future {
            let principal = principal_of(request.extensions());
            std::future::ready(Ok(Response::new(format!("hello {principal}"))))
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

    /// Knows who it is after a while.
    #[derive(Debug)]
    struct Slow(Result<&'static str, u16>);

    impl Authenticator for Slow {
        fn authenticate(&self, _: &Credentials<'_>) -> Authentication {
            let known = self.0;
            Authentication::Pending(Box::pin(async move {
                let mut waited = false;
                std::future::poll_fn(|_| match std::mem::replace(&mut waited, true) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                })
                .await;
                known.map(Principal::new).map_err(|status| {
                    Refusal::new(
                        http::StatusCode::from_u16(status).unwrap(),
                        "expected another",
                    )
                })
            }))
        }
    }

    #[test]
    fn who_has_to_be_asked_for_is_waited_for() {
        for (known, expected) in [(Ok("ada"), "hello ada"), (Err(401), "expected another")] {
            let guard = Guard::default().authenticator(std::sync::Arc::new(Slow(known)));
            let mut service = GuardLayer::new(guard, respond).layer(Hello);
            let request = Request::builder().header("host", "localhost").body(());
            let mut answer = std::pin::pin!(service.call(request.unwrap()));
            let mut context = Context::from_waker(Waker::noop());
            assert!(answer.as_mut().poll(&mut context).is_pending());
            let Poll::Ready(Ok(response)) = answer.as_mut().poll(&mut context) else {
                panic!("it is known by now")
            };
            assert_eq!(response.body(), expected);
            let challenge = response.headers().get("www-authenticate");
            assert_eq!(challenge.is_some(), known.is_err());
        }
    }

    #[test]
    fn what_passes_is_answered_and_readable() {
        let token = ("authorization", "Bearer s3cret");
        let origin = ("origin", "https://app.example.com");
        let page = ask(Method::POST, &[token, origin]);
        assert_eq!(page.body(), "hello auth_token");
        assert_eq!(page.headers()["access-control-allow-origin"], origin.1);
        let program = ask(Method::POST, &[token]);
        assert_eq!(program.body(), "hello auth_token");
        assert!(program.headers().is_empty());
        let stranger = ask(Method::POST, &[origin]);
        assert_eq!(stranger.status(), 401);
        // A page has to read what is asked of it.
        let headers = stranger.headers();
        assert_eq!(headers["www-authenticate"], "Bearer");
        assert_eq!(headers["access-control-allow-origin"], origin.1);
        assert_eq!(ask(Method::POST, &[]).status(), 401);
        // No page asks with it, so it needs the token.
        assert_eq!(ask(Method::OPTIONS, &[origin]).status(), 401);
    }
}
