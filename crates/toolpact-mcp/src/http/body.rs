//! Bodies of requests, within limits.

use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::Refusal;

/// Reads all of a body, unless it is too large or takes too long.
pub(super) async fn read<B>(body: B, most: usize, time: Duration) -> Result<Bytes, Refusal>
where
    B: http_body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let said = body.size_hint().lower();
    if usize::try_from(said).is_ok_and(|said| said > most) {
        return Err(too_large(most));
    }
    let body = Box::pin(Limited::new(body, most));
    match tokio::time::timeout(time, body.collect()).await {
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("expected the whole request within {time:?}"),
        )),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Ok(Err(error)) => Err(broken(&error)),
    }
}

fn too_large(most: usize) -> Refusal {
    let message = format!("expected a request of at most {most} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn broken(error: &dyn Display) -> Refusal {
    tracing::debug!(target: "toolpact::mcp", %error, "a request could not be read");
    Refusal::new(StatusCode::BAD_REQUEST, "expected a whole request")
}
