//! Messages of ChunkedData, one a line, and a payload that is split, shuffled and put together.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::error::ErrorKind;
use toolpact_core::json::Value;
use toolpact_core::returns::stream::{Assembler, Chunk, Splitter};

fuzz_target!(|data: &[u8]| {
    messages(data);
    if let [size, seed, payload @ ..] = data {
        // Each chunk may need a round of its own, so there must not be too many.
        let payload = &payload[..payload.len().min(64)];
        shuffled(payload, usize::from(*size % 16) + 1, usize::from(*seed));
    }
});

/// Whatever comes, the sink has the chunks from the first on, and a finished payload all of them.
fn messages(data: &[u8]) {
    let limit = data.len() % 512;
    let mut assembler = Assembler::new(Vec::new()).max_held_bytes(limit);
    let mut accepted = Vec::new();
    for line in data.split(|byte| *byte == b'\n') {
        let Ok(value) = Value::from_json(line) else {
            continue;
        };
        let Ok(chunk) = Chunk::from_value(&value) else {
            continue;
        };
        let written = chunk.to_value();
        assert_eq!(Chunk::from_value(&written).expect("it was one"), chunk);
        if assembler.add(chunk.clone()).is_ok() {
            accepted.push(chunk);
        }
    }
    let total = accepted.first().map(Chunk::total_chunks);
    let complete = assembler.is_complete();
    assert_eq!(assembler.finish().is_ok(), complete);
    accepted.sort_by_key(Chunk::sequence);
    // The same number is the same data, or it would not have been accepted.
    accepted.dedup_by_key(|chunk| chunk.sequence());
    let in_order = accepted
        .iter()
        .zip(0..)
        .take_while(|(chunk, i)| chunk.sequence() == *i);
    let payload: Vec<u8> = in_order
        .flat_map(|(chunk, _)| chunk.data().to_vec())
        .collect();
    assert_eq!(complete, total == Some(accepted.len() as u64));
    assert_eq!(assembler.into_sink(), payload);
}

/// Chunks in another order, some more than once, within a bound that may be too small.
fn shuffled(payload: &[u8], size: usize, seed: usize) {
    let chunks = Splitter::of_bytes(payload, "t", size).expect("a size that is not 0");
    let chunks: Vec<Chunk> = chunks
        .map(|chunk| chunk.expect("bytes can be read"))
        .collect();
    let mut assembler = Assembler::new(Vec::new()).max_held_bytes(seed * 64);
    let mut rounds = 0;
    while !assembler.is_complete() {
        for i in (0..chunks.len()).map(|i| (i * (seed + 1) + seed) % chunks.len()) {
            for chunk in [&chunks[i], &chunks[rounds % chunks.len()]] {
                if let Err(error) = assembler.add(chunk.clone()) {
                    assert_eq!(error.kind(), ErrorKind::BufferFull);
                }
            }
        }
        rounds += 1;
        assert!(rounds <= chunks.len());
    }
    assert_eq!(
        assembler.finish().expect("complete").bytes,
        payload.len() as u64
    );
    assert_eq!(assembler.into_sink(), payload);
}
