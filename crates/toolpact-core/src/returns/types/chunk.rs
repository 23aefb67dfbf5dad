use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::content::Bytes;
use super::result_node::ResultNode;
use super::wire::standard_result;
use crate::Error;
use crate::returns::meaning;

/// One piece of a large payload.
///
/// `chunk_id` names the transfer, the same for all its chunks: it is what they are found by. See
/// [`stream::Assembler`](crate::returns::stream::Assembler), which takes chunks with names of their own
/// as well.
///
/// It has no place for an error: a transfer that breaks off is a failed call.
///
/// ```
/// use toolpact_core::returns::types::ChunkedData;
///
/// let chunk = ChunkedData::new("chunk_1", 1, 2, b"World".to_vec())?;
/// assert!(chunk.is_last());
/// assert!(ChunkedData::new("chunk_2", 2, 2, Vec::new()).is_err());
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkedData {
    chunk_id: Box<str>,
    sequence: u64,
    total_chunks: u64,
    data: Bytes,
}

standard_result!(ChunkedData);

#[derive(Serialize)]
struct Wire<'a> {
    chunk_id: &'a str,
    sequence: u64,
    total_chunks: u64,
    data: &'a Bytes,
    is_last: bool,
    checksum: String,
}

impl ChunkedData {
    /// A chunk with its number (from 0), the number of chunks, and its bytes.
    pub fn new(
        chunk_id: &str,
        sequence: u64,
        total_chunks: u64,
        content: impl Into<Box<[u8]>>,
    ) -> Result<Self, Error> {
        if chunk_id.is_empty() {
            let message = "expected an identifier that is not empty";
            return Err(Error::at("chunk_id", message));
        }
        if total_chunks == 0 {
            let message = "expected at least 1, found 0";
            return Err(Error::at("total_chunks", message));
        }
        Error::unless_hold(&meaning::Chunk {
            sequence: Some(sequence.into()),
            total_chunks: Some(total_chunks.into()),
            ..meaning::Chunk::default()
        })?;
        Ok(Self {
            chunk_id: chunk_id.into(),
            sequence,
            total_chunks,
            data: Bytes(content.into()),
        })
    }

    /// The identifier of the transfer or of the chunk.
    #[must_use]
    pub fn chunk_id(&self) -> &str {
        &self.chunk_id
    }

    /// Its number; the first is 0.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The number of chunks.
    #[must_use]
    pub fn total_chunks(&self) -> u64 {
        self.total_chunks
    }

    /// Whether it is the last chunk.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.sequence + 1 == self.total_chunks
    }

    /// Its bytes.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.data.0
    }

    /// Its bytes, consuming the chunk.
    #[must_use]
    pub fn into_content(self) -> Box<[u8]> {
        self.data.0
    }

    /// SHA-256 of its bytes, in hexadecimal.
    #[must_use]
    pub fn checksum(&self) -> String {
        self.data.sha256()
    }

    fn wire(&self) -> impl Serialize {
        Wire {
            chunk_id: &self.chunk_id,
            sequence: self.sequence,
            total_chunks: self.total_chunks,
            data: &self.data,
            is_last: self.is_last(),
            checksum: self.checksum(),
        }
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        // The rules of meaning check whether these agree with the rest.
        part.optional("is_last", ResultNode::flag)?;
        part.optional("checksum", ResultNode::text)?;
        Ok(Self {
            chunk_id: part.require("chunk_id")?.filled()?,
            sequence: part.require("sequence")?.count(0)?,
            total_chunks: part.require("total_chunks")?.count(1)?,
            data: Bytes::read(&part.require("data")?)?,
        })
    }

    fn refinements(_: &mut SchemaGenerator) -> Vec<Json> {
        vec![json!({"properties": {"chunk_id": {"minLength": 1}}})]
    }
}
