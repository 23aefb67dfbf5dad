//! The contracts of the tools.

use std::sync::Arc;

use axum::extract::State;
use http::HeaderMap;
use schemars::JsonSchema;
use serde::Serialize;
use toolpact::Session;

use super::App;
use super::body::{AnyJson, Segment};
use super::documents::{self, DocumentReply, Kind, Made};
use super::reply::{Failure, Reply, json_document, line_of};
use super::sender::Sender;

#[derive(Serialize, JsonSchema)]
pub(super) struct ContractList {
    contracts: Vec<ContractReply>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ContractReply {
    /// The name that calls use.
    name: String,
    digest: String,
    /// The contract without its `run`, which only the server has to know.
    #[schemars(extend("type" = "object"))]
    contract: AnyJson,
}

/// `GET /v1/contracts`
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
) -> Result<DocumentReply<Reply<ContractList>>, Failure> {
    let document = documents::get(&app, &principal, Kind::Contracts, write_all).await?;
    Ok(document.reply(&headers, json_document))
}

fn write_all(session: &Session, _: Kind) -> Made {
    let contracts = session.names().filter_map(|name| reply(session, name));
    let contracts = contracts.collect();
    line_of(&ContractList { contracts })
}

/// `GET /v1/contracts/{name}`
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    Segment(name): Segment,
) -> Result<Reply<ContractReply>, Failure> {
    reply(&app.tools(&principal), &name)
        .map(Reply)
        .ok_or_else(unknown)
}

pub(super) fn unknown() -> Failure {
    Failure::not_found("There is no such tool. `/v1/contracts` lists those there are.")
}

fn reply(session: &Session, name: &str) -> Option<ContractReply> {
    let tool = session.get(name)?;
    Some(ContractReply {
        name: name.to_owned(),
        digest: tool.digest().to_owned(),
        contract: AnyJson::from_text(tool.contract().to_canonical())?,
    })
}
