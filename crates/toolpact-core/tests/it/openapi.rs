//! OpenAPI documents in and out. The documents under `tests/cases/openapi` are valid, except for
//! `broken.yaml`, and beside each is what comes of it.

mod hostile;
mod patterns;
mod reading;
mod responses;
mod round_trip;
mod sharing;
mod swagger;
mod writing;
mod writing_3_0;

use toolpact_core::Violations;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Import, Loss};
use toolpact_core::json::{Document, Format, Limits};

fn import_text(text: &str) -> Result<Import, Violations> {
    let format = match text.starts_with('{') {
        true => Format::Json,
        false => Format::Yaml,
    };
    let document = Document::parse(text.as_bytes(), format, &Limits::default());
    toolpact_core::dialect::import(&document)
}

/// The only tool of a document.
fn import_one(text: &str) -> (Contract, Vec<Loss>) {
    let import = import_text(text).unwrap();
    assert!(import.left_out().is_empty(), "{:?}", import.left_out());
    let [tool] = import.tools() else {
        panic!("{} tools", import.tools().len());
    };
    (tool.contract.clone(), tool.losses.clone())
}

/// What comes back of contracts that are written and read.
fn there_and_back(contracts: &[Contract]) -> Vec<Contract> {
    let export = Dialect::OpenApi.export(contracts);
    assert!(export.left_out().is_empty(), "{:?}", export.left_out());
    let text = export.document();
    let import = import_text(text.text()).unwrap();
    assert!(import.left_out().is_empty(), "{:?}", import.left_out());
    import.contracts().cloned().collect()
}

fn contract(text: &str) -> Contract {
    Contract::from_json(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}
