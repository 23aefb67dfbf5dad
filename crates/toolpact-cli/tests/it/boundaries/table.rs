//! The rows of `rows.yaml`, as tools, and what has to be seen of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolpact_core::json::{Document, Limits};

use super::rust::RustRow;
use crate::run::Folder;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) name: String,
    returns: Option<Json>,
    text: Option<String>,
    pub(super) prints: Option<Json>,
    writes: Option<String>,
    #[serde(default)]
    exit: i32,
    pub(super) answers: Option<Json>,
    pub(super) fails: Option<String>,
    outcome: Option<String>,
    says: Option<String>,
    #[serde(default)]
    keeps: BTreeMap<String, Json>,
    #[serde(default)]
    drops: Vec<String>,
    /// Read by the test of scripts.
    #[serde(default, rename = "script")]
    _script: Json,
    #[serde(default)]
    pub(super) http: Vec<Http>,
    /// Read by the test of tools in Rust.
    #[serde(default)]
    pub(super) rust: RustRow,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Http {
    pub(super) accept: Option<String>,
    #[serde(rename = "type")]
    pub(super) content_type: String,
    pub(super) body: String,
}

/// What a boundary shows of a call. What it cannot show is `None`.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The code of the error, if the call failed. A boundary always shows whether it did.
    pub(super) error: Option<String>,
    pub(super) outcome: Option<String>,
    pub(super) text: Option<String>,
    /// The result, or what is left of it in a failure.
    pub(super) result: Option<Json>,
}

impl Row {
    #[track_caller]
    pub(super) fn check(&self, seen: &Seen) {
        let name = &self.name;
        assert_eq!(seen.error, self.fails, "{name}: {seen:#?}");
        if let Some(outcome) = &seen.outcome {
            let done = Some("SUCCESS".to_owned());
            let expected = self.outcome.clone().or(self.fails.clone()).or(done);
            assert_eq!(Some(outcome), expected.as_ref(), "{name}: {seen:#?}");
        }
        if let (Some(text), Some(said)) = (&seen.text, &self.says) {
            assert!(text.contains(said), "{name}: no {said:?} in {seen:#?}");
        }
        if let Some(result) = &seen.result {
            for (pointer, value) in &self.keeps {
                let found = result.pointer(pointer);
                assert_eq!(found, Some(value), "{name} {pointer}: {seen:#?}");
            }
            for pointer in &self.drops {
                assert_eq!(result.pointer(pointer), None, "{name}: {seen:#?}");
            }
        }
    }
}

/// The rows of programs and of an MCP server.
pub(super) fn rows() -> Vec<Row> {
    let rows = all_rows().into_iter();
    rows.filter(|row| !row.rust.is_some()).collect()
}

/// The rows of tools in Rust.
pub(super) fn rust_rows() -> Vec<Row> {
    let rows = all_rows().into_iter();
    rows.filter(|row| row.rust.is_some()).collect()
}

fn all_rows() -> Vec<Row> {
    let document = Document::yaml(include_bytes!("rows.yaml"), &Limits::default());
    let root = document.root().unwrap();
    root.to_value().deserialize().unwrap()
}

/// A folder with the tools of all rows: `tools.yaml` for those that are programs, an MCP server for
/// the others, and `config.yaml` for all.
pub(super) fn fixture(rows: &[Row]) -> Folder {
    let mut folder = Folder::new();
    let (mut programs, mut contracts, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let file = format!("answers/{}.json", row.name);
        let content = row.answers.as_ref().or(row.prints.as_ref());
        let content = content.map(Json::to_string).or(row.writes.clone());
        let path = folder.path(&file).display().to_string();
        folder = folder.file(&file, content.unwrap());
        let parameters = json!({"type": "object", "properties": {}});
        let mut contract = json!({
            "name": row.name, "description": "A case.", "parameters": parameters,
        });
        if row.answers.is_some() {
            listed.push(
                json!({"name": row.name, "description": "A case.", "inputSchema": parameters}),
            );
        }
        if let Some(returns) = &row.returns {
            contract["returns"] = returns.clone();
            if let Some(text) = &row.text {
                contract["text"] = text.as_str().into();
            }
            match row.answers {
                Some(_) => contracts.push(contract),
                None => {
                    let script = format!("cat '{path}'; exit {}", row.exit);
                    contract["run"] = json!({"command": ["sh", "-c", script]});
                    programs.push(contract);
                }
            }
        }
    }
    let document = |tools: Vec<Json>| json!({"toolpact": 1, "tools": tools}).to_string();
    let server = [
        "sh".to_owned(),
        folder.path("server.sh").display().to_string(),
        folder.path("answers").display().to_string(),
    ];
    let config = json!({"sources": [
        {"files": {"paths": ["tools.yaml"]}},
        {"mcp": {"command": server, "contracts": ["contracts.yaml"]}},
    ]});
    folder
        .file("answers/tools.json", json!({"tools": listed}).to_string())
        .file("server.sh", include_str!("server.sh"))
        .file("tools.yaml", document(programs))
        .file("contracts.yaml", document(contracts))
        .file("config.yaml", config.to_string())
}
