use std::io::{self, Write};
use std::ops::Range;

use sha2::{Digest as _, Sha256};

use super::Chunk;
use super::assemble_errors as errors;
use super::early::{Digest, Early, digest};
use crate::error::Error;

/// Reassembles the [`Chunk`]s of one transfer, which may arrive in any order and more than once,
/// and writes the payload to a sink.
///
/// The next chunk in order is written at once; only chunks that arrive early are held, up to a
/// limit. 16 bytes of the SHA-256 of each written chunk are kept, to detect a duplicate with other
/// data.
///
/// `chunk_id` may name the transfer, the same for all chunks, or the chunk, another for each: the
/// specification does not say. The first two chunks tell which it is; with [`Assembler::transfer`],
/// it names the transfer.
///
/// A chunk that is refused changes nothing: the right one can still arrive. Only an error of the
/// sink is final.
///
/// ```
/// use toolpact_core::returns::stream::{Assembler, Chunk};
///
/// let mut assembler = Assembler::new(Vec::new());
/// assembler.add(Chunk::new("greeting", 1, 2, "world")?)?;
/// assert_eq!(
///     assembler.finish().unwrap_err().to_string(),
///     "the chunks of `greeting`: expected all 2 chunks, found 1, the first that is missing is \
///      chunk 0; ask for the missing chunks again"
/// );
/// assembler.add(Chunk::new("greeting", 0, 2, "Hello, ")?)?;
/// assert_eq!(assembler.finish()?.bytes, 12);
/// assert_eq!(assembler.into_sink(), b"Hello, world");
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Assembler<W> {
    sink: W,
    expected: Option<[u8; 32]>,
    naming: Naming,
    /// Given by the first chunk.
    total: Option<u64>,
    /// A part of the digest of each chunk that was written.
    written: Vec<Digest>,
    early: Early,
    payload: Sha256,
    bytes: u64,
    state: State,
}

/// The reassembled payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payload {
    /// How many bytes were written.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: [u8; 32],
}

/// What `chunk_id` names in this transfer.
#[derive(Debug)]
enum Naming {
    Unknown,
    /// Only this one was seen.
    First(String),
    Transfer(String),
    Chunk,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Open,
    Finished(Payload),
    /// The sink failed, so its content is unknown.
    Failed,
}

impl<W: Write> Assembler<W> {
    /// The default limit for held chunks: 16 MiB.
    pub const DEFAULT_MAX_HELD_BYTES: usize = 16 << 20;

    /// An assembler for the transfer that the first chunk belongs to.
    #[must_use]
    pub fn new(sink: W) -> Self {
        Self {
            sink,
            expected: None,
            naming: Naming::Unknown,
            total: None,
            written: Vec::new(),
            early: Early::new(Self::DEFAULT_MAX_HELD_BYTES),
            payload: Sha256::new(),
            bytes: 0,
            state: State::Open,
        }
    }

    /// The same assembler for the transfer of this name only.
    #[must_use]
    pub fn transfer(mut self, chunk_id: impl Into<String>) -> Self {
        self.naming = Naming::Transfer(chunk_id.into());
        self
    }

    /// The same assembler for a payload that has this SHA-256.
    #[must_use]
    pub fn sha256(mut self, expected: [u8; 32]) -> Self {
        self.expected = Some(expected);
        self
    }

    /// The same assembler with another limit for held chunks, each counted as its data plus 128
    /// bytes. With 0, only chunks in order are accepted.
    #[must_use]
    pub fn max_held_bytes(mut self, max_held_bytes: usize) -> Self {
        self.early.max_bytes = max_held_bytes;
        self
    }

    /// Adds a chunk. A duplicate is accepted if it is identical.
    pub fn add(&mut self, chunk: Chunk) -> Result<(), Error> {
        self.admit(&chunk)?;
        if let Some(known) = self.known(chunk.sequence()) {
            return match known == digest(&chunk) {
                true => Ok(()),
                false => Err(errors::conflict(&chunk)),
            };
        }
        if chunk.sequence() == self.next() {
            self.pin(&chunk);
            self.write(chunk.data(), digest(&chunk))?;
            self.write_held()
        } else {
            self.hold(chunk)
        }
    }

