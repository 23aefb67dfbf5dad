use std::io::{self, Write};

use proptest::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::error::{Error, ErrorKind as Kind};
use crate::returns::stream::{Assembler, Chunk, Splitter};

fn chunk(sequence: u64, data: &str) -> Chunk {
    Chunk::new("t", sequence, 3, data).unwrap()
}

fn assembler() -> Assembler<Vec<u8>> {
    Assembler::new(Vec::new())
}

fn says<T: std::fmt::Debug>(result: Result<T, Error>, kind: Kind, message: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind);
    assert_eq!(error.to_string(), message);
}

#[test]
fn chunks_that_do_not_belong() {
    let mut transfer = assembler();
    transfer.add(chunk(0, "a")).unwrap();
    transfer.add(chunk(2, "c")).unwrap();
    says(
        transfer.add(Chunk::new("u", 1, 3, "b").unwrap()),
        Kind::Foreign,
        "chunk 1 of `u`: expected a chunk of the transfer `t`, found one of another; \
         use one assembler for each `chunk_id`",
    );
    says(
        transfer.add(Chunk::new("t", 1, 4, "b").unwrap()),
        Kind::TotalChanged,
        "chunk 1 of `t`: expected `total_chunks` to stay 3, found 4; \
         start another transfer if the payload has changed",
    );
    says(
        transfer.add(chunk(0, "b")),
        Kind::Conflict,
        "chunk 0 of `t`: expected the data it had when it came before, found other data, with the \
         checksum `3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d`; \
         start another transfer if the payload has changed",
    );
    // The same for one that is held.
    transfer.add(chunk(2, "c")).unwrap();
    assert_eq!(
        transfer.add(chunk(2, "")).unwrap_err().kind(),
        Kind::Conflict
    );
    // None of it changed the state.
    transfer.add(chunk(2, "c")).unwrap();
    transfer.add(chunk(0, "a")).unwrap();
    transfer.add(chunk(1, "b")).unwrap();
    assert!(transfer.is_complete());
    transfer.finish().unwrap();
    assert_eq!(transfer.into_sink(), b"abc");
}

/// The specification does not say whether `chunk_id` names the transfer or the chunk.
#[test]
fn chunks_may_have_names_of_their_own() {
    let chunk = |id: &str, sequence, data: &str| Chunk::new(id, sequence, 3, data).unwrap();
    let mut transfer = assembler();
    transfer.add(chunk("c/2", 2, "c")).unwrap();
    // A repeated chunk does not say what its name is of.
    transfer.add(chunk("c/2", 2, "c")).unwrap();
    transfer.add(chunk("c/0", 0, "a")).unwrap();
    says(
        transfer.finish(),
        Kind::Missing,
        "a transfer: expected all 3 chunks, found 2, the first that is missing is chunk 1; \
         ask for the missing chunks again",
    );
    transfer.add(chunk("c/1", 1, "b")).unwrap();
    transfer.finish().unwrap();
    assert_eq!(transfer.into_sink(), b"abc");
}

#[test]
fn the_transfer_that_was_asked_for() {
    let mut transfer = assembler().transfer("t");
    let foreign = Chunk::new("u", 0, 9, "x").unwrap();
    assert_eq!(transfer.add(foreign).unwrap_err().kind(), Kind::Foreign);
    transfer.add(Chunk::new("t", 0, 1, "x").unwrap()).unwrap();
    transfer.finish().unwrap();
}

#[test]
fn the_end() {
    let mut transfer = assembler();
    says(
        transfer.finish(),
        Kind::Missing,
        "a transfer: expected at least one chunk, found none; ask for the missing chunks again",
    );
    transfer.add(chunk(2, "c")).unwrap();
    says(
        transfer.finish(),
        Kind::Missing,
        "the chunks of `t`: expected all 3 chunks, found 1, the first that is missing is chunk 0; \
         ask for the missing chunks again",
    );
    transfer.add(chunk(0, "a")).unwrap();
    assert!(transfer.missing().eq(std::iter::once(1..2)));
    transfer.add(chunk(1, "b")).unwrap();
    // A repeated chunk is fine until the end is declared.
    transfer.add(chunk(1, "b")).unwrap();
    let payload = transfer.finish().unwrap();
    assert_eq!(payload, transfer.finish().unwrap());
    says(
        transfer.add(chunk(1, "b")),
        Kind::Late,
        "chunk 1 of `t`: expected no chunk after the end of the transfer, found one; \
         give each transfer a name of its own and an assembler of its own",
    );
}

#[test]
fn the_digest_of_the_whole() {
    let expected: [u8; 32] = Sha256::digest(b"abc").into();
    let assemble = |last: &str| {
        let mut transfer = assembler().sha256(expected);
        for (i, data) in ["a", "b", last].into_iter().enumerate() {
            transfer.add(chunk(i as u64, data)).unwrap();
        }
        transfer.finish()
    };
    assert_eq!(assemble("c").unwrap().sha256, expected);
    says(
        assemble("d"),
        Kind::Digest,
        "the chunks of `t`: expected a payload with the SHA-256 \
         ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad, found 3 bytes with \
         a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9; \
         throw the payload away and transfer it again",
    );
}

