//! The API as an OpenAPI document: tools by the dialect, the other routes by the types of their handlers.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use http::HeaderMap;
use serde_json::{Map, Value as Json, json};
use toolpact::Session;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;

use super::documents::{self, DocumentReply, Kind, Made, contracts};
use super::reply::{AnyReply, Failure, json_document, line_of};
use super::route::paths;
use super::routes::routes;
use super::sender::Sender;
use super::{App, raw};

/// The paths that are there whatever the tools are.
static FIXED: LazyLock<Map<String, Json>> = LazyLock::new(|| paths(&routes()));

/// `GET /v1/openapi.json`
pub(super) async fn openapi(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
) -> Result<DocumentReply<AnyReply>, Failure> {
    let document = documents::get(&app, &principal, Kind::OpenApi, write).await?;
    Ok(document.reply(&headers, json_document))
}

fn write(session: &Session, _: Kind) -> Made {
    let contracts = contracts(session);
    let tools = Dialect::OpenApi.export(&contracts).document();
    let tools = tools.deserialize().ok();
    let document = tools.and_then(|tools| complete(tools, &contracts));
    line_of(&document.ok_or("what was exported is no OpenAPI document")?)
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
