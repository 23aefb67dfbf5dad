//! Tools that others wrote, as they are found: what was wrong with them here once.

mod adl;
mod altar;
mod bedrock;
mod checked;
mod dialects;
mod losses;
mod names;
mod public;
mod refused;
mod stubs;

use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Import, Loss, import};
use toolpact_core::json::{Document, Limits};

fn read(json: &str) -> Import {
    import(&Document::json(json.as_bytes(), &Limits::default())).unwrap()
}

/// The contract of the only tool of a document.
fn contract(json: &str) -> Contract {
    let found = read(json);
    let [tool] = found.tools() else {
        panic!("{json}: {:?}", found.left_out());
    };
    tool.contract.clone()
}

/// A contract in a dialect: the document, and the losses.
fn export(dialect: Dialect, contract: &Contract) -> (String, Vec<String>) {
    let export = dialect.export([contract]);
    let [tool] = export.tools() else {
        panic!("{dialect}: {:?}", export.left_out());
    };
    let losses = tool.losses().iter().map(Loss::to_string).collect();
    (export.document().text().to_owned(), losses)
}
