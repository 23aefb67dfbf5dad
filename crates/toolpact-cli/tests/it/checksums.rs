//! Checksums as tools write them: those that can be checked are, the others are let through.

use crate::run::Folder;

/// The checksum that comes with `Hello`, and whether the result is the tool's or a broken promise.
/// Rows whose checksum nobody can check warn in `validate`.
const ROWS: &[(&str, Verdict)] = &[
    (
        "sha256:185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
        Verdict::Right,
    ),
    (
        "185F8DB32271FE25F561A6FC938B2E264306EC304EDA518007D1764826381969",
        Verdict::Right,
    ),
    ("md5:8b1a9953c4611296a827abf8c47804d7", Verdict::Right),
    ("8b1a9953c4611296a827abf8c47804d7", Verdict::Right),
    ("crc32:f7d18982", Verdict::Right),
    ("f7d18982", Verdict::Right),
    // As in the example of the specification.
    ("a1b2c3", Verdict::Unknown),
    ("xxh3:9d2c5c5d1c0a6b3e", Verdict::Unknown),
    ("sha256:a1b2c3", Verdict::Wrong),
    ("md5:00000000000000000000000000000000", Verdict::Wrong),
    ("00000000", Verdict::Wrong),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Right,
    Unknown,
    Wrong,
}

fn chunk(checksum: &str) -> String {
    format!(
        r#"{{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "{checksum}"}}"#
    )
}

fn file(checksum: &str) -> String {
    // To be written to a file, a result must name the algorithm. Eight digits are a CRC-32.
    let unnamed = match checksum.len() {
        8 => "crc32",
        32 => "MD5",
        64 => "SHA-256",
        _ => "adler32",
    };
    let (name, value) = checksum.split_once(':').unwrap_or((unnamed, checksum));
    let checksum = format!(r#"{{"algorithm": "{name}", "value": "{value}"}}"#);
    format!(
        r#"{{"success": true, "file": {{"name": "a", "data": "SGVsbG8=", "checksum": {checksum}}}}}"#
    )
}

/// A tool for each row that prints it.
fn tools(returns: &str, result: fn(&str) -> String) -> Folder {
    let mut tools = "toolpact: 1\ntools:\n".to_owned();
    for (i, (checksum, _)) in ROWS.iter().enumerate() {
        tools += &format!(
            "  - name: row_{i}\n    description: Prints a row.\n    parameters: {{ type: object, properties: {{}} }}\n    \
             returns: {returns}\n    run: {{ command: [echo, '{}'] }}\n",
            result(checksum)
        );
    }
    Folder::new().file("tools.yaml", tools)
}

#[test]
fn checksums_are_verified_where_the_algorithm_is_known() {
    for (returns, result) in [
        ("ChunkedData", chunk as fn(&str) -> String),
        ("FileResult", file),
    ] {
        let folder = tools(returns, result);
        for (i, (checksum, verdict)) in ROWS.iter().enumerate() {
            let name = format!("row_{i}");
            let ran = folder.run(["call", &name, "-o", &name, "--tools", "tools.yaml"]);
            match verdict {
                Verdict::Wrong => {
                    ran.assert(1, "returns-checksum", "");
                    assert!(!folder.path(&name).exists(), "{returns} {checksum}");
                }
                _ => {
                    ran.assert(0, "", "5 bytes");
                    assert_eq!(folder.read(&name), "Hello", "{returns} {checksum}");
                }
            }
        }
    }
}

#[test]
fn unknown_checksums_are_warned_about() {
    let numbers = 0..ROWS.len();
    let calls = numbers.map(|i| format!("{{\"name\": \"row_{i}\", \"args\": {{}}}}\n"));
    let results = ROWS.iter().enumerate().map(|(i, (checksum, _))| {
        let content = chunk(checksum);
        format!("{{\"name\": \"row_{i}\", \"status\": \"SUCCESS\", \"content\": {content}}}\n")
    });
    let folder = tools("ChunkedData", chunk)
        .file("calls.jsonl", calls.collect::<String>())
        .file("results.jsonl", results.collect::<String>());
    let words = "validate --tools tools.yaml --calls calls.jsonl --results results.jsonl";
    let ran = folder.run(words.split(' '));
    ran.assert(1, "", "");
    for (i, (checksum, verdict)) in ROWS.iter().enumerate() {
        let place = format!("results.jsonl:{}:", i + 1);
        let line = ran.stdout.lines().find(|line| line.starts_with(&place));
        let expected = match verdict {
            Verdict::Right => None,
            Verdict::Unknown => Some("warning[returns-checksum-algorithm]"),
            Verdict::Wrong => Some("error[returns-checksum]"),
        };
        match (line, expected) {
            (None, None) => {}
            (Some(line), Some(expected)) => assert!(line.contains(expected), "{line}"),
            (line, _) => panic!("{checksum}: {line:?} in {ran:#?}"),
        }
    }
}
