use crate::error::{Error, ErrorKind};
use crate::text::shorten;

/// One event of a stream of Server-Sent Events.
///
/// Every event can be written: what the format cannot express is refused, or normalised, when the
/// event is built.
///
/// ```
/// use toolpact_core::returns::stream::Event;
///
/// let event = Event::new("two\nlines").with_name("note")?.with_id("7")?;
/// assert_eq!(event.encode(), "event: note\nid: 7\ndata: two\ndata: lines\n\n");
///
/// let refused = Event::new("").with_name("a\nb").unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "the name of an event: expected one line, found a line break in `a\u{fffd}b`; \
///      give it a name of one line, or put the text into the data"
/// );
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    name: String,
    id: Option<String>,
    data: String,
    retry: Option<u64>,
}

impl Event {
    /// The name of an event without a name of its own.
    pub const DEFAULT_NAME: &'static str = "message";

    /// The longest time in [`Event::retry`]: the largest integer of a JSON message.
    pub const LONGEST_RETRY: u64 = i64::MAX as u64;

    /// An event with the default name. The format knows one kind of line break: `\r\n` and `\r` in
    /// the data become `\n`.
    #[must_use]
    pub fn new(data: impl Into<String>) -> Self {
        Self {
            name: Self::DEFAULT_NAME.to_owned(),
            id: None,
            data: one_kind_of_break(data.into()),
            retry: None,
        }
    }

    /// The same event with a name. An empty one is refused, because it would be read as
    /// [`Event::DEFAULT_NAME`].
    pub fn with_name(self, name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let message = match () {
            () if name.is_empty() => "expected a name, found an empty one".to_owned(),
            () if has_break(&name) => one_line(&name),
            () => return Ok(Self { name, ..self }),
        };
        Err(Error::stream(
            ErrorKind::EventName,
            "the name of an event",
            message,
            "give it a name of one line, or put the text into the data",
        ))
    }

    /// The same event with an id. An empty one is allowed: it makes a reader forget the last one.
    pub fn with_id(self, id: impl Into<String>) -> Result<Self, Error> {
        let id = id.into();
        let message = match () {
            () if has_break(&id) => one_line(&id),
            () if id.contains('\0') => {
                format!("expected no NUL, found one in `{}`", shorten(&id))
            }
            () => {
                let id = Some(id);
                return Ok(Self { id, ..self });
            }
        };
        Err(Error::stream(
            ErrorKind::EventId,
            "the id of an event",
            message,
            "give it an id of one line without NUL, or put the text into the data",
        ))
    }

    /// The same event with a time to wait before connecting again, in milliseconds, at most
    /// [`Event::LONGEST_RETRY`].
    #[must_use]
    pub fn with_retry(self, milliseconds: u64) -> Self {
        Self {
            retry: Some(milliseconds.min(Self::LONGEST_RETRY)),
            ..self
        }
    }

    /// An event that was read, so that its name and id have no line breaks.
    pub(super) fn read(name: String, id: Option<String>, data: String, retry: Option<u64>) -> Self {
        let name = match name.is_empty() {
            true => Self::DEFAULT_NAME.to_owned(),
            false => name,
        };
        Self {
            name,
            id,
            data,
            retry,
        }
    }

    /// The name of the event; never empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The id of this event. The id in force for an event without one is
    /// [`SseDecoder::last_event_id`](super::SseDecoder::last_event_id).
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The data, its lines separated by `\n`.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    /// The time to wait before connecting again, in milliseconds.
    #[must_use]
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// The event as it is sent. There is always a `data` line, because readers drop an event that
    /// has none.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut out = String::with_capacity(self.data.len() + 32);
        if self.name != Self::DEFAULT_NAME {
            field(&mut out, "event", &self.name);
        }
        if let Some(id) = &self.id {
            field(&mut out, "id", id);
        }
        if let Some(retry) = self.retry {
            field(&mut out, "retry", &retry.to_string());
        }
        for line in self.data.split('\n') {
            field(&mut out, "data", line);
        }
        out.push('\n');
        out
    }
}

/// A comment as it is sent, between events. Readers skip it; it keeps an idle connection from being
/// closed.
///
/// ```
/// assert_eq!(toolpact_core::returns::stream::sse_comment("still here"), ": still here\n");
/// ```
#[must_use]
pub fn sse_comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 3);
    for line in one_kind_of_break(text.to_owned()).split('\n') {
        field(&mut out, "", line);
    }
    out
}

fn field(out: &mut String, name: &str, value: &str) {
    // Readers drop one space, so a value that begins with one keeps it.
    for piece in [name, ": ", value, "\n"] {
        out.push_str(piece);
    }
}

fn one_kind_of_break(text: String) -> String {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n"),
        false => text,
    }
}

fn has_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn one_line(found: &str) -> String {
    format!(
        "expected one line, found a line break in `{}`",
        shorten(found)
    )
}
