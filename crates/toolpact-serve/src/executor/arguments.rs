//! Arguments as texts.

use toolpact::ToolError;
use toolpact::core::json::Node;

use super::style::text;

/// An argument as text; `None` if it was not given. Lists and objects have no text.
pub(super) fn text_of(args: Node<'_>, name: &str) -> Result<Option<String>, ToolError> {
    let Some(value) = args.get(name) else {
        return Ok(None);
    };
    match text(value) {
        Some(text) => Ok(Some(text)),
        None => Err(ToolError::invalid(format!(
            "Expected `{name}` to be a string, a number or a boolean."
        ))),
    }
}
