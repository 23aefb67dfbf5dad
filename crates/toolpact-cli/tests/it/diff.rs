//! `toolpact diff`: the formats for programs, verdicts and versions, and where a side may come from.

mod sides;

pub(crate) use sides::commit_all;

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::run::{Folder, Ran, repository};

/// The files of the transcript, `tests/cmd/diff.trycmd`.
fn folder() -> Folder {
    let files = repository().join("crates/toolpact-cli/tests/cmd/diff.in");
    let files = std::fs::read_dir(files).unwrap().map(Result::unwrap);
    files.fold(Folder::new(), |folder, file| {
        let text = std::fs::read(file.path()).unwrap();
        folder.file(file.file_name().to_str().unwrap(), text)
    })
}

fn json(ran: &Ran) -> Json {
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Every verdict has its version, and fails from its own flag on.
#[test]
fn verdicts_versions_and_exit_statuses() {
    let folder = folder();
    let flags = ["any", "documentation", "compatible", "unknown", "breaking"];
    for (new, verdict, version, fails) in [
        ("old.yaml", "same", "none", 0),
        ("quiet.yaml", "documentation", "patch", 2),
        ("compatible.yaml", "compatible", "minor", 3),
        ("unknown.yaml", "unknown", "major", 4),
        ("new.yaml", "breaking", "major", 5),
    ] {
        let ran = folder.run(["diff", "--format", "json", "old.yaml", new]);
        ran.assert(0, "", "");
        let told = json(&ran);
        assert_eq!(told["verdict"], verdict);
        assert_eq!(told["version_bump"], version);
        for (at, flag) in flags.iter().enumerate() {
            let ran = folder.run(["diff", "--fail-on", *flag, "old.yaml", new]);
            ran.assert(i32::from(at < fails), "2 tools: ", "");
            let next = format!("; next version: {version}");
            assert_eq!(ran.stdout.contains(&next), version != "none", "{ran:#?}");
        }
    }
}

/// A witness is whole, and whoever has the contracts can see that it is one.
#[test]
fn witnesses_in_json_are_held_to_both_sides() {
    let folder = folder();
    let told = json(&folder.run(["diff", "--format", "json", "old.yaml", "new.yaml"]));
    assert_eq!(told["old"], "old.yaml");
    assert_eq!(told["new"], "new.yaml");
    let tools = told["tools"].as_array().unwrap();
    let changes = tools.iter().flat_map(|tool| {
        let changes = tool["changes"].as_array().unwrap().iter();
        changes.map(move |change| (&tool["name"], change))
    });
    let mut witnesses = 0;
    for (tool, change) in changes {
        let witness = &change["witness"];
        assert_eq!(
            change["verdict"] == "breaking",
            witness.is_object(),
            "{change}"
        );
        let (flag, line, accepted_by, refused_by) = match (&witness["call"], &witness["result"]) {
            (Json::Null, Json::Null) => continue,
            (call, Json::Null) => ("--calls", call.clone(), "old.yaml", "new.yaml"),
            (_, result) => {
                let line =
                    serde_json::json!({ "name": tool, "status": "SUCCESS", "content": result });
                ("--results", line, "new.yaml", "old.yaml")
            }
        };
        std::fs::write(folder.path("witness.jsonl"), line.to_string()).unwrap();
        let held = |tools| folder.run(["validate", "--tools", tools, flag, "witness.jsonl"]);
        held(accepted_by).assert(0, "all valid", "");
        held(refused_by).assert(1, "1 invalid", "");
        witnesses += 1;
    }
    assert_eq!(witnesses, 3, "{told:#}");
}

/// SARIF names the text of a change. The official validator reads it in `conformance/tests`.
#[test]
fn sarif_has_levels_and_places() {
    let folder = folder();
    let ran = folder.run(["diff", "--format", "sarif", "old.yaml", "new.yaml"]);
    ran.assert(0, "", "");
    let whole = json(&ran);
    assert_eq!(whole["version"], "2.1.0");
    let text = folder.read("new.yaml");
    let mut found = HashMap::new();
    for result in whole["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "new.yaml");
        let number = |key: &str| usize::try_from(place["region"][key].as_u64().unwrap()).unwrap();
        let (start, length) = (number("byteOffset"), number("byteLength"));
        let line = text[..start].matches('\n').count() + 1;
        assert_eq!(number("startLine"), line, "{result}");
        let rule = result["ruleId"].as_str().unwrap();
        found.insert(
            rule.to_owned(),
            (result["level"].clone(), &text[start..start + length]),
        );
    }
    for (rule, level, part) in [
        ("values", "error", "[open, paid]"),
        ("type", "error", "string"),
        ("key-added", "note", "{ type: integer }"),
        ("tool-renamed", "error", "order_cancel"),
    ] {
        assert_eq!(found.get(rule), Some(&(level.into(), part)), "{found:#?}");
    }
    let ran = folder.run(["diff", "--format", "sarif", "old.yaml", "unknown.yaml"]);
    ran.assert(0, r#""level": "warning""#, "");
}

/// Where nothing can be compared, no sentence ends in the middle.
#[test]
fn nothing_to_compare() {
    let folder = Folder::new().file("a/none.txt", "").file("b/none.txt", "");
    let ran = folder.run(["diff", "a", "b"]);
    ran.assert(1, "0 tools: nothing to compare\n", "there are no tools");
}
