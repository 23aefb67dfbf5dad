//! The tools in other languages and dialects.

use std::sync::Arc;

use axum::extract::{Path, State};
use http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::stubs::{python, typescript};

use super::App;
use super::body::Params;
use super::reply::{AnyReply, Failure, Text, json_response};

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
pub(super) async fn stubs(State(app): State<Arc<App>>, Params(query): Params<StubsQuery>) -> Text {
    let contracts = app.contracts();
    let stubs = match query.lang {
        Language::Python => python::preamble(&contracts),
        Language::TypeScript => typescript::preamble(&contracts),
    };
    Text {
        content_type: "text/plain; charset=utf-8",
        text: stubs.text(),
    }
}

/// `GET /v1/exports/{dialect}`
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Path(dialect): Path<String>,
) -> Result<AnyReply, Failure> {
    let dialect = Dialect::from_name(&dialect).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL
            .iter()
            .map(|dialect| dialect.as_str())
            .collect();
        Failure::not_found(&format!("Expected one of `{}`.", names.join("`, `")))
    })?;
    let contracts = app.contracts();
    let document = match dialect {
        // Without `run`, which only the server has to know.
        Dialect::Contract => contract_document(&contracts),
        dialect => dialect.export(&contracts).document().text().to_owned(),
    };
    Ok(AnyReply(json_response(StatusCode::OK, document)))
}

fn contract_document(contracts: &[Contract]) -> String {
    let tools: Vec<String> = contracts.iter().map(Contract::to_canonical).collect();
    format!(r#"{{"toolpact":1,"tools":[{}]}}"#, tools.join(","))
}
