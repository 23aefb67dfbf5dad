//! Bodies of requests, within limits and strictly read.

use std::error::Error;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use http::{StatusCode, header};
use http_body_util::LengthLimitError;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::ErrorKind;

use super::App;
use super::reply::Failure;

/// The JSON of a request. An empty body is an empty object.
pub(crate) struct Sent(pub(crate) Value);

impl FromRequest<Arc<App>> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let (most, time) = (app.limits.body_bytes, app.limits.body_time());
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > most) {
            return Err(too_large(most));
        }
        let bytes = match tokio::time::timeout(time, to_bytes(request.into_body(), most)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return Err(broken(&error, most)),
            Err(_) => {
                let message = format!("Expected the whole request within {time:?}.");
                let status = StatusCode::REQUEST_TIMEOUT;
                return Err(Failure::refused(status, ErrorKind::TimedOut, &message));
            }
        };
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

fn broken(error: &axum::Error, most: usize) -> Failure {
    // The limit is somewhere in the chain of causes.
    let mut causes = std::iter::successors(Some(error as &dyn Error), |cause| (*cause).source());
    match causes.any(<dyn Error>::is::<LengthLimitError>) {
        true => too_large(most),
        false => Failure::invalid("Expected a whole request."),
    }
}

fn too_large(most: usize) -> Failure {
    let message = format!("Expected a request of at most {most} bytes.");
    let status = StatusCode::PAYLOAD_TOO_LARGE;
    Failure::refused(status, ErrorKind::WrongArgument, &message)
}
