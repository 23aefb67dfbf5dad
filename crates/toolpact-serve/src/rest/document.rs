//! The tools in other languages and dialects.

use std::sync::Arc;

use axum::extract::State;
use http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use toolpact::Session;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::stubs::{python, typescript};

use super::App;
use super::body::{Params, Segment};
use super::documents::{self, DocumentReply, Kind, Made, contracts};
use super::reply::{AnyReply, Failure, Text, json_document, typed_response};
use super::sender::Sender;

#[derive(Deserialize, JsonSchema)]
pub(super) struct StubsQuery {
    lang: Language,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Language {
    Python,
    #[serde(alias = "ts")]
    TypeScript,
}

/// `GET /v1/stubs?lang=python`
pub(super) async fn stubs(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
    Params(query): Params<StubsQuery>,
) -> Result<DocumentReply<Text>, Failure> {
    let kind = match query.lang {
        Language::Python => Kind::Python,
        Language::TypeScript => Kind::TypeScript,
    };
    let document = documents::get(&app, &principal, kind, declare).await?;
    Ok(document.reply(&headers, |text| {
        typed_response(StatusCode::OK, "text/plain; charset=utf-8", text)
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "other documents can fail")]
fn declare(session: &Session, kind: Kind) -> Made {
    let contracts = contracts(session);
    let stubs = match kind {
        Kind::TypeScript => typescript::preamble(&contracts),
        _ => python::preamble(&contracts),
    };
    Ok(stubs.text().into_bytes())
}

/// `GET /v1/exports/{dialect}`
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    headers: HeaderMap,
    Segment(dialect): Segment,
) -> Result<DocumentReply<AnyReply>, Failure> {
    let dialect = Dialect::from_name(&dialect).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL
            .iter()
            .map(|dialect| dialect.as_str())
            .collect();
        Failure::not_found(&format!("Expected one of `{}`.", names.join("`, `")))
    })?;
    let document = documents::get(&app, &principal, Kind::Export(dialect), write_export).await?;
    Ok(document.reply(&headers, json_document))
}

#[expect(clippy::unnecessary_wraps, reason = "other documents can fail")]
fn write_export(session: &Session, kind: Kind) -> Made {
    let contracts = contracts(session);
    let mut document = match kind {
        Kind::Export(dialect) if dialect != Dialect::Contract => {
            dialect.export(&contracts).document().text().to_owned()
        }
        // Without `run`, which only the server has to know.
        _ => contract_document(&contracts),
    };
    document.push('\n');
    Ok(document.into_bytes())
}

fn contract_document(contracts: &[Contract]) -> String {
    let tools: Vec<String> = contracts.iter().map(Contract::to_canonical).collect();
    format!(r#"{{"toolpact":1,"tools":[{}]}}"#, tools.join(","))
}
