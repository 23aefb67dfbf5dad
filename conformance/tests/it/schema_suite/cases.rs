//! The cases of the suite, with every schema and value as it was written: `1.0` stays `1.0`.

use std::fs;
use std::path::{Path, PathBuf};
use toolpact_core::json::{Node, Value};

/// A schema, and the values that it is tested with.
pub(crate) struct Group {
    /// As a path in the suite, without its ending: `optional/format/date`.
    pub(crate) file: String,
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) cases: Vec<Case>,
}

impl Group {
    /// What a skip names.
    pub(crate) fn key(&self) -> (&str, &str) {
        (&self.file, &self.name)
    }
}

/// A value, and whether it is valid.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) value: Value,
    pub(crate) valid: bool,
}

/// Every group of every file, in the order of the files' names.
pub(crate) fn groups(suite: &Path) -> Vec<Group> {
    let mut groups = Vec::new();
    for path in json_files(suite) {
        let file = path.strip_prefix(suite).unwrap().with_extension("");
        let all = Value::from_json(fs::read(&path).unwrap()).unwrap();
        let of_file = |node| group(file.to_str().unwrap(), node);
        groups.extend(all.root().items().map(of_file));
    }
    groups
}

fn group(file: &str, node: Node<'_>) -> Group {
    Group {
        file: file.replace('\\', "/"),
        name: text(node, "description"),
        schema: node.get("schema").unwrap().to_value(),
        cases: node.get("tests").unwrap().items().map(case).collect(),
    }
}

fn case(node: Node<'_>) -> Case {
    Case {
        name: text(node, "description"),
        value: node.get("data").unwrap().to_value(),
        valid: node.get("valid").and_then(Node::as_bool).unwrap(),
    }
}

fn text(node: Node<'_>, key: &str) -> String {
    node.get(key).and_then(Node::as_str).unwrap().into_owned()
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(json_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    files
}
