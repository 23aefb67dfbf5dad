//! The API as an OpenAPI document: the tools by the dialect, the fixed routes beside them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::{Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::returns::ErrorKind;

use super::reply::{Failure, json_response};
use super::{App, raw};

/// The routes that are there whatever the tools are.
const FIXED: &str = include_str!("fixed.json");

/// `GET /v1/openapi.json`
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let contracts = app.contracts();
    let tools = Dialect::OpenApi.export(&contracts).document();
    let tools = tools.deserialize().ok();
    let document = tools
        .and_then(|tools| whole(tools, &contracts))
        .ok_or_else(|| {
            tracing::error!("the OpenAPI document could not be put together");
            Failure::new(ErrorKind::Internal, "The document could not be made.")
        })?;
    Ok(json_response(StatusCode::OK, document.to_string()))
}

fn whole(mut document: Json, contracts: &[Contract]) -> Option<Json> {
    document["info"] = json!({"title": "toolpact", "version": env!("CARGO_PKG_VERSION")});
    document["servers"] = json!([{"url": "/v1"}]);
    let fixed: Json = serde_json::from_str(FIXED).ok()?;
    raw::document(document.get_mut("paths")?, contracts);
    let paths = document.get_mut("paths")?.as_object_mut()?;
    for (path, item) in fixed.as_object()? {
        paths.insert(path.clone(), item.clone());
    }
    Some(document)
}
