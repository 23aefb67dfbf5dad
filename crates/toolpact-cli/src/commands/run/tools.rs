//! Makes tools of documents runnable.

use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{Context, Definition, Registry, Session, ToolError};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::ImportedTool;

/// A session with all of them.
pub(crate) fn session(tools: Vec<ImportedTool>) -> anyhow::Result<Session> {
    let registry = Registry::new();
    registry.add_all(tools.into_iter().map(|tool| definition(tool.contract)))?;
    Ok(registry.session().open()?)
}

/// A tool without a command can be checked against; calling it is an error that says so.
fn definition(contract: Contract) -> Definition {
    match Definition::run(contract.clone()) {
        Ok(definition) => definition,
        Err(_) => {
            let message = format!(
                "The contract of `{}` does not say how it is run, so it can only be checked against.",
                contract.name()
            );
            Definition::new(contract, move |_: Value, _: Context| {
                let error = ToolError::new(ErrorKind::Configuration, &*message);
                async move { Err::<Value, _>(error) }
            })
        }
    }
}
