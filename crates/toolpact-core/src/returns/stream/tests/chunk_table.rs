//! Chunks with one thing wrong.

use crate::error::ErrorKind as Kind;

/// The field, what it is instead (nothing: it is left out), and the error's kind and beginning.
pub(super) const WRONG: &[(&str, &str, Kind, &str)] = &[
    (
        "chunk_id",
        "",
        Kind::Shape,
        "a ChunkedData value: expected the required field `chunk_id`, found none",
    ),
    (
        "chunk_id",
        "5",
        Kind::Shape,
        "/chunk_id: expected a string, found `5`",
    ),
    (
        "sequence",
        "-1",
        Kind::Shape,
        "/sequence: expected a whole number from 0 to 2^63 - 1, found `-1`",
    ),
    (
        "sequence",
        "\"0\"",
        Kind::Shape,
        "/sequence: expected a whole number from 0",
    ),
    (
        "sequence",
        "2",
        Kind::OutOfRange,
        "chunk 2 of `t`: expected a `sequence` below `total_chunks`, which is at most 2^63 - 1, found 2 of 2;",
    ),
    (
        "total_chunks",
        "0",
        Kind::Shape,
        "/total_chunks: expected a whole number from 1",
    ),
    (
        "total_chunks",
        "1",
        Kind::LastFlag,
        "chunk 0 of `t`, /is_last: expected true for number 0 of 1 chunks, found false;",
    ),
    (
        "data",
        "null",
        Kind::Shape,
        "chunk 0 of `t`, /data: expected a string, found `null`",
    ),
    (
        "data",
        "\"SGVsbG8\"",
        Kind::Truncated,
        "chunk 0 of `t`, /data: expected base64 in whole groups of four characters, found 7 characters; send",
    ),
    (
        "data",
        "\"SGVsb\"",
        Kind::Truncated,
        "chunk 0 of `t`, /data: expected base64 in whole groups of four characters, found 5",
    ),
    (
        "data",
        "\"SGVsbG8=\\n\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as it is written with the standard alphabet, found U+000A at 8",
    ),
    (
        "data",
        "\"!!\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as it is written with the standard alphabet, found `!` at 0",
    ),
    (
        "data",
        "\"aé==\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as it is written with the standard alphabet, found `é` at 1",
    ),
    (
        "data",
        "\"SGVsbG9=\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as it is written with the standard alphabet, found `9` at 6 with bits",
    ),
    (
        "data",
        "\"S===\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as",
    ),
    (
        "data",
        "\"SGVsbG_-\"",
        Kind::Base64,
        "chunk 0 of `t`, /data: expected base64 as it is written with the standard alphabet, found `_` at 6",
    ),
    (
        "data",
        "\"SGVs\"",
        Kind::Altered,
        "chunk 0 of `t`, /checksum: expected the crc32 of the data, dd46b7fb, found 185f8db3; send the chunk again",
    ),
    (
        "is_last",
        "true",
        Kind::LastFlag,
        "chunk 0 of `t`, /is_last: expected false",
    ),
    (
        "is_last",
        "null",
        Kind::Shape,
        "chunk 0 of `t`, /is_last: expected true or false, found `null`",
    ),
    (
        "checksum",
        "null",
        Kind::Shape,
        "chunk 0 of `t`, /checksum: expected a string",
    ),
    (
        "checksum",
        "\"sha256:185f8d\"",
        Kind::Altered,
        "chunk 0 of `t`, /checksum: expected the sha256 of the data, 185f8db3",
    ),
    (
        "checksum",
        "\"00000000\"",
        Kind::Altered,
        "chunk 0 of `t`, /checksum: expected the crc32 of the data, f7d18982, found 00000000; send the chunk again",
    ),
];
