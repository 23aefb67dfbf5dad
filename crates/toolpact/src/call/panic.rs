//! Panics of tools, caught.

use std::panic::{AssertUnwindSafe, catch_unwind};

use toolpact_core::returns::ErrorKind;

use crate::ToolError;
use crate::typed::panic_text;

/// Runs code of a tool. A panic is logged and becomes an error without details.
pub(crate) fn catch_panic<T>(tool: &str, code: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let error = panicked(tool, panic_text(&*panic));
        std::mem::forget(panic);
        error
    })
}

pub(crate) fn panicked(tool: &str, message: &str) -> ToolError {
    tracing::error!(target: "toolpact", tool, panic = message, "a tool panicked");
    ToolError::new(ErrorKind::Internal, "").with_source(format!("panic: {message}"))
}
