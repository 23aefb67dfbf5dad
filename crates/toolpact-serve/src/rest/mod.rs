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
mod raw;
mod reply;
mod sessions;
mod stream;
mod streams;
mod validate;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use http::StatusCode;

pub(crate) use app::App;
pub(crate) use call::OUTCOME;
use reply::Failure;
pub(crate) use stream::END_ID;
use toolpact::core::returns::ErrorKind;
use toolpact_http::{BodyLayer, Guard, GuardLayer, Refusal};

/// All routes, for those who may ask.
pub(crate) fn router(app: Arc<App>, guard: Guard) -> Router {
    Router::new()
        .route("/v1/contracts", get(contracts::list))
        .route("/v1/contracts/{name}", get(contracts::one))
        .route("/v1/call", post(call::call))
        .route("/v1/tools/{name}", post(call::tool))
        .route("/v1/batch", post(batch::batch))
        .route("/v1/validate", post(validate::validate))
        .route("/v1/sessions", post(sessions::open))
        .route("/v1/sessions/{id}", delete(sessions::close))
        .route("/v1/results/{handle}", get(sessions::result))
        .route("/v1/stubs", get(document::stubs))
        .route("/v1/exports/{dialect}", get(document::export))
        .route("/v1/openapi.json", get(openapi::openapi))
        .route("/v1/metrics", get(metrics::metrics))
        .route("/v1/health", get(health::health))
        .fallback(nowhere)
        .method_not_allowed_fallback(other_method)
        .layer(BodyLayer::<Body, Body>::new(app.limits.body(), refused))
        .layer(GuardLayer::new(guard, refused))
        .with_state(app)
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

async fn nowhere() -> Failure {
    Failure::not_found("There is nothing here. What there is, `/v1/openapi.json` tells.")
}

async fn other_method() -> Failure {
    let message = "Expected another method. Which, `/v1/openapi.json` tells.";
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Failure::refused(status, ErrorKind::WrongArgument, message)
}
