//! The errors of a transfer.

use super::{Chunk, Payload};
use crate::error::{Error, ErrorKind as Kind};
use crate::returns::meaning::checksum::hex;
use crate::text::shorten;

pub(super) fn late(chunk: &Chunk) -> Error {
    let message = "expected no chunk after the end of the transfer, found one";
    let advice = "give each transfer a name of its own and an assembler of its own";
    Error::stream(Kind::Late, chunk.place(), message, advice)
}

pub(super) fn foreign(chunk: &Chunk, id: &str) -> Error {
    let message = format!(
        "expected a chunk of the transfer `{}`, found one of another",
        shorten(id)
    );
    let advice = "use one assembler for each `chunk_id`";
    Error::stream(Kind::Foreign, chunk.place(), message, advice)
}

pub(super) fn total_changed(chunk: &Chunk, total: u64) -> Error {
    let message = format!(
        "expected `total_chunks` to stay {total}, found {}",
        chunk.total_chunks()
    );
    let advice = "start another transfer if the payload has changed";
    Error::stream(Kind::TotalChanged, chunk.place(), message, advice)
}

pub(super) fn conflict(chunk: &Chunk) -> Error {
    let message = format!(
        "expected the data it had when it came before, found other data, with the checksum `{}`",
        chunk.checksum()
    );
    let advice = "start another transfer if the payload has changed";
    Error::stream(Kind::Conflict, chunk.place(), message, advice)
}

pub(super) fn buffer_full(chunk: &Chunk, awaited: u64, limit: usize) -> Error {
    let message = format!(
        "expected chunk {awaited} before it, found no room to hold it within {limit} bytes"
    );
    let advice = "send chunks closer to their order, or raise the assembler's `max_held_bytes`";
    Error::stream(Kind::BufferFull, chunk.place(), message, advice)
}

pub(super) fn missing(id: Option<&str>, total: Option<u64>, found: u64, first: u64) -> Error {
    let message = match total {
        None => "expected at least one chunk, found none".to_owned(),
        Some(total) => format!(
            "expected all {total} chunks, found {found}, the first that is missing is chunk {first}"
        ),
    };
    let advice = "ask for the missing chunks again";
    Error::stream(Kind::Missing, transfer(id), message, advice)
}

pub(super) fn digest(id: Option<&str>, expected: &[u8; 32], payload: &Payload) -> Error {
    let message = format!(
        "expected a payload with the SHA-256 {}, found {} bytes with {}",
        hex(expected),
        payload.bytes,
        hex(&payload.sha256)
    );
    let advice = "throw the payload away and transfer it again";
    Error::stream(Kind::Digest, transfer(id), message, advice)
}

pub(super) fn unwritable(id: Option<&str>, error: std::io::Error) -> Error {
    let message = format!("expected to write the payload, found: {error}");
    let advice = "start again with a sink that can be written to";
    Error::stream(Kind::Io, transfer(id), message, advice).because(error)
}

pub(super) fn sink_failed(id: Option<&str>) -> Error {
    let message = "expected a sink that takes the payload, found one that failed before";
    let advice = "start again with a sink that can be written to";
    Error::stream(Kind::Io, transfer(id), message, advice)
}

fn transfer(id: Option<&str>) -> String {
    match id {
        Some(id) => format!("the chunks of `{}`", shorten(id)),
        None => "a transfer".to_owned(),
    }
}
