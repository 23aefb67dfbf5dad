//! The tools in the words of others.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::stubs::{python, typescript};

use super::App;
use super::reply::{Failure, json_response, typed_response};

#[derive(Deserialize)]
pub(super) struct Language {
    lang: Option<String>,
}

/// `GET /v1/stubs?lang=python`
pub(super) async fn stubs(
    State(app): State<Arc<App>>,
    Query(language): Query<Language>,
) -> Result<Response, Failure> {
    let contracts = app.contracts();
    let stubs = match language.lang.as_deref() {
        Some("python") => python::preamble(&contracts),
        Some("typescript" | "ts") => typescript::preamble(&contracts),
        _ => {
            return Err(Failure::invalid(
                "Expected `lang` to be `python` or `typescript`.",
            ));
        }
    };
    Ok(typed_response(
        StatusCode::OK,
        "text/plain; charset=utf-8",
        stubs.text(),
    ))
}

/// `GET /v1/exports/{dialect}`
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Path(dialect): Path<String>,
) -> Result<Response, Failure> {
    let dialect = Dialect::from_name(&dialect).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL
            .iter()
            .map(|dialect| dialect.as_str())
            .collect();
        Failure::not_found(&format!("Expected one of `{}`.", names.join("`, `")))
    })?;
    let contracts = app.contracts();
    let document = match dialect {
        // How tools are run is nobody's business but ours.
        Dialect::Contract => contract_document(&contracts),
        dialect => dialect.export(&contracts).document().text().to_owned(),
    };
    Ok(json_response(StatusCode::OK, document))
}

fn contract_document(contracts: &[Contract]) -> String {
    let tools: Vec<String> = contracts.iter().map(Contract::to_canonical).collect();
    format!(r#"{{"toolpact":1,"tools":[{}]}}"#, tools.join(","))
}
