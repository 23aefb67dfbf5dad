//! Files and directories that cannot be read, or not as they should be.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::run::{BAD, Folder, GOOD, cleaned, run};

#[test]
fn a_path_below_a_file() {
    let folder = Folder::with_good_tool().file("bad.json", BAD);
    let ran = folder.run(["check", "good.json/below", "bad.json"]);
    ran.assert(
        2,
        "1 document checked: 1 error",
        "cannot read good.json/below: Not a directory",
    );
}

/// A link that leads nowhere cannot be read by anyone, not even by root.
#[test]
fn an_unreadable_file_in_a_directory() {
    let folder = Folder::new().file("tools/bad.json", BAD);
    symlink("nowhere", folder.path("tools/a.json")).unwrap();
    let ran = folder.run(["check", "tools"]);
    ran.assert(
        2,
        "1 document checked: 1 error; 1 could not be read\n",
        "cannot read tools/a.json: ",
    );
}

#[test]
fn a_directory_without_permission() {
    let folder = Folder::new()
        .file("tools/bad.json", BAD)
        .file("tools/closed/more.json", GOOD);
    let closed = folder.path("tools/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let ran = fs::read_dir(&closed)
        .is_err()
        .then(|| folder.run(["check", "tools"]));
    let ran = ran.or_else(|| without_privileges(&folder, &["check", "tools"]).map(run));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let Some(ran) = ran else {
        eprintln!("left out: root reads every directory, and setpriv cannot take that away");
        return;
    };
    let complaint = "cannot read the directory tools/closed: Permission denied";
    ran.assert(
        2,
        "1 document checked: 1 error; 1 could not be read\n",
        complaint,
    );
}

/// Root without the privilege to ignore permissions.
fn without_privileges(folder: &Folder, arguments: &[&str]) -> Option<Command> {
    let setpriv = || {
        let mut command = cleaned(Command::new("setpriv"));
        command.arg("--bounding-set=-dac_override,-dac_read_search");
        command
    };
    let works = setpriv()
        .arg("true")
        .status()
        .is_ok_and(|status| status.success());
    let mut command = works.then(setpriv)?;
    command.arg(env!("CARGO_BIN_EXE_toolpact")).args(arguments);
    command.current_dir(folder.path(""));
    Some(command)
}

#[test]
fn a_link_to_a_directory_is_not_followed_into_a_circle() {
    let folder = Folder::new().file("tools/good.json", GOOD);
    symlink(".", folder.path("tools/again")).unwrap();
    folder
        .run(["check", "tools"])
        .assert(0, "1 document checked: no problems\n", "");
}

#[test]
fn not_utf8_not_anything_and_a_byte_order_mark() {
    let folder = Folder::new()
        .file(
            "latin1.json",
            b"{\"type\": \"STRING\", \"description\": \"caf\xe9\"}",
        )
        .file("latin1.yaml", b"type: STRING\ndescription: caf\xe9\n")
        .file("empty.json", "")
        .file("empty.yaml", "")
        .file("blank.json", " \n\t\n")
        .file("bom.json", b"\xef\xbb\xbf{\"type\": \"STRING\"}")
        .file("zeros.json", [0; 64])
        .file("utf16.json", b"\xff\xfe{\0}\0");
    for (name, complaint) in [
        (
            "latin1.json",
            "error[json-invalid-utf8]: expected UTF-8 text, found the byte 0xE9\n --> latin1.json:1:39",
        ),
        ("latin1.yaml", "latin1.yaml:2:17"),
        ("empty.json", "error[json-syntax]: the document is empty"),
        ("empty.yaml", "error[yaml-syntax]: the document is empty"),
        ("blank.json", "error[json-syntax]"),
        ("bom.json", "error[json-byte-order-mark]"),
        ("zeros.json", "error[json-syntax]"),
        ("utf16.json", "error[json-invalid-utf8]"),
    ] {
        folder.run(["check", name]).assert(1, complaint, "");
        folder
            .run(["check", "--format", "sarif", name])
            .assert(1, "ruleId", "");
        folder.run(["digest", name]).assert(1, "", "error[");
        // Only the byte order mark can be fixed; nothing else may be touched.
        let before = fs::read(folder.path(name)).unwrap();
        let fixed = folder.run(["check", "--fix", name]);
        assert_eq!(fixed.status, i32::from(name != "bom.json"), "{name}");
        if name != "bom.json" {
            assert_eq!(fs::read(folder.path(name)).unwrap(), before, "{name}");
        }
    }
    assert_eq!(folder.read("bom.json"), r#"{"type": "STRING"}"#);
}

#[test]
fn odd_file_names() {
    use std::os::unix::ffi::OsStrExt;
    let not_utf8 = std::ffi::OsStr::from_bytes(b"not\xffutf8.json");
    let escape = "red\u{1b}[31m\nline.json";
    let folder = Folder::new().file("a b [c]*.json", BAD).file(escape, BAD);
    fs::write(folder.path("").join(not_utf8), BAD).unwrap();
    // A name that is there is meant as it is, although it looks like a pattern.
    folder
        .run(["check", "a b [c]*.json"])
        .assert(1, "--> a b [c]*.json:1:10\n", "");
    folder
        .run(["check", escape])
        .assert(1, "--> red\u{fffd}[31m\u{fffd}line.json:1:10\n", "");
    folder
        .run([std::ffi::OsStr::new("check"), not_utf8])
        .assert(1, "not\u{fffd}utf8.json:1:10", "");
    let ran = folder.run(["check", "no\u{1b}such.json"]);
    ran.assert(2, "", "cannot read no\u{fffd}such.json");
}
