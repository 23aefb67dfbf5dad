//! What `toolpact check --format sarif` and `toolpact diff` write, held against the official validator,
//! and what it says about places held against the files.

use crate::sarif_validator::findings;
use crate::toolpact::toolpact;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Errors, warnings and fixes, with characters of two, three and four bytes before each.
const MISTAKES: &str = r#"{
  "name": "kürzen", "description": "Kürzt — 🐎.", // ändern
  "parameters": {
    "type": "object",
    "properties": {
      "日本": { "type": "string", "description": null },
      "größe": { "type": "INTEGER", "items": { "type": "Number", }, "enum": ["1"] },
      "übrig": { "type": "STRING", "enum": ["🐎", "🐎"] },
    },
    "required": ["größ", "日本", "日本"]
  }
}
"#;

/// Names with characters that mean something in a URI, or are not allowed in one.
const NAMES: &[&str] = &[
    "plain.json",
    "with space/über 日本.json",
    "100%41.json",
    "a#b?c=d&e;f.json",
    "colon:first.json",
    "[brackets]{braces}.json",
    "back\\slash\"quote'.json",
    ".hidden.json",
];

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in NAMES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, MISTAKES).unwrap();
    }
    let odd: [(&str, &[u8]); 5] = [
        ("empty.json", b""),
        ("bom.json", b"\xef\xbb\xbf{\"type\": \"STRING\"}"),
        (
            "latin1.json",
            b"{\"type\": \"STRING\", \"description\": \"caf\xe9\"}",
        ),
        (
            "windows.yaml",
            b"type: ARRAY\r\nitems:\r\n  type: string\r\n",
        ),
        ("fine.yaml", b"type: STRING\n"),
    ];
    for (name, content) in odd {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> String {
    let mut command = toolpact();
    command
        .current_dir(folder)
        .args(["check", "--format", "sarif"]);
    let output = command.args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn results(log: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(log).unwrap();
    log["runs"][0]["results"].as_array().unwrap().clone()
}

#[test]
fn the_validator_finds_nothing() {
    let Some(validator) = conformance::suite("sarif-multitool").or_leave_out() else {
        return;
    };
    let folder = folder();
    let absolute = folder.path().to_str().unwrap();
    let odd = ["empty.json", "bom.json", "latin1.json", "windows.yaml"];
    let logs = [
        &[NAMES, &odd].concat()[..],
        &["."],
        &["./plain.json", "with space/../plain.json"],
        &[absolute],
        &["fine.yaml"],
        &["plain.json", "missing.json"],
        &["--max-violations", "2", "plain.json"],
    ]
    .map(|arguments| check(folder.path(), arguments));
    assert_eq!(findings(&validator, &logs), [""; 0]);
}

/// What `toolpact diff --format sarif` writes: changes with and without a place in a file, and none.
#[test]
fn the_validator_finds_nothing_in_diffs() {
    let Some(validator) = conformance::suite("sarif-multitool").or_leave_out() else {
        return;
    };
    let files =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/toolpact-cli/tests/cmd/diff.in");
    let folder = TempDir::new().unwrap();
    let text = |name| fs::read_to_string(files.join(name)).unwrap();
    let (old, new, server) = ("old.yaml", "über new#1.yaml", "server.yaml");
    // A server has only tools that can be run.
    let run = "returns: opaque\n    run: { command: [cat] }";
    for (name, text) in [
        (old, text("old.yaml")),
        (new, text("new.yaml")),
        (server, text("new.yaml").replace("returns: opaque", run)),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let command = format!(
        "command:{} serve --stdio {server}",
        toolpact().get_program().to_str().unwrap()
    );
    let absolute = folder.path().join(new);
    let logs = [
        [old, new],
        [new, old],
        [old, absolute.to_str().unwrap()],
        [old, &command],
        [&command, old],
        [old, old],
    ]
    .map(|sides| {
        let mut diff = toolpact();
        diff.current_dir(folder.path())
            .args(["diff", "--format", "sarif"]);
        let output = diff.args(sides).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{sides:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    });
    let counts = logs.each_ref().map(|log| results(log).len());
    assert_eq!(
        counts.map(|count| count > 0),
        [true, true, true, true, true, false]
    );
    assert_eq!(findings(&validator, &logs), [""; 0]);
}

/// Otherwise the tests above would mean nothing.
#[test]
fn the_validator_finds_what_is_wrong() {
    let Some(validator) = conformance::suite("sarif-multitool").or_leave_out() else {
        return;
    };
    let folder = folder();
    let log = check(folder.path(), &["plain.json"]);
    for (right, wrong) in [
        ("\"startLine\":4", "\"startLine\":0"),
        ("\"level\":\"error\",\"mes", "\"level\":\"fatal\",\"mes"),
        ("\"uri\":\"plain.json\"", "\"uri\":\"pl ain%.json\""),
    ] {
        assert!(log.contains(right), "no {right} in {log}");
        let broken = log.replace(right, wrong);
        assert_ne!(findings(&validator, &[broken]), [""; 0], "{wrong}");
    }
}

#[test]
fn both_levels_and_fixes_are_there() {
    let folder = folder();
    let results = results(&check(folder.path(), &["plain.json"]));
    for level in ["error", "warning"] {
        assert!(
            results.iter().any(|result| result["level"] == level),
            "{level}"
        );
    }
    assert!(results.iter().any(|result| result["fixes"].is_array()));
}

/// Line and column, counted in characters, say the same place as the offset in bytes.
#[test]
fn regions_are_where_they_say() {
    let folder = folder();
    for name in ["plain.json", "windows.yaml", "bom.json"] {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let results = results(&check(folder.path(), &[name]));
        assert_ne!(results, [json!(null); 0], "{name}");
        for result in results {
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let before = &text[..number(&region["byteOffset"])];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            assert_eq!(
                number(&region["startLine"]),
                before.matches('\n').count() + 1,
                "{result}"
            );
            let column = before[line_start..].chars().count() + 1;
            assert_eq!(number(&region["startColumn"]), column, "{result}");
            let end = before.len() + number(&region["byteLength"]);
            assert!(text.is_char_boundary(end), "{result}");
        }
    }
}

/// Whoever applies the fixes of the log gets what `--fix` writes.
#[test]
fn fixes_are_what_fix_does() {
    let folder = folder();
    for name in ["plain.json", "windows.yaml", "bom.json"] {
        let path = folder.path().join(name);
        let mut text = fs::read(&path).unwrap();
        let mut replacements: Vec<Value> = results(&check(folder.path(), &[name]))
            .iter()
            .filter_map(|result| result.get("fixes"))
            .map(|fixes| fixes[0]["artifactChanges"][0]["replacements"][0].clone())
            .collect();
        assert_ne!(replacements, [json!(null); 0], "{name}");
        // From the end, so that the offsets before it stay right.
        replacements.sort_by_key(|change| number(&change["deletedRegion"]["byteOffset"]));
        for change in replacements.iter().rev() {
            let start = number(&change["deletedRegion"]["byteOffset"]);
            let end = start + number(&change["deletedRegion"]["byteLength"]);
            let inserted = change["insertedContent"]["text"].as_str().unwrap();
            text.splice(start..end, inserted.bytes());
        }
        check(folder.path(), &["--fix", name]);
        let fixed = fs::read(&path).unwrap();
        assert_eq!(String::from_utf8(text), String::from_utf8(fixed), "{name}");
    }
}

#[test]
fn every_uri_leads_back_to_its_file() {
    let folder = folder();
    for name in NAMES {
        let absolute = folder.path().join(name);
        for path in [name, absolute.to_str().unwrap()] {
            let results = results(&check(folder.path(), &[path]));
            let uri =
                results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
            let uri = uri.as_str().unwrap();
            let path_of_uri = uri.strip_prefix("file://").unwrap_or(uri);
            assert_eq!(decoded(path_of_uri), path);
        }
    }
}

/// Undoes the percent signs of a URI.
fn decoded(uri: &str) -> String {
    let (first, rest) = uri
        .split_once('%')
        .map_or((uri, None), |(first, rest)| (first, Some(rest)));
    let mut bytes = first.as_bytes().to_vec();
    for part in rest.into_iter().flat_map(|rest| rest.split('%')) {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}
