//! The API as an OpenAPI document: tools by the dialect, the other routes by the types of their handlers.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use http::StatusCode;
use serde_json::{Map, Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::returns::ErrorKind;

use super::reply::{AnyReply, Failure, json_response};
use super::route::paths;
use super::routes::routes;
use super::{App, raw};

/// The paths that are there whatever the tools are.
static FIXED: LazyLock<Map<String, Json>> = LazyLock::new(|| paths(&routes()));

/// `GET /v1/openapi.json`
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Result<AnyReply, Failure> {
    let contracts = app.contracts();
    let tools = Dialect::OpenApi.export(&contracts).document();
    let tools = tools.deserialize().ok();
    let document = tools
        .and_then(|tools| complete(tools, &contracts))
        .ok_or_else(|| {
            tracing::error!("the OpenAPI document could not be made");
            Failure::new(ErrorKind::Internal, "The document could not be made.")
        })?;
    Ok(AnyReply(json_response(
        StatusCode::OK,
        document.to_string(),
    )))
}

fn complete(mut document: Json, contracts: &[Contract]) -> Option<Json> {
    document["info"] = json!({"title": "toolpact", "version": env!("CARGO_PKG_VERSION")});
    document["servers"] = json!([{"url": "/v1"}]);
    let paths = document.get_mut("paths")?;
    raw::document(paths, contracts);
    let fixed = FIXED
        .iter()
        .map(|(path, item)| (path.clone(), item.clone()));
    paths.as_object_mut()?.extend(fixed);
    Some(document)
}
