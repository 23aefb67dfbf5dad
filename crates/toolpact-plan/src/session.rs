//! A session of the runtime as the host of a plan.

use std::sync::Arc;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, StandardError};

use super::Host;
use toolpact::{Call, Session};

impl Host for Session {
    fn contract(&self, tool: &str) -> Option<Arc<Contract>> {
        self.get(tool)
            .map(|entry| Arc::clone(entry.shared_contract()))
    }

    fn names(&self) -> Vec<String> {
        Session::names(self).map(str::to_owned).collect()
    }

    async fn call(&self, tool: &str, args: Value) -> Result<Value, StandardError> {
        let completed = Session::call(self, Call::new(tool, args).json_only()).await;
        match completed.error() {
            Some(error) => Err(error.to_standard()),
            None => completed
                .to_value()
                .ok_or_else(|| StandardError::new(ErrorKind::Internal, "")),
        }
    }
}
