//! Results that come in pieces: the standard types of the category `Stream`.
//!
//! **EventStream**: an [`Event`] is written as the standard of Server-Sent Events has it, and
//! [`SseDecoder`] reads a stream of them from bytes that are cut anywhere. Each event is also a
//! JSON value, for channels that carry JSON messages.

mod error;
mod event;
mod fields;
mod message;
mod sse;
#[cfg(test)]
mod tests;

pub use error::{StreamError, StreamErrorKind};
pub use event::{Event, sse_comment};
pub use sse::SseDecoder;
