use std::io::{self, Read};

use proptest::prelude::*;

use super::chunk_table::WRONG;
use crate::error::ErrorKind as Kind;
use crate::json::Value;
use crate::returns::StandardType;
use crate::returns::stream::{Chunk, Splitter};

/// A chunk of "Hello" with one field replaced by a text, or added.
fn with(key: &str, json: &str) -> Value {
    let fields = [
        ("chunk_id", "\"t\""),
        ("sequence", "0"),
        ("total_chunks", "2"),
        ("data", "\"SGVsbG8=\""),
        ("is_last", "false"),
        ("checksum", "\"185f8db3\""),
    ];
    let fields: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| (name, if name == key { json } else { value }))
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    Value::from_json(format!("{{{}}}", fields.join(","))).unwrap()
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (key, json, kind, message) in WRONG.iter().copied() {
        let error = Chunk::from_value(&with(key, json)).unwrap_err();
        assert_eq!(error.kind(), kind, "{key}: {json}: {error}");
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

#[test]
fn what_makes_sense_is_read() {
    let expected = Chunk::new("t", 0, 2, "Hello").unwrap();
    for (key, json) in [
        ("", ""),
        ("is_last", ""),
        ("checksum", ""),
        ("checksum", "\"185f8d\""),
        ("checksum", "\"185F8DB3\""),
        ("checksum", "\"md5:8b1a9953c4611296a827abf8c47804d7\""),
        ("checksum", "\"F7D18982\""),
        // Of an unknown algorithm.
        ("checksum", "\"a1b2c3\""),
        ("sequence", "0.0"),
        ("total_chunks", "2e0"),
    ] {
        assert_eq!(Chunk::from_value(&with(key, json)).unwrap(), expected);
    }
    Chunk::new("t", 0, 0, "").unwrap_err();
    Chunk::new("t", 5, u64::MAX, "").unwrap_err();
    Chunk::new("t", i64::MAX as u64 - 1, i64::MAX as u64, "").unwrap();
}

#[test]
fn splitting() {
    let sizes = |length: usize, size: usize| -> Vec<usize> {
        let bytes = vec![7; length];
        let chunks = Splitter::of_bytes(&bytes, "t", size).unwrap();
        chunks.map(|chunk| chunk.unwrap().data().len()).collect()
    };
    assert_eq!(sizes(0, 4), [0]);
    assert_eq!(sizes(1, 4), [1]);
    assert_eq!(sizes(4, 4), [4]);
    assert_eq!(sizes(9, 4), [4, 4, 1]);
    assert_eq!(sizes(3, usize::MAX), [3]);

    let error = Splitter::of_bytes(b"", "t", 0).unwrap_err();
    assert_eq!(error.kind(), Kind::ChunkSize);
    let error = Splitter::new(io::empty(), u64::MAX, "t", 1).unwrap_err();
    assert_eq!(error.kind(), Kind::ChunkSize);
}

#[test]
fn sources_that_do_not_keep_their_promise() {
    let mut chunks = Splitter::new(&b"12345"[..], 7, "t", 4).unwrap();
    assert_eq!(chunks.total_chunks(), 2);
    chunks.next().unwrap().unwrap();
    let error = chunks.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "chunk 1 of `t`: expected 2 bytes more, found the end of the source; \
         give the length the source really has"
    );
    assert!(chunks.next().is_none());

    // Bytes beyond the length are not read.
    let mut source = &b"12345"[..];
    assert_eq!(Splitter::new(&mut source, 4, "t", 2).unwrap().count(), 2);
    assert_eq!(source, b"5");

    let broken = io::repeat(0).take(3).chain(Broken);
    let error = Splitter::new(broken, 4, "t", 4)
        .unwrap()
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
    assert!(std::error::Error::source(&error).is_some());
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("unplugged"))
    }
}

#[test]
fn values_of_chunks_have_the_shape() {
    let schema = StandardType::ChunkedData.schema();
    let checker = schema.shape_checker();
    let chunk = Chunk::new("\"\n", 3, 9, vec![0, 255]).unwrap();
    checker.check(&chunk.to_value()).unwrap();
}

proptest! {
    #[test]
    fn chunks_come_back(
        id in any::<String>(),
        sequence in 0..1000_u64,
        more in 1..1000_u64,
        data in any::<Vec<u8>>(),
    ) {
        let chunk = Chunk::new(id, sequence, sequence + more, data).unwrap();
        let value = chunk.to_value();
        prop_assert_eq!(value.text(), chunk.to_json());
        prop_assert_eq!(Chunk::from_value(&value).unwrap(), chunk);
    }
}
