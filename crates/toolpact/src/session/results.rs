//! Results in the store of a session.

use toolpact_core::json::Value;

use super::Session;
use crate::ToolError;
use crate::result_store::{ResultPage, page};

impl Session {
    /// The whole result behind a handle.
    #[must_use]
    pub fn stored_result(&self, handle: &str) -> Option<Value> {
        self.0.result_store.get(handle)
    }

    /// Reads one page of a stored result, from this item on: as many items as fit, at least one. The
    /// items are those of its list, if that is most of it and each of them fits on a page, or else
    /// the characters of its text or its JSON.
    pub fn read_result(&self, handle: &str, from: usize) -> Result<ResultPage, ToolError> {
        let value = self.0.result_store.get(handle).ok_or_else(|| {
            ToolError::not_found(format!(
                "There is no result `{handle}` any more. Call the tool again."
            ))
        })?;
        Ok(page(value.root(), from, self.0.limits.text_chars))
    }
}
