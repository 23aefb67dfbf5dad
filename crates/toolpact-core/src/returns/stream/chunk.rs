use sha2::{Digest as _, Sha256};

use super::{base64_text, fields};
use crate::error::{Error, ErrorKind as Kind};
use crate::json::{Node, Value, Writer};
use crate::returns::meaning::checksum::{Checksum, hex};
use crate::returns::meaning::{self, Facts as _};
use crate::text::shorten;

/// One piece of a payload: a value of the standard type ChunkedData that is consistent.
///
/// `chunk_id` names the transfer, and is the same for all its chunks. Others name each chunk with it,
/// which an [`Assembler`](super::Assembler) takes as well. `sequence` counts from 0. `checksum` is
/// written as the SHA-256 of the chunk's bytes in lower-case hexadecimal digits.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::stream::Chunk;
///
/// let chunk = Chunk::new("report-7", 0, 2, "Hello")?;
/// assert!(chunk.to_json().starts_with(
///     r#"{"chunk_id":"report-7","sequence":0,"total_chunks":2,"data":"SGVsbG8=","is_last":false,"checksum":"185f8db3"#
/// ));
///
/// let altered = Value::from_json(
///     r#"{"chunk_id":"report-7","sequence":0,"total_chunks":2,"data":"SGVsbG9=","checksum":"185f8d"}"#,
/// )?;
/// assert_eq!(
///     Chunk::from_value(&altered).unwrap_err().to_string(),
///     "chunk 0 of `report-7`, /data: expected base64 as it is written with the standard alphabet, \
///      found `9` at 6 with bits that belong to no byte; send the chunk again"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    id: String,
    sequence: u64,
    total_chunks: u64,
    data: Vec<u8>,
    sha256: [u8; 32],
}

/// The advice for data that was altered in transit.
pub(super) const SEND_AGAIN: &str = "send the chunk again";

impl Chunk {
    /// Chunk `sequence` of `total_chunks`. Both are at most 2^63 - 1.
    pub fn new(
        chunk_id: impl Into<String>,
        sequence: u64,
        total_chunks: u64,
        data: impl Into<Vec<u8>>,
    ) -> Result<Self, Error> {
        let (id, data) = (chunk_id.into(), data.into());
        if sequence >= total_chunks || i64::try_from(total_chunks).is_err() {
            return Err(out_of_range(&id, sequence, total_chunks));
        }
        let sha256 = Sha256::digest(&data).into();
        Ok(Self {
            id,
            sequence,
            total_chunks,
            data,
            sha256,
        })
    }

    /// Reads a ChunkedData value. `is_last` and `checksum` may be left out; if present, they must
    /// be right, as the rules of meaning say: a checksum of an unknown algorithm is accepted. Other
    /// fields are ignored.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let what = "a ChunkedData value";
        let root = fields::object(value.root(), what)?;
        let field = |key| fields::required(root, key, what);
        let chunk_id = fields::string(field("chunk_id")?, "/chunk_id")?;
        let sequence = fields::integer(field("sequence")?, "/sequence", 0)?;
        let total = fields::integer(field("total_chunks")?, "/total_chunks", 1)?;
        let place = place(&chunk_id, sequence);
        let text = fields::string(field("data")?, &format!("{place}, /data"))?;
        let data = base64_text::decode(&text, &place)?;
        let chunk = Self::new(chunk_id, sequence, total, data)?;
        chunk.check(root)?;
        Ok(chunk)
    }

    /// The JSON text of the ChunkedData value, with all its fields.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.write().finish()
    }

    /// The ChunkedData value, with all its fields.
    #[must_use]
    pub fn to_value(&self) -> Value {
        Value::trusted(self.write())
    }

    /// The name of the transfer, or of the chunk.
    #[must_use]
    pub fn chunk_id(&self) -> &str {
        &self.id
    }

    /// Which chunk of the transfer it is, from 0.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How many chunks the transfer has.
    #[must_use]
    pub fn total_chunks(&self) -> u64 {
        self.total_chunks
    }

    /// The bytes.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The bytes, consuming the chunk.
    #[must_use]
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Whether it is the last chunk of the transfer.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.sequence + 1 == self.total_chunks
    }

    /// The SHA-256 of the bytes.
    #[must_use]
    pub fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }

    /// The checksum in full: 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn checksum(&self) -> String {
        hex(&self.sha256)
    }

    /// For messages: "chunk 3 of `report-7`".
    pub(super) fn place(&self) -> String {
        place(&self.id, self.sequence)
    }

    fn write(&self) -> Writer {
        // Base64 needs no escapes, and it is long, so it is not scanned again.
        let data = base64_text::quoted(&self.data);
        let mut writer = Writer::default();
        writer.begin_object().key("chunk_id").string(&self.id);
        writer.key("sequence").raw(&self.sequence.to_string());
        writer
            .key("total_chunks")
            .raw(&self.total_chunks.to_string());
        writer.key("data").raw(&data);
        writer.key("is_last").raw(&self.is_last().to_string());
        writer.key("checksum").string(&self.checksum());
        writer.end_object();
        writer
    }

    /// Whether `is_last` and `checksum` are right.
    fn check(&self, root: Node<'_>) -> Result<(), Error> {
        let place = |key: &str| format!("{}, {key}", self.place());
        let is_last = root.get("is_last");
        let is_last = is_last.map(|node| fields::boolean(node, &place("/is_last")));
        let checksum = root.get("checksum");
        let checksum = checksum.map(|node| fields::string(node, &place("/checksum")));
        let checksum = checksum.transpose()?;
        let facts = meaning::Chunk {
            sequence: Some(self.sequence.into()),
            total_chunks: Some(self.total_chunks.into()),
            is_last: is_last.transpose()?,
            checksum: checksum.as_deref().map(|value| Checksum {
                bytes: &self.data,
                sha256: Some(&self.sha256),
                algorithm: None,
                value,
            }),
        };
        facts.first_error().map_or(Ok(()), |error| {
            let (kind, advice) = match error.place() {
                "/is_last" => (Kind::LastFlag, "correct `is_last`, or leave it out"),
                _ => (Kind::Altered, SEND_AGAIN),
            };
            let place = place(error.place());
            Err(Error::stream(kind, place, error.message(), advice))
        })
    }
}

pub(super) fn place(chunk_id: &str, sequence: u64) -> String {
    format!("chunk {sequence} of `{}`", shorten(chunk_id))
}

fn out_of_range(chunk_id: &str, sequence: u64, total: u64) -> Error {
    let message = format!(
        "expected a `sequence` below `total_chunks`, which is at most 2^63 - 1, \
         found {sequence} of {total}"
    );
    let advice = "count chunks from 0, and all of them in `total_chunks`";
    Error::stream(Kind::OutOfRange, place(chunk_id, sequence), message, advice)
}
