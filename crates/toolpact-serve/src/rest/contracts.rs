//! The contracts of the tools.

use std::sync::Arc;

use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::Serialize;
use toolpact::Session;

use super::App;
use super::body::AnyJson;
use super::reply::{Failure, Reply};

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
pub(super) async fn list(State(app): State<Arc<App>>) -> Reply<ContractList> {
    let session = app.tools();
    let contracts = session.names().filter_map(|name| reply(&session, name));
    let contracts = contracts.collect();
    Reply(ContractList { contracts })
}

/// `GET /v1/contracts/{name}`
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Reply<ContractReply>, Failure> {
    reply(&app.tools(), &name).map(Reply).ok_or_else(unknown)
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
