//! `FileResult`, `MediaResult` and `ChunkedData`.

use super::{breaks, everything, holds, says};

fn file(members: &str) -> String {
    format!(r#"{{"success": true, "file": {{{members}}}}}"#)
}

fn image(members: &str) -> String {
    format!(r#"{{"success": true, "media": {{"type": "image", {members}}}}}"#)
}

/// A chunk whose data is `Hello`.
fn chunk(sequence: &str, total: &str, more: &str) -> String {
    format!(
        r#"{{"chunk_id": "c", "sequence": {sequence}, "total_chunks": {total}, "data": "SGVsbG8="{more}}}"#
    )
}

#[test]
fn data_is_base64() {
    let data = |data: &str| file(&format!(r#""data": "{data}""#));
    for text in ["", "SGVsbG8=", "++//", r"\u0053GVsbG8="] {
        holds("FileResult", &data(text));
    }
    for (text, found) in [
        ("SGVsbG8", "`=` missing or in a wrong place"),
        ("SGVsbG8==", "`=` missing or in a wrong place"),
        ("SG=VsbG8", "`=` missing or in a wrong place"),
        ("SGVsb", "5 characters, which no data gives"),
        ("SGVsbG8gV29ybGQg...", "'.' after 16 characters"),
        ("--__", "'-' after 0 characters"),
        (r"SGVs\nbG8=", r"'\n' after 4 characters"),
        ("SGVsbG8é", "'é' after 7 characters"),
        ("SGVsbG9=", "a last character that no data gives"),
        ("data:text/plain;base64,SGVsbG8=", "':' after 4 characters"),
    ] {
        breaks("returns-base64", "FileResult", &data(text));
        says(
            "FileResult",
            &data(text),
            &format!("expected Base64, found {found}"),
        );
    }
    breaks("returns-base64", "MediaResult", &image(r#""data": "!!!!""#));
    breaks(
        "returns-base64",
        "ChunkedData",
        r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 2, "data": "!!", "checksum": "000000"}"#,
    );
}

#[test]
fn sizes() {
    holds("FileResult", &file(r#""size": 5, "data": "SGVsbG8=""#));
    holds("FileResult", &file(r#""size": 5"#));
    breaks(
        "returns-size",
        "FileResult",
        &file(r#""size": 8, "data": "SGVsbG8=""#),
    );
    breaks(
        "returns-size",
        "FileResult",
        &file(r#""size": 1e300, "data": "SGVsbG8=""#),
    );
    breaks(
        "returns-negative",
        "FileResult",
        &file(r#""size": -5, "data": "SGVsbG8=""#),
    );
    holds("MediaResult", &image(r#""size": 5, "data": "SGVsbG8=""#));
    breaks(
        "returns-size",
        "MediaResult",
        &image(r#""size": 6, "data": "SGVsbG8=""#),
    );
    breaks("returns-negative", "MediaResult", &image(r#""size": -1"#));
    holds("MediaResult", &image(r#""duration": 0.5"#));
    breaks(
        "returns-negative",
        "MediaResult",
        &image(r#""duration": -0.5"#),
    );
}

#[test]
fn addresses() {
    for (name, of) in [
        ("FileResult", file as fn(&str) -> String),
        ("MediaResult", image),
    ] {
        holds(name, &of(r#""url": "https://example.com/a%20b.png?x=1#y""#));
        holds(name, &of(r#""url": "urn:isbn:0451450523""#));
        for url in ["/a.png", "a.png", "https://example.com/a b.png", ""] {
            breaks("returns-format", name, &of(&format!(r#""url": "{url}""#)));
        }
    }
}

#[test]
fn checksums_of_files() {
    let with = |algorithm: &str, value: &str| {
        let checksum = format!(r#"{{"algorithm": "{algorithm}", "value": "{value}"}}"#);
        file(&format!(r#""data": "SGVsbG8=", "checksum": {checksum}"#))
    };
    let known = [
        (
            "sha256",
            "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
        ),
        ("SHA-1", "F7FF9E8B7BB2E09B70935A5D785E0CC5D9D0ABF0"),
        ("md5", "8b1a9953c4611296a827abf8c47804d7"),
        ("Crc_32", "f7d18982"),
        (
            "sha-384",
            "3519fe5ad2c596efe3e276a6f351b8fc0b03db861782490d45f7598ebd0ab5fd5520ed102f38c4a5ec834e98668035fc",
        ),
        (
            "SHA512",
            "3615f80c9d293ed7402687f94b22d58e529b8cc7916f8fac7fddf7fbd5af4cf777d3d795a7a00a16bf7e7f3fb9561ee9baae480da9fe7a18769e71886b03f315",
        ),
    ];
    for (algorithm, value) in known {
        holds("FileResult", &with(algorithm, value));
        breaks(
            "returns-checksum",
            "FileResult",
            &with(algorithm, &value[1..]),
        );
        breaks(
            "returns-checksum",
            "FileResult",
            &with(algorithm, &format!("0{}", &value[1..])),
        );
    }
    breaks(
        "returns-checksum-algorithm",
        "FileResult",
        &with("xxh3", "00"),
    );
    // A name may be in the value, too, or nowhere.
    let md5 = "8b1a9953c4611296a827abf8c47804d7";
    holds("FileResult", &with("md5", &format!("MD5:{md5}")));
    breaks(
        "returns-checksum",
        "FileResult",
        &with("sha1", &format!("md5:{md5}")),
    );
    let unnamed = |value: &str| {
        file(&format!(
            r#""data": "SGVsbG8=", "checksum": {{"value": "{value}"}}"#
        ))
    };
    holds("FileResult", &unnamed(md5));
    breaks("returns-checksum", "FileResult", &unnamed("00000000"));
    breaks("returns-checksum-algorithm", "FileResult", &unnamed("00"));
    // Without the data there is nothing to compare with.
    holds(
        "FileResult",
        &file(r#""checksum": {"algorithm": "xxh3", "value": "00"}"#),
    );
    holds(
        "FileResult",
        &file(r#""data": "SGVsbG8=", "checksum": {"algorithm": "md5"}"#),
    );
}

#[test]
fn chunks_are_in_order() {
    holds("ChunkedData", &chunk("0", "1", ""));
    holds("ChunkedData", &chunk("1.0", "2", ""));
    breaks(
        "returns-chunk-sequence",
        "ChunkedData",
        &chunk("2", "2", ""),
    );
    breaks(
        "returns-chunk-sequence",
        "ChunkedData",
        &chunk("1e300", "2", ""),
    );
    holds("ChunkedData", &chunk("2", "1e300", r#", "is_last": false"#));
    breaks(
        "returns-chunk-sequence",
        "ChunkedData",
        &chunk("2", "2", r#", "is_last": true"#),
    );
    holds("ChunkedData", &chunk("1", "2", r#", "is_last": true"#));
    holds("ChunkedData", &chunk("0", "2", r#", "is_last": false"#));
    breaks(
        "returns-chunk-last",
        "ChunkedData",
        &chunk("0", "2", r#", "is_last": true"#),
    );
    breaks(
        "returns-chunk-last",
        "ChunkedData",
        &chunk("1", "2", r#", "is_last": false"#),
    );
    assert_eq!(
        everything("ChunkedData", &chunk("0", "0", "")),
        ["value-range"]
    );
}

#[test]
fn checksums_of_chunks() {
    let with = |checksum: &str| chunk("0", "2", &format!(r#", "checksum": "{checksum}""#));
    let sha256 = "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969";
    for checksum in [
        sha256,
        &sha256.to_uppercase(),
        &format!("SHA-256:{sha256}"),
        "185f8d",
        "185F8DB322",
        // A shortened one may be as long as one of another algorithm.
        "185f8db3",
        "8b1a9953c4611296a827abf8c47804d7",
        "md5:8B1A9953C4611296A827ABF8C47804D7",
        "F7FF9E8B7BB2E09B70935A5D785E0CC5D9D0ABF0",
        "f7d18982",
        "crc32:f7d18982",
    ] {
        holds("ChunkedData", &with(checksum));
    }
    for checksum in [
        "00000000",
        "crc32:00000000",
        "crc32:d18982",
        "sha256:185f8d",
        "md5:",
        "8b1a9953c4611296a827abf8c47804d8",
        &format!("0{}", &sha256[1..]),
        &format!("sha1:{sha256}"),
    ] {
        breaks("returns-checksum", "ChunkedData", &with(checksum));
    }
    // The specification has a plain string, and `a1b2c3` in its example.
    for checksum in [
        "",
        "185f8",
        "a1b2c3",
        "185f8dx",
        "ääääää",
        "xxh3:00",
        "zzzzzzzz",
        &format!("{sha256}0"),
    ] {
        breaks("returns-checksum-algorithm", "ChunkedData", &with(checksum));
    }
    says(
        "ChunkedData",
        &with("a1b2c3"),
        r#"expected a checksum that can be checked, found the string "a1b2c3""#,
    );
}
