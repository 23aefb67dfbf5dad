//! Decodes checked arguments for the body of a tool.

use serde::de::DeserializeOwned;
use toolpact_core::json::{Value, from_valid};

use crate::ToolError;

/// As their type. It can still refuse what its schema allows.
pub(crate) fn typed<I: DeserializeOwned>(args: &[u8]) -> Result<I, ToolError> {
    let text = std::str::from_utf8(args)?;
    from_valid(text).or_else(|_| typed_slowly(text))
}

/// As JSON, with every integer spelled as one.
pub(crate) fn untyped(args: &[u8]) -> Result<Value, ToolError> {
    Ok(Value::from_json(args)?.with_integers())
}

/// The slow way, which knows where the mistake is.
#[cold]
fn typed_slowly<I: DeserializeOwned>(args: &str) -> Result<I, ToolError> {
    let args = Value::from_json(args)?.with_integers();
    let mut reader = serde_json::Deserializer::from_str(args.text());
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("`{path}`: "),
        };
        ToolError::invalid(format!("{place}{}", error.inner()))
    })
}