#[test]
fn what_comes_early_is_limited() {
    let total = 1 << 40;
    let chunk = |sequence, data: &str| Chunk::new("t", sequence, total, data).unwrap();
    let mut transfer = assembler().max_held_bytes(2 * 128 + 10);
    transfer.add(chunk(2, "12345")).unwrap();
    transfer.add(chunk(9, "1234")).unwrap();
    says(
        transfer.add(chunk(3, "")),
        Kind::BufferFull,
        "chunk 3 of `t`: expected chunk 0 before it, found no room to hold it within 266 bytes; \
         send chunks closer to their order, or raise the assembler's `max_held_bytes`",
    );
    assert_eq!(
        transfer.missing().collect::<Vec<_>>(),
        [0..2, 3..9, 10..total]
    );
    // Writing frees room.
    for (sequence, data) in [(0, "a"), (1, "b"), (3, ""), (5, "12345")] {
        transfer.add(chunk(sequence, data)).unwrap();
    }
    assert_eq!(transfer.into_sink(), b"ab12345");
}

#[test]
fn a_first_chunk_that_is_refused_decides_nothing() {
    let mut transfer = assembler().max_held_bytes(0);
    let early = Chunk::new("u", 1, 9, "x").unwrap();
    assert_eq!(transfer.add(early).unwrap_err().kind(), Kind::BufferFull);
    assert_eq!(transfer.missing().count(), 0);
    transfer.add(chunk(0, "a")).unwrap();
}

#[test]
fn a_sink_that_fails_is_the_end() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("disk full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut transfer = Assembler::new(Full);
    says(
        transfer.add(chunk(0, "a")),
        Kind::Io,
        "the chunks of `t`: expected to write the payload, found: disk full; \
         start again with a sink that can be written to",
    );
    assert_eq!(transfer.add(chunk(0, "a")).unwrap_err().kind(), Kind::Io);
    assert_eq!(transfer.finish().unwrap_err().kind(), Kind::Io);
}

/// A payload, the size of its chunks, and which chunk comes when: all of them, some repeatedly.
fn delivery() -> impl Strategy<Value = (Vec<u8>, usize, Vec<usize>)> {
    (proptest::collection::vec(any::<u8>(), 0..60), 1..20_usize).prop_flat_map(|(payload, size)| {
        let total = payload.len().div_ceil(size).max(1);
        let repeats = proptest::collection::vec(0..total, 0..10);
        let order = repeats
            .prop_map(move |repeats| (0..total).chain(repeats).collect::<Vec<_>>())
            .prop_shuffle();
        (Just(payload), Just(size), order)
    })
}

proptest! {
    #[test]
    fn any_order_and_repetition_gives_the_payload((payload, size, order) in delivery()) {
        let chunks: Vec<Chunk> = Splitter::of_bytes(&payload, "t", size).unwrap().map(Result::unwrap).collect();
        let mut transfer = assembler().sha256(Sha256::digest(&payload).into());
        for i in order {
            transfer.add(chunks[i].clone()).unwrap();
        }
        prop_assert_eq!(transfer.finish().unwrap().bytes, payload.len() as u64);
        prop_assert_eq!(transfer.into_sink(), payload);
    }

    #[test]
    fn what_is_missing_is_named((payload, size, order) in delivery(), lost: prop::sample::Index) {
        let chunks: Vec<Chunk> = Splitter::of_bytes(&payload, "t", size).unwrap().map(Result::unwrap).collect();
        let lost = lost.index(chunks.len());
        let mut transfer = assembler();
        for i in order.into_iter().filter(|i| *i != lost) {
            transfer.add(chunks[i].clone()).unwrap();
        }
        prop_assert_eq!(transfer.finish().unwrap_err().kind(), Kind::Missing);
        if chunks.len() > 1 {
            let lost = lost as u64;
            prop_assert_eq!(transfer.missing().collect::<Vec<_>>(), vec![lost..lost + 1]);
        }
        transfer.add(chunks[lost].clone()).unwrap();
        transfer.finish().unwrap();
        prop_assert_eq!(transfer.into_sink(), payload);
    }

    /// With any limit, chunks are sent again and again until all are taken.
    #[test]
    fn refused_chunks_can_come_again((payload, size, order) in delivery(), limit in 0..600_usize) {
        let chunks: Vec<Chunk> = Splitter::of_bytes(&payload, "t", size).unwrap().map(Result::unwrap).collect();
        let mut transfer = assembler().max_held_bytes(limit);
        let mut rounds = 0;
        while !transfer.is_complete() {
            for i in &order {
                if let Err(error) = transfer.add(chunks[*i].clone()) {
                    prop_assert_eq!(error.kind(), Kind::BufferFull);
                }
            }
            rounds += 1;
            prop_assert!(rounds <= chunks.len());
        }
        transfer.finish().unwrap();
        prop_assert_eq!(transfer.into_sink(), payload);
    }
}
