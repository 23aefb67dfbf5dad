use super::Event;
use crate::error::{Error, ErrorKind};

/// Reads Server-Sent Events from bytes that arrive in pieces, split anywhere.
///
/// It follows the "event stream interpretation" of the WHATWG HTML standard. An event is complete
/// at the blank line after it; one that is incomplete when the bytes end is dropped. Bytes that are
/// not UTF-8 become U+FFFD.
///
/// ```
/// use toolpact_core::returns::stream::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// let mut events = Vec::new();
/// for mut bytes in [&b"id: 7\r\ndata: caf\xc3"[..], b"\xa9\r", b"\n\r\ndata: lost"] {
///     while let Some(event) = decoder.next_event(&mut bytes)? {
///         events.push(event);
///     }
/// }
/// assert_eq!(events.len(), 1);
/// assert_eq!(events[0].data(), "café");
/// assert_eq!(decoder.last_event_id(), "7"); // for `Last-Event-ID` when connecting again
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SseDecoder {
    max_event_bytes: usize,
    /// The current line, without its end.
    line: Vec<u8>,
    /// The current event.
    event: Begun,
    last_event_id: String,
    reconnection_time: Option<u64>,
    /// No line has ended yet: a byte order mark may be in front of the first one.
    first_line: bool,
    /// The last byte was `\r`: a `\n` that follows belongs to it.
    after_cr: bool,
    /// How many bytes were read, and how many of them before this event.
    read: u64,
    event_start: u64,
    failed: bool,
}

#[derive(Debug, Default)]
struct Begun {
    name: String,
    id: Option<String>,
    /// Each line of data with a `\n` after it; empty if there was no `data` field.
    data: String,
    retry: Option<u64>,
}

impl SseDecoder {
    /// The default limit for one event: 16 MiB.
    pub const DEFAULT_MAX_EVENT_BYTES: usize = 16 << 20;

    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self {
            max_event_bytes: Self::DEFAULT_MAX_EVENT_BYTES,
            line: Vec::new(),
            event: Begun::default(),
            last_event_id: String::new(),
            reconnection_time: None,
            first_line: true,
            after_cr: false,
            read: 0,
            event_start: 0,
            failed: false,
        }
    }

    /// The same decoder with another limit on what is held of one event: its fields and the current
    /// line, comments included.
    #[must_use]
    pub fn max_event_bytes(self, max_event_bytes: usize) -> Self {
        Self {
            max_event_bytes,
            ..self
        }
    }

    /// Reads up to the end of the next event and removes what it read from `bytes`; `None` if they
    /// contain no further event.
    ///
    /// An error is final: a stream that was cut in the middle of an event makes no sense after it.
    pub fn next_event(&mut self, bytes: &mut &[u8]) -> Result<Option<Event>, Error> {
        loop {
            self.skip_line_feed(bytes);
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let piece = self.advance(bytes, end.unwrap_or(bytes.len()));
            self.append(piece)?;
            if end.is_none() {
                return Ok(None);
            }
            self.after_cr = self.advance(bytes, 1) == b"\r";
            if let Some(event) = self.end_line() {
                return Ok(Some(event));
            }
        }
    }

    /// The id of the last finished event that had one, empty if there was none.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// The last `retry` of the stream, in milliseconds.
    #[must_use]
    pub fn reconnection_time(&self) -> Option<u64> {
        self.reconnection_time
    }

    fn skip_line_feed(&mut self, bytes: &mut &[u8]) {
        let Some(first) = bytes.first() else { return };
        if std::mem::take(&mut self.after_cr) && *first == b'\n' {
            self.advance(bytes, 1);
        }
    }

    /// Removes `length` bytes, which must be there, from the front.
    fn advance<'a>(&mut self, bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
        let (taken, rest) = bytes.split_at(length);
        self.read += length as u64;
        *bytes = rest;
        taken
    }

    fn append(&mut self, piece: &[u8]) -> Result<(), Error> {
        let held = self.event.bytes() + self.line.len();
        if self.failed || piece.len() > self.max_event_bytes.saturating_sub(held) {
            self.failed = true;
            (self.line, self.event) = (Vec::new(), Begun::default());
            return Err(self.too_large());
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }

    /// The event, if this line was the blank one after it.
    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut text = &line[..];
        if std::mem::take(&mut self.first_line) {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        // A line break is no part of any longer UTF-8 sequence, so lines can be decoded one by one.
        let event = match text.is_empty() {
            true => self.dispatch(),
            false => {
                self.field(&String::from_utf8_lossy(text));
                None
            }
        };
        // The next line reuses the allocation.
        self.line = line;
        self.line.clear();
        event
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                self.event.data.push_str(value);
                self.event.data.push('\n');
            }
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" => self.retry(value),
            // An empty name is a comment.
            _ => {}
        }
    }

    fn retry(&mut self, value: &str) {
        if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        // Only a number that is too large fails.
        let milliseconds = value.parse().unwrap_or(u64::MAX).min(Event::LONGEST_RETRY);
        self.event.retry = Some(milliseconds);
        self.reconnection_time = Some(milliseconds);
    }

    fn dispatch(&mut self) -> Option<Event> {
        self.event_start = self.read;
        let begun = std::mem::take(&mut self.event);
        if let Some(id) = &begun.id {
            id.clone_into(&mut self.last_event_id);
        }
        begun.finish()
    }

    fn too_large(&self) -> Error {
        let place = format!("the event after byte {} of the stream", self.event_start);
        let message = format!(
            "expected at most {} bytes, found more",
            self.max_event_bytes
        );
        let advice = "send large data as ChunkedData, or raise the decoder's `max_event_bytes`";
        Error::stream(ErrorKind::EventTooLarge, place, message, advice)
    }
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Begun {
    fn bytes(&self) -> usize {
        self.name.len() + self.id.as_ref().map_or(0, String::len) + self.data.len()
    }

    /// The event; none if it has no data.
    fn finish(mut self) -> Option<Event> {
        // The break after the last line; without data there is none.
        self.data.pop()?;
        Some(Event::read(self.name, self.id, self.data, self.retry))
    }
}
