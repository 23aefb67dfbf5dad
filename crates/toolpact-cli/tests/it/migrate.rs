//! `migrate` and `check` agree on what is valid.

use crate::run::Folder;

/// The example of the ADL document: tools without their agent, and with little of themselves.
const FRAGMENT: &str = r#"{
  "tools": [{
    "name": "get_user",
    "returns": { "type": "object", "description": "Returns user data" }
  }]
}"#;

#[test]
fn migrate_does_not_accept_what_check_refuses() {
    let folder = Folder::new()
        .file("fragment.json", FRAGMENT)
        .file("value.json", r#"{"rows": 3}"#);
    assert_eq!(folder.run(["check", "fragment.json"]).status, 1);
    let ran = folder.run(["migrate", "fragment.json"]);
    ran.assert(1, "get_user returns EntityResult", "");
    ran.assert(1, "error[missing-field]", "");
    let ran = folder.run(["migrate", "--write", "fragment.json"]);
    ran.assert(
        1,
        "fragment.json: not written, because it is not valid\n",
        "",
    );
    assert_eq!(folder.read("fragment.json"), FRAGMENT);
    assert_eq!(folder.run(["check", "value.json"]).status, 1);
    folder
        .run(["migrate", "value.json"])
        .assert(1, "value.json: nothing to migrate", "");
}
