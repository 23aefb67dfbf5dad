//! Arguments as texts.

use toolpact::ToolError;
use toolpact::core::json::{Kind, Node};

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

/// An argument as texts: that of each of its items, if it is a list.
pub(super) fn texts_of(args: Node<'_>, name: &str) -> Result<Vec<String>, ToolError> {
    let list = args.get(name).filter(|value| value.kind() == Kind::Array);
    let Some(list) = list else {
        return Ok(text_of(args, name)?.into_iter().collect());
    };
    let texts: Option<Vec<String>> = list.items().map(text).collect();
    texts.ok_or_else(|| {
        ToolError::invalid(format!(
            "Expected the items of `{name}` to be strings, numbers or booleans."
        ))
    })
}

fn text(value: Node<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => value.as_str().map(String::from),
        Kind::Number | Kind::Bool => Some(value.text().to_owned()),
        _ => None,
    }
}
