//! The REST API, under `/v1`.

mod app;
mod batch;
mod body;
mod call;
mod contracts;
mod document;
mod feed;
mod health;
mod metrics;
mod openapi;
mod page;
mod raw;
mod reply;
mod route;
mod schema;
mod sessions;
mod stream;
mod streams;
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
use route::{Method, Route};
pub(crate) use stream::END_ID;
use toolpact::core::returns::ErrorKind;
use toolpact_http::{BodyLayer, Guard, GuardLayer, Refusal};

/// All routes, behind their layers.
pub(crate) fn router(app: Arc<App>, guard: Guard) -> Router {
    let routes = routes().into_iter();
    let router = routes.fold(Router::new(), |router, route| {
        router.route(&format!("/v1{}", route.path), route.handler)
    });
    router
        .route("/", get(page::page))
        .fallback(no_route)
        .method_not_allowed_fallback(other_method)
        .layer(BodyLayer::<Body, Body>::new(app.limits.body(), refused))
        .layer(GuardLayer::new(guard, refused))
        .with_state(app)
}

/// The routes below `/v1`, which the OpenAPI document is made of, too.
fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::Get,
            "/contracts",
            "list_contracts",
            "All contracts.",
            contracts::list,
        ),
        Route::new(
            Method::Get,
            "/contracts/{name}",
            "get_contract",
            "One contract.",
            contracts::one,
        ),
        Route::new(
            Method::Post,
            "/call",
            "call",
            "Makes a call. With `Accept: text/event-stream`, progress, items and lines of a log come as \
             events before the result; those of an EventStream under their own names. The same request \
             with `Last-Event-ID` goes on after that event.",
            call::call,
        ),
        Route::of_tools("/tools/{name}", call::tool),
        Route::new(
            Method::Post,
            "/batch",
            "call_batch",
            "Makes several calls at once.",
            batch::batch,
        ),
        Route::new(
            Method::Post,
            "/validate",
            "validate",
            "Checks arguments or a result, and runs nothing.",
            validate::validate,
        ),
        Route::new(
            Method::Post,
            "/sessions",
            "open_session",
            "Opens a session, which keeps results whose text was truncated.",
            sessions::open,
        ),
        Route::new(
            Method::Delete,
            "/sessions/{id}",
            "close_session",
            "Closes a session and cancels its calls.",
            sessions::close,
        ),
        Route::new(
            Method::Get,
            "/results/{handle}",
            "read_result",
            "A page of a result whose text was truncated.",
            sessions::result,
        ),
        Route::new(
            Method::Get,
            "/stubs",
            "declare",
            "The tools as declarations of a language.",
            document::stubs,
        ),
        Route::new(
            Method::Get,
            "/exports/{dialect}",
            "export",
            "The tools in a dialect.",
            document::export,
        ),
        Route::new(
            Method::Get,
            "/metrics",
            "metrics",
            "Counters and latencies, as Prometheus reads them.",
            metrics::metrics,
        ),
        Route::new(
            Method::Get,
            "/health",
            "health",
            "The state of the server and of its sources.",
            health::health,
        ),
        Route::new(
            Method::Get,
            "/docs",
            "docs",
            "The tools, for people.",
            page::docs,
        ),
        Route::new(
            Method::Get,
            "/openapi.json",
            "openapi",
            "This document.",
            openapi::openapi,
        ),
    ]
}

/// What a layer refuses, as an error of the API.
fn refused(refusal: Refusal) -> Response {
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
    format!("{first}{}.", rest.as_str())
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
            let same = routes().into_iter().find(|route| route.path == path);
            same.map(|route| format!("it is at `/v1{}`", route.path))
        }
    };
    let meant = meant.map_or_else(String::new, |meant| format!(": {meant}"));
    Failure::not_found(&format!(
        "No such route{meant}. `/v1/openapi.json` describes all, and `/` is a page about this server."
    ))
}

async fn other_method(path: Option<MatchedPath>) -> Failure {
    let path = path.as_ref().map_or("", MatchedPath::as_str);
    let routes = routes().into_iter();
    let same = routes.filter(|route| path.strip_prefix("/v1") == Some(route.path));
    let methods: Vec<&str> = same.map(|route| route.method.name()).collect();
    let methods = match methods.is_empty() {
        true => "GET".to_owned(),
        false => methods.join(" or "),
    };
    let message =
        format!("Expected the method {methods}. `/v1/openapi.json` describes all routes.");
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Failure::refused(status, ErrorKind::WrongArgument, &message)
}
