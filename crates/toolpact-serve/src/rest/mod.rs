//! The REST API, under `/v1`.

mod app;
mod approvals;
mod authorizations;
mod batch;
mod body;
mod call;
mod contracts;
mod document;
mod documents;
mod feed;
mod health;
mod held_session;
mod metrics;
mod oauth;
mod openapi;
mod page;
mod plan;
mod raw;
mod reply;
mod route;
mod routes;
mod schema;
mod sender;
mod sessions;
mod stream;
mod streams;
mod trace;
mod validate;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::MatchedPath;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{StatusCode, Uri};

pub(crate) use app::App;
pub(crate) use call::OUTCOME;
use reply::Failure;
use routes::{METHODS, routes};
pub(crate) use sessions::Sessions;
pub(crate) use stream::END_ID;
use toolpact::core::returns::ErrorKind;
use toolpact_http::{BodyLayer, Guard, GuardLayer, Refusal};
use toolpact_identity::ProtectedResource;
use trace::TraceLayer;

/// All routes, behind their layers.
pub(crate) fn router(app: Arc<App>, guard: Guard, resource: Option<&ProtectedResource>) -> Router {
    let body = BodyLayer::<Body, Body>::new(app.limits.body(), refused);
    let body = body.within(Arc::clone(&app.memory.requests));
    let mut router = Router::new();
    // Who has no token yet reads there where to get one.
    let open = resource.map(|resource| {
        let open = GuardLayer::new(guard.clone().open(), refused);
        oauth::router(resource).layer(open)
    });
    for route in routes() {
        router = router.route(&format!("/v1{}", route.path), route.handler);
    }
    router
        .route("/", get(page::page))
        .fallback(no_route)
        .method_not_allowed_fallback(other_method)
        .layer(body)
        .layer(GuardLayer::new(guard, refused))
        .layer(TraceLayer)
        .with_state(app)
        .merge(open.unwrap_or_default())
}

/// What a layer refuses, as an error of the API.
fn refused(refusal: &Refusal) -> Response {
    let (status, message) = (refusal.status(), refusal.message());
    tracing::debug!(%status, message, "refused");
    let kind = match status {
        StatusCode::REQUEST_TIMEOUT => Some(ErrorKind::TimedOut),
        status => ErrorKind::from_http_status(status.as_u16()),
    };
    let kind = kind.unwrap_or(ErrorKind::WrongArgument);
    Failure::refused(status, kind, &sentence(message)).into_response()
}

fn sentence(message: &str) -> String {
    let mut rest = message.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    let first = first.map(String::from).unwrap_or_default();
    format!("{first}{}.", rest.as_str().trim_end_matches('.'))
}

/// Names the route that was probably meant.
async fn no_route(uri: Uri) -> Failure {
    let path = uri.path().trim_end_matches('/');
    let meant = match path {
        "/v1/tools" | "/tools" => Some(
            "`GET /v1/contracts` lists the tools, and `POST /v1/tools/{name}` calls one".to_owned(),
        ),
        "/v1/mcp" | "/sse" | "/messages" => Some("MCP is at `/mcp`".to_owned()),
        "/healthz" | "/livez" | "/readyz" => Some("it is at `/v1/health`".to_owned()),
        path => {
            let same = METHODS.iter().find(|(other, _)| *other == path);
            same.map(|(path, _)| format!("it is at `/v1{path}`"))
        }
    };
    let meant = meant.map_or_else(String::new, |meant| format!(": {meant}"));
    Failure::not_found(&format!(
        "No such route{meant}. `/v1/openapi.json` describes all, and `/` is a page about this server."
    ))
}

async fn other_method(path: Option<MatchedPath>) -> Failure {
    let path = path.as_ref().map_or("", MatchedPath::as_str);
    let same = METHODS
        .iter()
        .filter(|(other, _)| path.strip_prefix("/v1") == Some(other));
    let methods: Vec<&str> = same.map(|(_, method)| method.name()).collect();
    let methods = match methods.is_empty() {
        true => "GET".to_owned(),
        false => methods.join(" or "),
    };
    let message =
        format!("Expected the method {methods}. `/v1/openapi.json` describes all routes.");
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Failure::refused(status, ErrorKind::WrongArgument, &message)
}
