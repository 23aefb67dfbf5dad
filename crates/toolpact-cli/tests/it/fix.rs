//! `--fix` and the files it writes. What it writes is shown in `tests/cmd/fix.trycmd`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use crate::run::Folder;

/// With a sign of ADM: a plain JSON Schema is not rewritten.
const LOWER: &str = r#"{"type": "ARRAY", "items": {"type": "string"}}"#;
const UPPER: &str = r#"{"type": "ARRAY", "items": {"type": "STRING"}}"#;

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn permissions_are_kept_and_nothing_is_left_behind() {
    let folder = Folder::new().file("a.json", LOWER);
    for mode in [0o600, 0o755, 0o640] {
        fs::write(folder.path("a.json"), LOWER).unwrap();
        fs::set_permissions(folder.path("a.json"), fs::Permissions::from_mode(mode)).unwrap();
        folder
            .run(["check", "--fix", "a.json"])
            .assert(0, "no problems, 1 fix applied\n", "");
        assert_eq!(folder.read("a.json"), UPPER);
        let after = fs::metadata(folder.path("a.json")).unwrap().mode();
        assert_eq!(after & 0o777, mode);
    }
    assert_eq!(names(&folder), ["a.json"]);
}

#[test]
fn a_read_only_file_is_reported_as_it_is() {
    let folder = Folder::new().file("a.json", LOWER).file("b.json", LOWER);
    fs::set_permissions(folder.path("a.json"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = folder.run(["check", "--fix", "a.json", "b.json"]);
    ran.assert(
        2,
        "--> a.json:1:37",
        "error: cannot write a.json: it is read-only\n",
    );
    ran.assert(
        2,
        "2 documents checked: 1 error, 1 fix applied; 1 fixable with --fix\n",
        "",
    );
    assert_eq!(folder.read("a.json"), LOWER);
    assert_eq!(folder.read("b.json"), UPPER);
    assert_eq!(names(&folder), ["a.json", "b.json"]);
}

#[test]
fn a_link_stays_a_link() {
    let folder = Folder::new().file("real/a.json", LOWER);
    symlink("real/a.json", folder.path("link.json")).unwrap();
    folder
        .run(["check", "--fix", "link.json"])
        .assert(0, "1 fix applied", "");
    assert!(folder.path("link.json").is_symlink());
    assert_eq!(folder.read("real/a.json"), UPPER);
}

/// One file by two names: the second time there is nothing left to do.
#[test]
fn a_link_and_its_file_together() {
    let folder = Folder::new().file("a.json", LOWER);
    symlink("a.json", folder.path("link.json")).unwrap();
    let ran = folder.run(["check", "--fix", "a.json", "link.json"]);
    ran.assert(0, "2 documents checked: no problems, 1 fix applied\n", "");
}

#[test]
fn a_valid_file_is_not_written() {
    let folder = Folder::new().file("a.json", UPPER);
    let before = fs::metadata(folder.path("a.json")).unwrap();
    folder
        .run(["check", "--fix", "a.json"])
        .assert(0, "no problems\n", "");
    let after = fs::metadata(folder.path("a.json")).unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec()),
        (after.ino(), after.mtime_nsec())
    );
}

/// The files of others are not ours to fix.
#[test]
fn a_file_of_another_kind_in_a_directory_is_left_alone() {
    let theirs =
        "{\n  // With a comment and a comma.\n  \"compilerOptions\": { \"strict\": true, },\n}\n";
    let folder = Folder::new()
        .file("a/tsconfig.json", theirs)
        .file("a/b.json", LOWER);
    let ran = folder.run(["check", "--fix", "a"]);
    ran.assert(
        0,
        "1 document checked, 1 file passed over: no problems, 1 fix applied\n",
        "",
    );
    assert_eq!(folder.read("a/tsconfig.json"), theirs);
}

/// More fixes than violations are listed: it takes several rounds.
#[test]
fn fixes_beyond_the_limit_of_violations() {
    let list = |schema: &str| format!("[{}]", vec![schema; 25].join(", "));
    let folder = Folder::new().file("a.json", list(LOWER));
    let ran = folder.run([
        "check",
        "--fix",
        "--as",
        "schema",
        "--max-violations",
        "10",
        "a.json",
    ]);
    ran.assert(0, "no problems, 25 fixes applied\n", "");
    assert_eq!(folder.read("a.json"), list(UPPER));
}
