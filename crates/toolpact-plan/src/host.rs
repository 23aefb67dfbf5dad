use std::future::Future;
use std::sync::Arc;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

/// What has the tools of a plan.
///
/// The host checks arguments and results against their contracts; a plan only passes values on.
pub trait Host: Sync {
    /// The contract of a tool, if there is one of that name.
    fn contract(&self, tool: &str) -> Option<Arc<Contract>>;

    /// The names of the tools there are, for suggestions.
    fn names(&self) -> Vec<String>;

    /// Calls a tool with arguments, which are a JSON object.
    fn call(
        &self,
        tool: &str,
        args: Value,
    ) -> impl Future<Output = Result<Value, StandardError>> + Send;
}
