use std::io::Read;

use super::{Chunk, chunk};
use crate::error::{Error, ErrorKind as Kind};

/// Splits a payload of known length into [`Chunk`]s, one at a time.
///
/// All chunks but the last have the size that was asked for. An empty payload is one empty chunk.
///
/// ```
/// use toolpact_core::returns::stream::Splitter;
///
/// // Anything that can be read, if its length is known: a file, a response with a length.
/// let source = std::io::repeat(b'x').take(10);
/// let chunks: Vec<_> = Splitter::new(source, 10, "xs", 4)?.collect::<Result<_, _>>()?;
/// assert_eq!(chunks.len(), 3);
/// assert_eq!(chunks[2].data(), b"xx");
/// assert!(chunks[2].is_last());
/// # use std::io::Read;
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Splitter<R> {
    source: R,
    chunk_id: String,
    size: usize,
    total: u64,
    sequence: u64,
    /// How many bytes are left to read.
    left: u64,
}

/// The most that is reserved at once: the source may be shorter than it claims.
const LARGEST_RESERVE: usize = 1 << 20;

impl<R: Read> Splitter<R> {
    /// Chunks of `size` bytes from the first `length` bytes of a source. What comes after them is
    /// not read.
    pub fn new(
        source: R,
        length: u64,
        chunk_id: impl Into<String>,
        size: usize,
    ) -> Result<Self, Error> {
        let chunk_id = chunk_id.into();
        let total = match size as u64 {
            0 => u64::MAX,
            size => length.div_ceil(size).max(1),
        };
        if i64::try_from(total).is_err() {
            return Err(wrong_size(&chunk_id, size, length));
        }
        Ok(Self {
            source,
            chunk_id,
            size,
            total,
            sequence: 0,
            left: length,
        })
    }

    /// The number of chunks, including those already taken.
    #[must_use]
    pub fn total_chunks(&self) -> u64 {
        self.total
    }

    fn read(&mut self) -> Result<Chunk, Error> {
        let wanted = self.left.min(self.size as u64);
        let reserve = usize::try_from(wanted).unwrap_or(usize::MAX);
        let mut data = Vec::with_capacity(reserve.min(LARGEST_RESERVE));
        let mut source = self.source.by_ref().take(wanted);
        let read = source.read_to_end(&mut data);
        read.map_err(|error| self.unreadable(error))?;
        if (data.len() as u64) < wanted {
            return Err(self.too_short(self.left - data.len() as u64));
        }
        self.left -= wanted;
        Chunk::new(self.chunk_id.clone(), self.sequence, self.total, data)
    }

    fn unreadable(&self, error: std::io::Error) -> Error {
        let message = format!("expected to read its bytes from the source, found: {error}");
        let advice = "start the transfer again from a source that can be read";
        Error::stream(Kind::Io, self.place(), message, advice).because(error)
    }

    fn too_short(&self, missing: u64) -> Error {
        let message = format!("expected {missing} bytes more, found the end of the source");
        let advice = "give the length the source really has";
        Error::stream(Kind::SourceTooShort, self.place(), message, advice)
    }

    fn place(&self) -> String {
        chunk::place(&self.chunk_id, self.sequence)
    }
}

impl<'a> Splitter<&'a [u8]> {
    /// Chunks of `size` bytes from bytes.
    pub fn of_bytes(
        bytes: &'a [u8],
        chunk_id: impl Into<String>,
        size: usize,
    ) -> Result<Self, Error> {
        Self::new(bytes, bytes.len() as u64, chunk_id, size)
    }
}

/// After an error there are no more chunks.
impl<R: Read> Iterator for Splitter<R> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.sequence == self.total {
            return None;
        }
        let chunk = self.read();
        self.sequence = match chunk {
            Ok(_) => self.sequence + 1,
            Err(_) => self.total,
        };
        Some(chunk)
    }
}

impl<R: Read> std::iter::FusedIterator for Splitter<R> {}

fn wrong_size(chunk_id: &str, size: usize, length: u64) -> Error {
    let message = format!(
        "expected a size that makes at most 2^63 - 1 chunks, found {size} for {length} bytes"
    );
    let place = format!("the chunks of `{}`", crate::text::shorten(chunk_id));
    let advice = "choose a larger size; 64 KiB to 1 MiB is usual";
    Error::stream(Kind::ChunkSize, place, message, advice)
}
