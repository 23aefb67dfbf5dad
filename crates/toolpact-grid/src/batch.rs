//! Several calls in one message, or several outcomes: a line of JSON that says what each is, then their bodies, one
//! after another.

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolpact::core::TraceContext;

use crate::headers::{self, CallHeaders};

/// Most calls or outcomes of a message.
pub(crate) const MOST: usize = 256;
/// Most bytes of a message.
pub(crate) const BYTES: usize = 128 << 10;
/// A body that is longer goes alone.
pub(crate) const SMALL: usize = 8 << 10;

/// What the line says about one body.
pub(crate) trait Head {
    /// The bytes of the body.
    fn length(&self) -> usize;
}

/// A call of a batch: its headers, as members.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallHead<'a> {
    #[serde(borrow)]
    pub(crate) invocation: Cow<'a, str>,
    pub(crate) attempt: u32,
    #[serde(borrow)]
    pub(crate) digest: Cow<'a, str>,
    pub(crate) deadline: u64,
    pub(crate) start_by: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    correlation: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    questions: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    traceparent: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tracestate: Option<Cow<'a, str>>,
    length: usize,
}

impl<'a> CallHead<'a> {
    pub(crate) fn of(call: &'a CallHeaders, body: &[u8]) -> Self {
        let trace = call.trace.as_ref();
        Self {
            invocation: (&*call.invocation).into(),
            attempt: call.attempt,
            digest: (&*call.digest).into(),
            deadline: call.deadline,
            start_by: call.start_by,
            correlation: call.correlation().map(Cow::from),
            identity: call.identity.as_deref().map(Cow::from),
            questions: call.questions.as_deref().map(Cow::from),
            traceparent: trace.map(|trace| trace.parent().into()),
            tracestate: trace.and_then(TraceContext::state).map(Cow::from),
            length: body.len(),
        }
    }

    /// The same as headers, or which of them is malformed.
    pub(crate) fn headers(&self) -> Result<CallHeaders, &'static str> {
        headers::check(&self.invocation, &self.digest)?;
        let state = self.tracestate.as_deref();
        let parent = self.traceparent.as_deref();
        Ok(CallHeaders {
            invocation: (&*self.invocation).into(),
            attempt: self.attempt,
            digest: (&*self.digest).into(),
            deadline: self.deadline,
            start_by: self.start_by,
            correlation: self.correlation.as_deref().map(Box::from),
            identity: self.identity.as_deref().map(Box::from),
            questions: self.questions.as_deref().map(Box::from),
            trace: parent.and_then(|parent| TraceContext::read(parent, state)),
        })
    }
}

impl Head for CallHead<'_> {
    fn length(&self) -> usize {
        self.length
    }
}

/// The outcome of a call of a batch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OutcomeHead<'a> {
    #[serde(borrow)]
    pub(crate) invocation: Cow<'a, str>,
    pub(crate) attempt: u32,
    /// `refused`, or absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<Cow<'a, str>>,
    /// The whole error.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a RawValue>,
    pub(crate) length: usize,
}

impl Head for OutcomeHead<'_> {
    fn length(&self) -> usize {
        self.length
    }
}

/// A message of these bodies.
pub(crate) fn write<'b, H: Serialize>(
    heads: &[H],
    bodies: impl Iterator<Item = &'b Bytes> + Clone,
) -> Bytes {
    let bytes: usize = bodies.clone().map(Bytes::len).sum();
    let mut out = Vec::with_capacity(bytes + heads.len() * 256);
    // Members that are texts and numbers can always be written.
    if serde_json::to_writer(&mut out, heads).is_err() {
        return Bytes::new();
    }
    out.push(b'\n');
    bodies.for_each(|body| out.extend_from_slice(body));
    out.into()
}

/// The parts of a message; `None` if it is none, or its lengths are not those of its bodies.
pub(crate) fn read<'m, H: Head + Deserialize<'m>>(message: &'m Bytes) -> Option<Vec<(H, Bytes)>> {
    let end = message.iter().position(|byte| *byte == b'\n')?;
    let heads: Vec<H> = serde_json::from_slice(message.get(..end)?).ok()?;
    let mut at = end + 1;
    let mut parts = Vec::with_capacity(heads.len());
    for head in heads {
        let end = at.checked_add(head.length())?;
        message.get(at..end)?;
        parts.push((head, message.slice(at..end)));
        at = end;
    }
    (at == message.len() && parts.len() <= MOST).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::{CallHead, Head as _, OutcomeHead, read, write};
    use crate::headers::CallHeaders;
    use bytes::Bytes;
    use toolpact::core::TraceContext;

    #[test]
    fn what_is_written_is_read() {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let call = CallHeaders {
            invocation: "0".repeat(32).into(),
            attempt: 2,
            digest: "f".repeat(64).into(),
            deadline: 3,
            start_by: 4,
            correlation: Some("a \"b\"".into()),
            identity: Some("x.y".into()),
            questions: Some("user,roots".into()),
            trace: TraceContext::read(parent, Some("vendor=1")),
        };
        let bodies = [Bytes::from("{\"a\":\n1}"), Bytes::new(), Bytes::from("2")];
        let heads: Vec<_> = bodies
            .iter()
            .map(|body| CallHead::of(&call, body))
            .collect();
        let message = write(&heads, bodies.iter());
        let parts = read::<CallHead<'_>>(&message).unwrap();
        for ((head, body), sent) in parts.iter().zip(&bodies) {
            assert_eq!(body, sent);
            assert_eq!(
                format!("{:?}", head.headers()),
                format!("{:?}", Ok::<_, &str>(&call))
            );
        }
        assert_eq!(parts.len(), 3);
    }

    #[test]
    fn what_is_no_batch_is_not_read() {
        let head = r#"{"invocation":"0","attempt":1,"length":2}"#;
        for wrong in [
            "",
            "[]",
            "{}\n",
            &format!("[{head}]\n1"),
            &format!("[{head}]\n123"),
            &format!("[{head},{head}]\n12"),
            &format!("[{}]\n", head.replace('2', "18446744073709551615")),
            &format!("[{}]\n", head.replace('2', "-1")),
        ] {
            let message = Bytes::from(wrong.to_owned());
            assert!(read::<OutcomeHead<'_>>(&message).is_none(), "{wrong}");
        }
        let message = Bytes::from(format!("[{head}]\n12"));
        assert_eq!(read::<OutcomeHead<'_>>(&message).unwrap()[0].0.length(), 2);
        let many = format!(
            "[{}{head}]\n{}",
            format!("{head},").repeat(256),
            "12".repeat(257)
        );
        assert!(read::<OutcomeHead<'_>>(&Bytes::from(many)).is_none());
    }
}
