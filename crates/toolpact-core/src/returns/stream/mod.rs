//! Results that come in pieces: the two standard types of the category `Stream`.
//!
//! - **EventStream**: an [`Event`] is written as Server-Sent Events, and [`SseDecoder`] reads a
//!   stream of them from bytes that are split anywhere. Each event is also a JSON value, for
//!   channels that carry JSON messages.
//! - **ChunkedData**: a [`Splitter`] splits a payload into [`Chunk`]s, and an [`Assembler`]
//!   reassembles them, in any order.
//!
//! Both work in bounded memory, and neither does input or output of its own: bytes come from a
//! slice or any [`Read`](std::io::Read), and go to any [`Write`](std::io::Write).
//!
//! ```
//! use toolpact_core::json::Value;
//! use toolpact_core::returns::stream::{Assembler, Chunk, Splitter};
//!
//! let payload = b"a payload that is too large for one message";
//! let mut assembler = Assembler::new(Vec::new());
//! for chunk in Splitter::of_bytes(payload, "report-7", 16)? {
//!     let message = chunk?.to_json(); // what travels
//!     assembler.add(Chunk::from_value(&Value::from_json(message)?)?)?;
//! }
//! assert_eq!(assembler.finish()?.bytes, 43);
//! assert_eq!(assembler.into_sink(), payload);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod assemble_errors;
mod base64_text;
mod chunk;
mod early;
mod event;
mod fields;
mod message;
mod split;
mod sse;
#[cfg(test)]
mod tests;

pub use assemble::{Assembler, Payload};
pub use chunk::Chunk;
pub use event::{Event, sse_comment};
pub use split::Splitter;
pub use sse::SseDecoder;
