use std::collections::BTreeMap;

use super::Chunk;

/// The chunks that arrived early, up to a limit.
#[derive(Debug)]
pub(super) struct Early {
    pub(super) max_bytes: usize,
    bytes: usize,
    chunks: BTreeMap<u64, Held>,
}

/// Not the whole chunk: its `chunk_id` may be long, and is the same for all.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) data: Vec<u8>,
    pub(super) digest: Digest,
}

/// The part of a chunk's SHA-256 that is kept: enough to rule out collisions by chance.
pub(super) type Digest = [u8; 16];

/// The cost of a chunk besides its data, so that empty chunks are limited too.
const OVERHEAD: usize = 128;

impl Early {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            bytes: 0,
            chunks: BTreeMap::new(),
        }
    }

    pub(super) fn has_room(&self, chunk: &Chunk) -> bool {
        cost(chunk.data()) <= self.max_bytes.saturating_sub(self.bytes)
    }

    pub(super) fn hold(&mut self, chunk: Chunk) {
        self.bytes += cost(chunk.data());
        let (sequence, digest) = (chunk.sequence(), digest(&chunk));
        let data = chunk.into_data();
        self.chunks.insert(sequence, Held { data, digest });
    }

    pub(super) fn take(&mut self, sequence: u64) -> Option<Held> {
        let held = self.chunks.remove(&sequence)?;
        self.bytes -= cost(&held.data);
        Some(held)
    }

    pub(super) fn digest(&self, sequence: u64) -> Option<Digest> {
        self.chunks.get(&sequence).map(|held| held.digest)
    }

    /// The numbers of the chunks, in order.
    pub(super) fn sequences(&self) -> impl ExactSizeIterator<Item = u64> {
        self.chunks.keys().copied()
    }
}

pub(super) fn digest(chunk: &Chunk) -> Digest {
    std::array::from_fn(|i| chunk.sha256()[i])
}

fn cost(data: &[u8]) -> usize {
    data.len().saturating_add(OVERHEAD)
}
