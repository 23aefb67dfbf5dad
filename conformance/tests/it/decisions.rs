use std::fs;
use std::path::{Path, PathBuf};

/// `docs/decisions.md` names tests as `file.rs::function`, so that a reader can go and look. A name
/// that leads nowhere is a promise nobody keeps.
#[test]
fn every_test_that_a_decision_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/decisions.md")).unwrap();
    let folders = ["crates", "conformance", "examples"];
    let sources: Vec<(PathBuf, String)> = folders
        .iter()
        .flat_map(|folder| rust_files(&root.join(folder)))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    let mut named = 0;
    for name in page.split('`').filter(|part| part.contains(".rs::")) {
        let (file, function) = name.split_once("::").unwrap();
        let found = sources
            .iter()
            .any(|(path, text)| path.ends_with(file) && text.contains(&format!("fn {function}(")));
        assert!(
            found,
            "docs/decisions.md names `{name}`, which is not there"
        );
        named += 1;
    }
    assert!(named > 15, "only {named} tests are named");
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}
