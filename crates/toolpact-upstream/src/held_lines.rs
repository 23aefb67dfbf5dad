//! The lines of a program, with their share of the memory for answers while they are read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use toolpact::core::memory::{MemoryBudget, MemoryShare};

use crate::event_limit::{held, no_memory};
use crate::http::ANSWER_BYTES;
use crate::turns::{Turn, turn};

/// How much is read at once.
const PIECE: usize = 16 << 10;

/// Reads what another reader reads, and fails if there is no memory for the line that has begun. The end of a large
/// line waits for its turn.
pub(crate) struct HeldLines<R> {
    reader: R,
    share: Option<MemoryShare>,
    /// How long the line is by now. Whoever reads lines forgets those that are too long.
    line: usize,
    /// What was read and not given yet, and how much of it was.
    piece: Vec<u8>,
    given: usize,
    waiting: Option<Pin<Box<dyn Future<Output = Turn> + Send>>>,
    /// Of the line that was given last.
    turn: Turn,
}

impl<R> HeldLines<R> {
    pub(crate) fn new(reader: R, memory: &Arc<MemoryBudget>) -> Self {
        Self {
            reader,
            share: memory.take(0),
            line: 0,
            piece: Vec::new(),
            given: 0,
            waiting: None,
            turn: None,
        }
    }

    /// Counts a piece that was read.
    fn count(&mut self) -> io::Result<()> {
        let before = self.line;
        self.line = match self.piece.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                self.waiting = Some(Box::pin(turn(before)));
                self.piece.len() - end - 1
            }
            None => before + self.piece.len(),
        };
        let bytes = self.line.min(ANSWER_BYTES);
        let share = self.share.as_mut();
        match share.is_none_or(|share| held(share, bytes)) {
            true => Ok(()),
            false => Err(no_memory()),
        }
    }
}

impl<R: AsyncRead + Unpin> HeldLines<R> {
    /// Reads the next piece, if the last one was given.
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.given < self.piece.len() {
            return Poll::Ready(Ok(()));
        }
        // Whoever asks for more has read what there was.
        drop(self.turn.take());
        self.given = 0;
        self.piece.resize(PIECE, 0);
        let mut buffer = ReadBuf::new(&mut self.piece);
        let read = Pin::new(&mut self.reader).poll_read(context, &mut buffer);
        let length = buffer.filled().len();
        self.piece.truncate(length);
        ready!(read)?;
        Poll::Ready(self.count())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for HeldLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.waiting.is_none() {
            ready!(this.poll_piece(context))?;
        }
        if let Some(waiting) = &mut this.waiting {
            this.turn = ready!(waiting.as_mut().poll(context));
            this.waiting = None;
        }
        let rest = &this.piece[this.given..];
        let length = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..length]);
        this.given += length;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;

    #[tokio::test]
    async fn lines_that_do_not_end_share_the_memory() {
        let memory = Arc::new(MemoryBudget::new(1 << 20));
        let endless = || HeldLines::new(tokio::io::repeat(b'x'), &memory);
        let (mut one, mut other) = (endless(), endless());
        let mut chunk = vec![0; 8192];
        let mut read = 0;
        let error = loop {
            match one.read(&mut chunk).await {
                Ok(length) => read += length,
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        assert!((1 << 20..=(1 << 20) + PIECE).contains(&read), "{read}");
        // The other has 64 kB, and more when the first is gone.
        for _ in 0..8 {
            other.read_exact(&mut chunk).await.unwrap();
        }
        assert!(other.read(&mut chunk).await.is_err());
        drop((one, other));
        assert_eq!(memory.used(), 0);
        let mut lines = HeldLines::new(&b"a line\nand more"[..], &memory);
        lines.read_exact(&mut chunk[..15]).await.unwrap();
        assert_eq!(memory.used(), 8, "a line that has ended is read");
    }

    /// Whatever the sizes of reads, what is read is what was written.
    #[tokio::test]
    async fn lines_stay_as_they_are() {
        let memory = Arc::new(MemoryBudget::new(16 << 20));
        let mut written = vec![b'a'; 40_000];
        written.push(b'\n');
        written.extend(vec![b'b'; 2_000_000]);
        written.extend(b"\nshort\n\nno end");
        for size in [1000, 16 << 10, 100_000] {
            let mut lines = HeldLines::new(&*written, &memory);
            let (mut read, mut chunk) = (Vec::new(), vec![0; size]);
            while let length @ 1.. = lines.read(&mut chunk).await.unwrap() {
                read.extend_from_slice(&chunk[..length]);
            }
            assert!(read == written, "{size}");
        }
    }
}
