use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Completed, Context, Definition, Registry, ToolError};

use crate::View;
use crate::server::{Answer, Catalog};
use crate::version::VERSIONS;

/// The result of `tools/call` that a client of the newest version is sent of a call. `None` if there
/// is no such tool, which is no result but an error of the protocol.
#[doc(hidden)]
#[must_use]
pub fn written(completed: &Completed) -> Option<String> {
    let contract = completed.contract()?;
    let catalog = Catalog::new(0, alone(contract)?);
    let listing = catalog.listing(VERSIONS.len().checked_sub(1)?);
    let listed = listing.get(contract.name().as_str())?;
    let answer = Answer::of(completed, listed, View::Both).ok()?;
    let mut text = Vec::new();
    answer.write(&mut text, true).ok()?;
    String::from_utf8(text).ok()
}

/// A tool is listed as it is in a session, so it has one here, in which nobody calls it.
fn alone(contract: &Contract) -> Option<toolpact::Session> {
    let registry = Registry::new();
    let nobody = |_: Value, _: Context| async {
        Err::<Value, _>(ToolError::internal("the tool is only listed here"))
    };
    registry
        .add(Definition::new(contract.clone(), nobody))
        .ok()?;
    registry.session().open().ok()
}
