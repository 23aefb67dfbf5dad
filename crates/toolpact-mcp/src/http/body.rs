//! Bodies of requests, within limits.

use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf as _, BufMut as _};
use http::StatusCode;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::Refusal;
use crate::server::{Budget, SPENT, Share};

/// Reads all of a body, unless it is too large or takes too long, or all of them take too much memory.
pub(super) async fn read<B>(
    body: B,
    most: usize,
    time: Duration,
    budget: &Arc<Budget>,
) -> Result<(Vec<u8>, Share), Refusal>
where
    B: http_body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let said = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if said > most {
        return Err(too_large(most));
    }
    let mut share = budget.take(0).ok_or_else(overloaded)?;
    let mut body = Box::pin(Limited::new(body, most));
    let mut read = Vec::with_capacity(said.min(64 << 10));
    let all = async {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
                true => too_large(most),
                false => broken(&error),
            })?;
            if let Ok(data) = frame.into_data() {
                let has_left = share.grow(data.remaining());
                read.put(data);
                has_left.then_some(()).ok_or_else(overloaded)?;
            }
        }
        Ok(())
    };
    match tokio::time::timeout(time, all).await {
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("expected the whole request within {time:?}"),
        )),
        Ok(read_all) => read_all.map(|()| (read, share)),
    }
}

fn overloaded() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, SPENT)
}

fn too_large(most: usize) -> Refusal {
    let message = format!("expected a request of at most {most} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn broken(error: &dyn Display) -> Refusal {
    tracing::debug!(target: "toolpact::mcp", %error, "a request could not be read");
    Refusal::new(StatusCode::BAD_REQUEST, "expected a whole request")
}
