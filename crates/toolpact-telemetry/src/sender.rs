//! OTLP over HTTP: one request for a batch, repeated while that may help.

use std::time::Duration;

use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use toolpact_http::outgoing;

use crate::settings::Endpoint;

/// Most bytes that are read of an answer.
const ANSWER_BYTES: usize = 64 << 10;

/// How long the first pause is before a request is repeated; each next one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// How long the last request may take when the process is about to end.
const LAST: Duration = Duration::from_secs(2);

/// Sends batches to one address.
pub(crate) struct Sender {
    client: reqwest::Client,
    endpoint: Endpoint,
    stop: CancellationToken,
}

/// Why a request came to nothing, and whether the same one may succeed later.
struct Failure {
    why: String,
    again: bool,
    /// When the collector wants to hear of it again.
    after: Option<Duration>,
}

impl Sender {
    pub(crate) fn new(
        client: reqwest::Client,
        endpoint: Endpoint,
        stop: CancellationToken,
    ) -> Self {
        Self {
            client,
            endpoint,
            stop,
        }
    }

    /// The host and the port: the rest may be secret.
    pub(crate) fn place(&self) -> String {
        outgoing::authority(&self.endpoint.url)
    }

    /// Sends a body and returns the answer, or why it was not taken.
    pub(crate) async fn send(&self, body: Vec<u8>) -> Result<Vec<u8>, String> {
        let deadline = Instant::now() + self.endpoint.timeout;
        let mut pause = PAUSE;
        loop {
            let is_last = self.stop.is_cancelled();
            let left = deadline.saturating_duration_since(Instant::now());
            let time = if is_last { left.min(LAST) } else { left };
            let failure = match self.ask(body.clone(), time, is_last).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let wait = failure.after.unwrap_or(pause);
            if is_last || !failure.again || Instant::now() + wait >= deadline {
                return Err(failure.why);
            }
            // One that has to end asks once more at once.
            let _ = tokio::time::timeout(wait, self.stop.cancelled()).await;
            pause *= 2;
        }
    }

    async fn ask(&self, body: Vec<u8>, time: Duration, is_last: bool) -> Result<Vec<u8>, Failure> {
        let asking = tokio::time::timeout(time, self.post(body));
        let stopped = async {
            match is_last {
                true => std::future::pending().await,
                false => {
                    self.stop.cancelled().await;
                    tokio::time::sleep(LAST).await;
                }
            }
        };
        let late = || Failure::passing(format!("no answer within {} s", time.as_secs_f32()));
        tokio::select! {
            answer = asking => answer.map_err(|_| late())?,
            () = stopped => Err(late()),
        }
    }

    async fn post(&self, body: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let request = self
            .client
            .post(self.endpoint.url.clone())
            .headers(self.endpoint.headers.clone())
            .header(CONTENT_TYPE, "application/x-protobuf")
            .body(body);
        let response = request.send().await;
        let response = response.map_err(|error| Failure::passing(outgoing::causes(error)))?;
        let status = response.status();
        if status.is_success() {
            let answer = outgoing::read_body(response, ANSWER_BYTES).await;
            return Ok(answer.unwrap_or_default());
        }
        let after = response.headers().get(RETRY_AFTER);
        let after = after.and_then(|after| after.to_str().ok()?.parse().ok());
        Err(Failure {
            why: format!("HTTP {status}"),
            again: matches!(
                status,
                StatusCode::TOO_MANY_REQUESTS
                    | StatusCode::BAD_GATEWAY
                    | StatusCode::SERVICE_UNAVAILABLE
                    | StatusCode::GATEWAY_TIMEOUT
            ),
            after: after.map(Duration::from_secs),
        })
    }
}

impl Failure {
    fn passing(why: String) -> Self {
        Self {
            why,
            again: true,
            after: None,
        }
    }
}
