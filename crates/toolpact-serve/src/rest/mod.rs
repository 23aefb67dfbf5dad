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
mod plan;
mod raw;
mod reply;
mod sessions;
mod stream;
mod streams;
mod validate;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{delete, get, post};

pub(crate) use app::App;
pub(crate) use call::OUTCOME;
use reply::Failure;
pub(crate) use stream::END_ID;
use toolpact::core::returns::ErrorKind;
use toolpact_mcp::http::{Page, Refusal};

/// All routes, for those who may ask.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/v1/contracts", get(contracts::list))
        .route("/v1/contracts/{name}", get(contracts::one))
        .route("/v1/call", post(call::call))
        .route("/v1/tools/{name}", post(call::tool))
        .route("/v1/batch", post(batch::batch))
        .route("/v1/plan", post(plan::plan))
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
        .layer(from_fn_with_state(Arc::clone(&app), admit))
        .with_state(app)
}

/// Hosts, origins and tokens, before anything else is looked at.
async fn admit(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    if let Some(told) = app.guard.preflight(&parts) {
        let told = told.map_err(|refusal| refused(&refusal))?;
        return Ok(told.map(|()| Body::empty()));
    }
    app.guard
        .check(&parts)
        .map_err(|refusal| refused(&refusal))?;
    let page = Page::of(&parts);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if let Some(page) = page {
        page.may_read(response.headers_mut());
    }
    Ok(response)
}

fn refused(refusal: &Refusal) -> Failure {
    let (status, message) = (refusal.status(), refusal.message());
    tracing::debug!(%status, message, "refused");
    let kind = ErrorKind::from_http_status(status.as_u16());
    Failure::refused(status, kind.unwrap_or(ErrorKind::WrongArgument), message)
}

async fn nowhere() -> Failure {
    Failure::not_found("There is nothing here. What there is, `/v1/openapi.json` tells.")
}

async fn other_method() -> Failure {
    let message = "Expected another method. Which, `/v1/openapi.json` tells.";
    let status = http::StatusCode::METHOD_NOT_ALLOWED;
    Failure::refused(status, ErrorKind::WrongArgument, message)
}