    /// Whether all chunks have arrived.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.total == Some(self.next())
    }

    /// The missing chunks, as ranges of sequence numbers in order. Empty before the first chunk,
    /// because it says how many there are.
    pub fn missing(&self) -> impl Iterator<Item = Range<u64>> {
        let mut from = self.next();
        let there = self.early.sequences().chain(self.total);
        there.filter_map(move |sequence| {
            let gap = from..sequence;
            from = sequence + 1;
            (!gap.is_empty()).then_some(gap)
        })
    }

    /// Declares the end: all chunks must have arrived, and the payload must have the expected
    /// digest, if there is one. Every later chunk is refused.
    pub fn finish(&mut self) -> Result<Payload, Error> {
        match self.state {
            State::Open => {}
            State::Finished(payload) => return Ok(payload),
            State::Failed => return Err(errors::sink_failed(self.naming.transfer())),
        }
        let id = self.naming.transfer();
        if !self.is_complete() {
            let found = self.next() + self.early.sequences().len() as u64;
            return Err(errors::missing(id, self.total, found, self.next()));
        }
        let flushed = self.sink.flush();
        self.sink_result(flushed)?;
        let payload = Payload {
            bytes: self.bytes,
            sha256: self.payload.clone().finalize().into(),
        };
        if let Some(expected) = self.expected.filter(|sha256| *sha256 != payload.sha256) {
            let id = self.naming.transfer();
            return Err(errors::digest(id, &expected, &payload));
        }
        self.state = State::Finished(payload);
        Ok(payload)
    }

    /// The sink, with what was written to it so far.
    pub fn into_sink(self) -> W {
        self.sink
    }

    /// Whether the chunk belongs to this transfer, and is not late.
    fn admit(&self, chunk: &Chunk) -> Result<(), Error> {
        match self.state {
            State::Open => {}
            State::Finished(_) => return Err(errors::late(chunk)),
            State::Failed => return Err(errors::sink_failed(self.naming.transfer())),
        }
        if let Naming::Transfer(id) = &self.naming
            && id != chunk.chunk_id()
        {
            return Err(errors::foreign(chunk, id));
        }
        match self.total.filter(|total| *total != chunk.total_chunks()) {
            Some(total) => Err(errors::total_changed(chunk, total)),
            None => Ok(()),
        }
    }

    /// The next chunk to be written.
    fn next(&self) -> u64 {
        self.written.len() as u64
    }

    fn known(&self, sequence: u64) -> Option<Digest> {
        let written = usize::try_from(sequence).ok();
        let written = written.and_then(|i| self.written.get(i)).copied();
        written.or_else(|| self.early.digest(sequence))
    }

    /// Later chunks must agree with this one.
    fn pin(&mut self, chunk: &Chunk) {
        self.total = Some(chunk.total_chunks());
        self.naming.learn(chunk.chunk_id());
    }

    fn hold(&mut self, chunk: Chunk) -> Result<(), Error> {
        if !self.early.has_room(&chunk) {
            let limit = self.early.max_bytes;
            return Err(errors::buffer_full(&chunk, self.next(), limit));
        }
        self.pin(&chunk);
        self.early.hold(chunk);
        Ok(())
    }

    fn write(&mut self, data: &[u8], digest: Digest) -> Result<(), Error> {
        let written = self.sink.write_all(data);
        self.sink_result(written)?;
        self.payload.update(data);
        self.bytes += data.len() as u64;
        self.written.push(digest);
        Ok(())
    }

    /// Writes the held chunks, up to the next that is missing.
    fn write_held(&mut self) -> Result<(), Error> {
        while let Some(held) = self.early.take(self.next()) {
            self.write(&held.data, held.digest)?;
        }
        Ok(())
    }

    fn sink_result(&mut self, result: io::Result<()>) -> Result<(), Error> {
        result.map_err(|error| {
            self.state = State::Failed;
            errors::unwritable(self.naming.transfer(), error)
        })
    }
}

impl Naming {
    /// Takes note of the identifier of a chunk that was not there before.
    fn learn(&mut self, id: &str) {
        *self = match std::mem::replace(self, Self::Chunk) {
            Self::Unknown => Self::First(id.to_owned()),
            Self::First(first) if first == id => Self::Transfer(first),
            Self::First(_) | Self::Chunk => Self::Chunk,
            Self::Transfer(id) => Self::Transfer(id),
        };
    }

    /// The name of the transfer, as far as it is known.
    fn transfer(&self) -> Option<&str> {
        match self {
            Self::First(id) | Self::Transfer(id) => Some(id),
            Self::Unknown | Self::Chunk => None,
        }
    }
}
