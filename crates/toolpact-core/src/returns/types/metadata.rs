use serde::Serialize;

use crate::Error;

use super::Timestamp;
use super::result_node::ResultNode;

/// The time, request and duration of a response.
///
/// ```
/// use toolpact_core::returns::types::Metadata;
///
/// let metadata = Metadata::default().with_request_id("req_abc123").with_duration_ms(45);
/// assert_eq!(metadata.duration_ms(), Some(45));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
}

impl Metadata {
    /// Adds the time of the response.
    #[must_use]
    pub fn with_timestamp(mut self, timestamp: impl Into<Timestamp>) -> Self {
        self.timestamp = Some(timestamp.into());
        self
    }

    /// Adds the identifier of the request.
    #[must_use]
    pub fn with_request_id(mut self, request_id: &str) -> Self {
        self.request_id = Some(request_id.into());
        self
    }

    /// Adds the duration in milliseconds.
    #[must_use]
    pub fn with_duration_ms(mut self, duration_ms: u64) -> Self {
        self.duration_ms = Some(duration_ms);
        self
    }

    /// The time of the response.
    #[must_use]
    pub fn timestamp(&self) -> Option<&Timestamp> {
        self.timestamp.as_ref()
    }

    /// The identifier of the request.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// The duration in milliseconds.
    #[must_use]
    pub fn duration_ms(&self) -> Option<u64> {
        self.duration_ms
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        Ok(Self {
            timestamp: part.optional("timestamp", Timestamp::read)?,
            request_id: part.optional("request_id", ResultNode::text)?,
            duration_ms: part.optional("duration_ms", |part| part.count(0))?,
        })
    }
}
