use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Completed, Context, Definition, Registry, ToolError};

use crate::View;
use crate::server::{CallResult, Catalog};
use crate::version::Version;

/// The result of `tools/call` that a client of the newest version is sent of a call. `None` if there
/// is no such tool, which is no result but an error of the protocol.
#[doc(hidden)]
#[must_use]
pub fn written(completed: &Completed) -> Option<String> {
    let contract = completed.contract()?;
    let catalog = Catalog::new(0, alone(contract)?);
    let listed = catalog
        .listing(Version::LATEST)
        .get(contract.name().as_str())?;
    let mut json = Vec::new();
    CallResult::of(completed, listed, View::Both)?.write(&mut json, true);
    String::from_utf8(json).ok()
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
