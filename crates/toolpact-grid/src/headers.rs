//! What a call says about itself beside its body.

use async_nats::{HeaderMap, HeaderValue};
use toolpact::core::TraceContext;
use toolpact::core::trace::{TRACEPARENT, TRACESTATE};

use crate::subject::is_hex;

pub(crate) const KIND: &str = "Toolpact-Kind";
pub(crate) const INVOCATION: &str = "Toolpact-Invocation";
pub(crate) const ATTEMPT: &str = "Toolpact-Attempt";
pub(crate) const DIGEST: &str = "Toolpact-Digest";
pub(crate) const DEADLINE: &str = "Toolpact-Deadline";
pub(crate) const START_BY: &str = "Toolpact-Start-By";
pub(crate) const CORRELATION: &str = "Toolpact-Correlation";
pub(crate) const IDENTITY: &str = "Toolpact-Identity";
pub(crate) const HOST: &str = "Toolpact-Host";
pub(crate) const SEQ: &str = "Toolpact-Seq";
pub(crate) const CREDIT: &str = "Toolpact-Credit";
pub(crate) const LENGTH: &str = "Toolpact-Length";
pub(crate) const QUESTIONS: &str = "Toolpact-Questions";
pub(crate) const ERROR: &str = "Toolpact-Error";

/// The headers of a call.
#[derive(Debug, Clone)]
pub(crate) struct CallHeaders {
    pub(crate) invocation: Box<str>,
    pub(crate) attempt: u32,
    pub(crate) digest: Box<str>,
    pub(crate) deadline: u64,
    pub(crate) start_by: u64,
    pub(crate) correlation: Option<Box<str>>,
    pub(crate) identity: Option<Box<str>>,
    /// What the caller can be asked.
    pub(crate) questions: Option<Box<str>>,
    pub(crate) trace: Option<TraceContext>,
}

impl CallHeaders {
    /// What was sent, or the header that is missing or malformed.
    pub(crate) fn read(headers: Option<&HeaderMap>) -> Result<Self, &'static str> {
        let none = HeaderMap::new();
        let headers = headers.unwrap_or(&none);
        let (invocation, digest) = (text(headers, INVOCATION), text(headers, DIGEST));
        let (invocation, digest) = (invocation.unwrap_or_default(), digest.unwrap_or_default());
        check(invocation, digest)?;
        let parent = text(headers, TRACEPARENT);
        Ok(Self {
            invocation: invocation.into(),
            attempt: number(headers, ATTEMPT).ok_or(ATTEMPT)?,
            digest: digest.into(),
            deadline: number(headers, DEADLINE).ok_or(DEADLINE)?,
            start_by: number(headers, START_BY).ok_or(START_BY)?,
            correlation: text(headers, CORRELATION).map(Box::from),
            identity: text(headers, IDENTITY).map(Box::from),
            questions: text(headers, QUESTIONS).map(Box::from),
            trace: parent.and_then(|parent| TraceContext::read(parent, text(headers, TRACESTATE))),
        })
    }

    /// What the caller calls it, if that can be the value of a header.
    pub(crate) fn correlation(&self) -> Option<&str> {
        self.correlation.as_deref().filter(|text| is_line(text))
    }

    /// About how many bytes they take in a message.
    pub(crate) fn size(&self) -> usize {
        let trace = self.trace.iter().flat_map(TraceContext::entries);
        let trace: usize = trace.map(|(_, value)| value.len()).sum();
        512 + trace + self.identity.as_deref().map_or(0, str::len)
    }

    pub(crate) fn write(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(INVOCATION, &*self.invocation);
        headers.insert(ATTEMPT, self.attempt.to_string());
        headers.insert(DIGEST, &*self.digest);
        headers.insert(DEADLINE, self.deadline.to_string());
        headers.insert(START_BY, self.start_by.to_string());
        if let Some(correlation) = self.correlation() {
            headers.insert(CORRELATION, correlation);
        }
        if let Some(identity) = &self.identity {
            headers.insert(IDENTITY, &**identity);
        }
        if let Some(questions) = &self.questions {
            headers.insert(QUESTIONS, &**questions);
        }
        for (name, value) in self.trace.iter().flat_map(TraceContext::entries) {
            headers.insert(name, value);
        }
        headers
    }
}

/// Which of them is malformed.
pub(crate) fn check(invocation: &str, digest: &str) -> Result<(), &'static str> {
    match (is_hex(invocation, 32), is_hex(digest, 64)) {
        (false, _) => Err(INVOCATION),
        (_, false) => Err(DIGEST),
        _ => Ok(()),
    }
}

/// The headers of a message of this kind.
pub(crate) fn of_kind(kind: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(KIND, kind);
    headers
}

/// The value of a header.
pub(crate) fn text<'h>(headers: &'h HeaderMap, name: &'static str) -> Option<&'h str> {
    headers.get(name).map(HeaderValue::as_str)
}

/// The value of a header that is digits.
pub(crate) fn number<N: std::str::FromStr>(headers: &HeaderMap, name: &'static str) -> Option<N> {
    text(headers, name)?.parse().ok()
}

/// Whether a text can be the value of a header: callers choose the identifiers of their calls.
fn is_line(text: &str) -> bool {
    text.len() <= 256 && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
