//! Server-Sent Events of limited size.

use std::error::Error;
use std::io;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, future};

/// The same bytes, up to the first event that is too long. A comment counts as part of the event after it.
pub(crate) fn limit_events<E>(
    bytes: impl Stream<Item = Result<Bytes, E>> + Send,
    most: usize,
) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let (mut event, mut is_over) = (EventSize::default(), false);
    bytes.scan((), move |(), chunk| {
        if is_over {
            return future::ready(None);
        }
        let chunk =
            chunk
                .map_err(io::Error::other)
                .and_then(|chunk| match event.add(&chunk) <= most {
                    true => Ok(chunk),
                    false => Err(io::Error::other(format!(
                        "an event has more than {most} bytes"
                    ))),
                });
        is_over = chunk.is_err();
        future::ready(Some(chunk))
    })
}

/// The size of the event that is being read. An empty line ends it.
#[derive(Default)]
struct EventSize {
    bytes: usize,
    is_line_empty: bool,
    was_return: bool,
}

impl EventSize {
    /// The largest size while these bytes are read.
    fn add(&mut self, chunk: &[u8]) -> usize {
        let mut largest = self.bytes;
        for byte in chunk {
            let is_end = matches!(byte, b'\r' | b'\n');
            self.bytes += 1;
            largest = largest.max(self.bytes);
            // `\r\n` ends one line, not two.
            if is_end && !(self.was_return && *byte == b'\n') {
                if self.is_line_empty {
                    self.bytes = 0;
                }
                self.is_line_empty = true;
            } else if !is_end {
                self.is_line_empty = false;
            }
            self.was_return = *byte == b'\r';
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::EventSize;

    #[test]
    fn an_empty_line_ends_an_event() {
        for (text, largest, left) in [
            ("data: abc\n\n", 11, 0),
            ("data: abc\r\n\r\n", 12, 1),
            ("data: abc\r\rdata: d", 11, 7),
            ("data: a\ndata: b\n", 16, 16),
            ("data: a\r\ndata: b\r\n", 18, 18),
            ("id: 1\n\ndata: abcdefgh\n\nid: 2", 16, 5),
        ] {
            let mut whole = EventSize::default();
            assert_eq!((whole.add(text.as_bytes()), whole.bytes), (largest, left));
            let mut pieces = EventSize::default();
            let sizes = text.as_bytes().chunks(1).map(|byte| pieces.add(byte));
            assert_eq!(sizes.max(), Some(largest), "{text:?}");
            assert_eq!(pieces.bytes, left, "{text:?}");
        }
    }
}
