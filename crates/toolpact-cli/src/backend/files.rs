//! The tools of documents, which run as their contracts say.

use std::path::PathBuf;
use std::sync::Arc;

use toolpact::core::json::{Limits, Value};
use toolpact::core::returns::ErrorKind;
use toolpact::{Context, Definition, ToolError};
use toolpact_audit::Recorder;
use toolpact_core::contract::Contract;
use toolpact_core::document::DocumentKind;

use super::{Local, Origins, registry};
use crate::tools::load;

/// Reads the files. What is wrong with them is already reported.
pub(super) fn open(
    words: &[PathBuf],
    from: Option<DocumentKind>,
    limits: &Limits,
    recorder: Option<Arc<Recorder>>,
) -> anyhow::Result<Local> {
    let loaded = load(words, from, limits);
    let registry = registry(recorder);
    let tools = loaded.list.into_iter();
    registry.add_all(tools.map(|tool| definition(tool.contract)))?;
    Ok(Local {
        session: registry.session().open()?,
        origins: Origins::Files(loaded.files),
        status: loaded.status,
    })
}

/// A tool without a command, or with one that cannot be run, can be checked against; calling it is an
/// error that says so.
fn definition(contract: Contract) -> Definition {
    match Definition::run(contract.clone()) {
        Ok(definition) => definition,
        Err(error) => {
            let name = contract.name();
            let message = match contract.run() {
                Some(_) => error.to_string(),
                None => format!(
                    "The contract of `{name}` does not say how it is run, so it can only be checked against."
                ),
            };
            Definition::new(contract, move |_: Value, _: Context| {
                let error = ToolError::new(ErrorKind::Configuration, &*message);
                async move { Err::<Value, _>(error) }
            })
        }
    }
}
