use std::error::Error;
use std::fmt;

/// Why a stream could not be written or read: where, what was expected and found, what to do.
#[derive(Debug)]
pub struct StreamError {
    kind: StreamErrorKind,
    place: String,
    message: String,
    advice: &'static str,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What is wrong with an event, a chunk or a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamErrorKind {
    /// The JSON value lacks a field, has one too many, or one of the wrong type.
    Shape,
    /// Reading the source or writing to the sink failed.
    Io,

    /// An event's name is empty or has a line break.
    EventName,
    /// An event's id has a line break or a NUL.
    EventId,
    /// An event's data is JSON that no reader here accepts, such as one with duplicate keys.
    EventData,
    /// An event is larger than the decoder's limit.
    EventTooLarge,

    /// Chunks of this size cannot be made.
    ChunkSize,
    /// The source ended before the length that was announced.
    SourceTooShort,
    /// A chunk's `sequence` is not below its `total_chunks`.
    OutOfRange,
    /// A chunk's `is_last` contradicts its `sequence`.
    LastFlag,
    /// A chunk's data is not base64.
    Base64,
    /// A chunk's base64 ends in the middle of a group.
    Truncated,
    /// A chunk's checksum is not one: six to 64 lower-case hexadecimal digits.
    ChecksumFormat,
    /// A chunk's data does not have its checksum.
    Altered,

    /// A chunk of another transfer.
    Foreign,
    /// `total_chunks` is not what it was before.
    TotalChanged,
    /// A chunk that was there before came again with other data.
    Conflict,
    /// Too much came out of order.
    BufferFull,
    /// The end was declared while chunks were missing.
    Missing,
    /// A chunk came after the end.
    Late,
    /// The payload does not have the digest that was expected.
    Digest,
}

impl StreamError {
    pub(super) fn new(
        kind: StreamErrorKind,
        place: impl Into<String>,
        message: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self {
            kind,
            place: place.into(),
            message: message.into(),
            advice,
            source: None,
        }
    }

    pub(super) fn because(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// What is wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> StreamErrorKind {
        self.kind
    }

    /// Where: "chunk 3 of `report-7`", "/retry".
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> &str {
        self.advice
    }
}

/// "chunk 3 of `report-7`: expected …, found …; send it again".
impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.message, self.advice)
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
