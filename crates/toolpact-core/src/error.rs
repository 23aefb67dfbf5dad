//! What goes wrong in programs. What is wrong with data is a list of violations.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use crate::Pointer;

/// What went wrong in a program that makes results, or writes and reads streams: the kind, the
/// place, what was expected and found, what to do, and what caused it.
///
/// What is wrong with a document is a list of [`Violations`](crate::Violations) instead.
///
/// ```
/// use toolpact_core::error::ErrorKind;
/// use toolpact_core::returns::types::ListResult;
///
/// let error = ListResult::page(vec![1, 2, 3], 1, 2, 45).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Result);
/// assert_eq!(error.place(), "/data");
/// assert_eq!(error.to_string(), "at /data: expected at most as many items as `per_page` says, 2, found 3");
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    place: String,
    message: String,
    advice: &'static str,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The kinds of [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There can be no such result: it would break its shape or contradict itself.
    Result,

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

impl Error {
    /// About a stream.
    pub(crate) fn stream(
        kind: ErrorKind,
        place: impl Into<String>,
        message: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self(Box::new(Inner {
            kind,
            place: place.into(),
            message: message.into(),
            advice,
            source: None,
        }))
    }

    /// About a result.
    #[expect(clippy::needless_pass_by_value, reason = "pointers are built for it")]
    pub(crate) fn new(pointer: Pointer, message: impl Into<String>) -> Self {
        Self::stream(ErrorKind::Result, pointer.to_string(), message, "")
    }

    /// About one key of a result.
    pub(crate) fn at(key: &str, message: impl Into<String>) -> Self {
        Self::new(Pointer::root().key(key), message)
    }

    pub(crate) fn because(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// What is wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where: "/data" in a result, "chunk 3 of `report-7`" in a stream.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// What was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it. Empty where the message says it all.
    #[must_use]
    pub fn advice(&self) -> &str {
        self.0.advice
    }
}

/// "chunk 3 of `report-7`: expected …, found …; send it again".
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            kind,
            place,
            message,
            advice,
            ..
        } = &*self.0;
        match (kind, place.as_str()) {
            (ErrorKind::Result, "") => f.write_str(message),
            (ErrorKind::Result, _) => write!(f, "at {place}: {message}"),
            _ => write!(f, "{place}: {message}; {advice}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
