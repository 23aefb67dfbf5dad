//! Server-Sent Events of limited size.

use std::error::Error;
use std::io;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use toolpact::core::memory::MemoryShare;

use crate::turns::{Turn, turn};

/// The same bytes, up to the first event that is too long, or for which there is no memory. A comment counts as
/// part of the event after it.
pub(crate) fn limit_events<E>(
    bytes: impl Stream<Item = Result<Bytes, E>> + Send,
    most: usize,
    share: Option<MemoryShare>,
) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    E: Into<Box<dyn Error + Send + Sync>> + Send,
{
    let limited = Limited {
        event: EventSize::default(),
        most,
        share,
        turn: None,
        is_over: false,
    };
    let begin = (Box::pin(bytes), limited);
    stream::unfold(begin, |(mut bytes, mut limited)| async move {
        if limited.is_over {
            return None;
        }
        // Whoever asks for more has read what there was.
        drop(limited.turn.take());
        let chunk = match bytes.next().await?.map_err(io::Error::other) {
            Ok(chunk) => limited.check(chunk).await,
            Err(error) => Err(error),
        };
        limited.is_over = chunk.is_err();
        Some((chunk, (bytes, limited)))
    })
}

struct Limited {
    event: EventSize,
    most: usize,
    share: Option<MemoryShare>,
    /// Of the event that was given last.
    turn: Turn,
    is_over: bool,
}

impl Limited {
    async fn check(&mut self, chunk: Bytes) -> io::Result<Bytes> {
        let largest = self.event.add(&chunk);
        if largest > self.most {
            let why = format!("an event has more than {} bytes", self.most);
            return Err(io::Error::other(why));
        }
        if self.event.bytes < largest {
            self.turn = turn(largest).await;
        }
        let share = self.share.as_mut();
        match share.is_none_or(|share| held(share, self.event.bytes)) {
            true => Ok(chunk),
            false => Err(no_memory()),
        }
    }
}

/// What is said where there is no memory for an answer.
pub(crate) fn no_memory() -> io::Error {
    let why = "the answers that are being read take all the memory for them";
    io::Error::new(io::ErrorKind::OutOfMemory, why)
}

/// Makes a share as large as what is being read. `false` if there is not so much.
pub(crate) fn held(share: &mut MemoryShare, bytes: usize) -> bool {
    share.shrink(share.bytes().saturating_sub(bytes));
    share.grow(bytes - share.bytes())
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
