//! What can be wrong with a transfer, in words.

use super::{Chunk, Payload, StreamError, StreamErrorKind as Kind};
use crate::returns::meaning::checksum::hex;
use crate::text::shorten;

pub(super) fn late(chunk: &Chunk) -> StreamError {
    let message = "expected no chunk after the end of the transfer, found one";
    let advice = "give each transfer a name of its own and an assembler of its own";
    StreamError::new(Kind::Late, chunk.place(), message, advice)
}

pub(super) fn foreign(chunk: &Chunk, id: &str) -> StreamError {
    let message = format!(
        "expected a chunk of the transfer `{}`, found one of another",
        shorten(id)
    );
    let advice = "use one assembler for each `chunk_id`";
    StreamError::new(Kind::Foreign, chunk.place(), message, advice)
}

pub(super) fn total_changed(chunk: &Chunk, total: u64) -> StreamError {
    let message = format!(
        "expected `total_chunks` to stay {total}, found {}",
        chunk.total_chunks()
    );
    let advice = "start another transfer if the payload has changed";
    StreamError::new(Kind::TotalChanged, chunk.place(), message, advice)
}

pub(super) fn conflict(chunk: &Chunk) -> StreamError {
    let message = format!(
        "expected the data it had when it came before, found other data, with the checksum `{}`",
        chunk.checksum()
    );
    let advice = "start another transfer if the payload has changed";
    StreamError::new(Kind::Conflict, chunk.place(), message, advice)
}

pub(super) fn buffer_full(chunk: &Chunk, awaited: u64, limit: usize) -> StreamError {
    let message = format!(
        "expected chunk {awaited} before it, found no room to hold it within {limit} bytes"
    );
    let advice = "send chunks closer to their order, or raise the assembler's `max_held_bytes`";
    StreamError::new(Kind::BufferFull, chunk.place(), message, advice)
}

pub(super) fn missing(id: Option<&str>, total: Option<u64>, found: u64, first: u64) -> StreamError {
    let message = match total {
        None => "expected at least one chunk, found none".to_owned(),
        Some(total) => format!(
            "expected all {total} chunks, found {found}, the first that is missing is chunk {first}"
        ),
    };
    let advice = "ask for the missing chunks again";
    StreamError::new(Kind::Missing, transfer(id), message, advice)
}

pub(super) fn digest(id: Option<&str>, expected: &[u8; 32], payload: &Payload) -> StreamError {
    let message = format!(
        "expected a payload with the SHA-256 {}, found {} bytes with {}",
        hex(expected),
        payload.bytes,
        hex(&payload.sha256)
    );
    let advice = "throw the payload away and transfer it again";
    StreamError::new(Kind::Digest, transfer(id), message, advice)
}

pub(super) fn unwritable(id: Option<&str>, error: std::io::Error) -> StreamError {
    let message = format!("expected to write the payload, found: {error}");
    let advice = "start again with a sink that can be written to";
    StreamError::new(Kind::Io, transfer(id), message, advice).because(error)
}

pub(super) fn sink_failed(id: Option<&str>) -> StreamError {
    let message = "expected a sink that takes the payload, found one that failed before";
    let advice = "start again with a sink that can be written to";
    StreamError::new(Kind::Io, transfer(id), message, advice)
}

fn transfer(id: Option<&str>) -> String {
    match id {
        Some(id) => format!("the chunks of `{}`", shorten(id)),
        None => "a transfer".to_owned(),
    }
}
