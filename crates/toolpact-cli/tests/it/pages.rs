use std::fs;

use crate::run::{Folder, repository};

#[test]
fn the_page_of_rules_is_up_to_date() {
    let page = fs::read_to_string(repository().join("docs/rules.md")).unwrap();
    let ran = Folder::new().run(["explain", "--markdown"]);
    assert!(
        ran.stdout == page,
        "docs/rules.md is not what the program prints; run `cargo run -- explain --markdown > docs/rules.md`"
    );
}

/// Whatever a page, a report or a list of rules names can be explained.
#[test]
fn every_rule_can_be_explained() {
    let folder = Folder::new();
    let list = folder.run(["explain"]).stdout;
    let codes: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(codes.len() > 30, "{codes:?}");
    let page = folder.run(["explain", "--markdown"]).stdout;
    for code in codes {
        folder
            .run(["explain", code])
            .assert(0, &format!("[{code}]: "), "");
        assert!(page.contains(&format!("\n### {code}\n")), "{code}");
    }
}

#[test]
fn the_page_of_dialects_is_up_to_date() {
    let page = fs::read_to_string(repository().join("docs/dialects.md")).unwrap();
    let ran = Folder::new().run(["convert", "--list", "--markdown"]);
    assert!(
        ran.stdout == page,
        "docs/dialects.md is not what the program prints; run `cargo run -- convert --list --markdown > docs/dialects.md`"
    );
}
