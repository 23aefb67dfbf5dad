//! Bodies of requests, within limits and strictly read.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use toolpact::core::json::{Node, Value};

use super::App;
use super::reply::Failure;

/// The JSON of a request. An empty body is an empty object.
pub(crate) struct Sent(pub(crate) Value);

impl FromRequest<Arc<App>> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &Arc<App>) -> Result<Self, Failure> {
        // The layer has read it, within limits.
        let bytes = to_bytes(request.into_body(), usize::MAX).await;
        let bytes = bytes.map_err(|_| Failure::invalid("Expected a whole request."))?;
        let text = if bytes.is_empty() { b"{}" } else { &*bytes };
        let json = Value::from_json(text);
        json.map(Self)
            .map_err(|violations| Failure::of_violations(&violations))
    }
}

/// A member that is a string, if it is there.
pub(crate) fn text<'v>(
    object: Node<'v>,
    key: &str,
) -> Result<Option<std::borrow::Cow<'v, str>>, Failure> {
    let Some(member) = object.get(key) else {
        return Ok(None);
    };
    let wrong = || Failure::invalid(&format!("Expected `{key}` to be a string."));
    member.as_str().map(Some).ok_or_else(wrong)
}

/// Whether all members are known. A word that is misspelt would be passed over otherwise.
pub(crate) fn only(object: Node<'_>, known: &[&str]) -> Result<(), Failure> {
    let unknown = object.members().find(|(key, _)| !known.contains(&&**key));
    match unknown {
        None => Ok(()),
        Some((key, _)) => Err(Failure::invalid(&format!(
            "Expected only `{}`, found `{}`.",
            known.join("`, `"),
            key.escape_debug()
        ))),
    }
}
