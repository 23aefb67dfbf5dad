//! Named tokens: made on the command line, shown to a server.

use crate::run::Folder;
use crate::serve::Server;

#[test]
fn a_token_opens_a_server_until_it_is_revoked() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let config = folder.read("toolpact.yaml") + "\nidentity: { tokens: tokens.json }\n";
    let folder = folder.file("toolpact.yaml", config);
    let added = folder.run([
        "token",
        "add",
        "ada",
        "--group",
        "support",
        "--expires",
        "90d",
    ]);
    added.assert(0, "tpk_", "this is the only time it is shown");
    let secret = added.stdout.trim().to_owned();
    assert!(!folder.read("tokens.json").contains(&secret));
    folder
        .run(["token", "list"])
        .assert(0, "ada  groups support  until 20", "");
    folder
        .run(["token", "list", "--json"])
        .assert(0, "\"name\": \"ada\"", "");
    folder
        .run(["token", "add", "ada"])
        .assert(2, "", "found `ada` again; revoke that one first");

    let server = Server::start(&folder, &["toolpact.yaml"]);
    let call = |token: Option<&str>| {
        let mut command = folder.command(["call", "current_time", "--server", server.address()]);
        if let Some(token) = token {
            command
                .env("TOKEN", token)
                .args(["--auth-token-env", "TOKEN"]);
        }
        crate::run::run(command)
    };
    call(Some(&secret)).assert(0, "20", "");
    assert_ne!(call(None).status, 0);
    assert_ne!(call(Some("guess")).status, 0);
    folder
        .run(["token", "revoke", "ada"])
        .assert(0, "", "revoked: ada");
    folder
        .run(["token", "revoke", "ada"])
        .assert(1, "", "there is no token `ada`");
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while call(Some(&secret)).status == 0 {
        assert!(std::time::Instant::now() < patience);
    }
}

#[test]
fn where_tokens_are_kept_has_to_be_said() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    folder.run(["token", "list"]).assert(
        2,
        "",
        "expected `identity: { tokens: tokens.json }` in the config toolpact.yaml",
    );
    folder
        .run(["token", "list", "--file", "nothing.json"])
        .assert(0, "", "");
    folder
        .run([
            "token",
            "add",
            "ada",
            "--file",
            "t.json",
            "--expires",
            "soon",
        ])
        .assert(2, "", "expected a time such as `90d`");
}

#[test]
fn a_server_that_others_can_reach_says_why_it_does_not_start() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    for flags in [&[][..], &["--anonymous"]] {
        let words = [&["serve", "--listen", "0.0.0.0:0"][..], flags].concat();
        folder.run(words).assert(2, "", "say so twice");
    }
    folder
        .run(["serve", "--listen", "0.0.0.0:0", "--open-to-network"])
        .assert(1, "", "expected `anonymous: true` beside it");
}
