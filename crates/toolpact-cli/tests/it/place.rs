//! Where a mistake is, as people count: lines and characters from 1.

use crate::run::{Folder, Ran};

fn check(name: &str, text: &str) -> Ran {
    Folder::new().file(name, text).run(["check", name])
}

#[test]
fn characters_are_counted_not_bytes() {
    let text = r#"{"description": "žluťoučký kůň 🐎 日本", "type": "STRNG"}"#;
    let column = text.chars().take_while(|c| *c != 'S').count();
    check("a.json", text).assert(1, &format!(" --> a.json:1:{column}\n"), "");

    let yaml = "{description: žluťoučký kůň 🐎 日本, type: STRNG}\n";
    let column = yaml.chars().take_while(|c| *c != 'S').count() + 1;
    check("a.yaml", yaml).assert(1, &format!(" --> a.yaml:1:{column}\n"), "");
}

#[test]
fn line_breaks_of_windows() {
    let text = "{\r\n  \"type\": \"ARRAY\",\r\n  \"items\": {\"type\": \"STRNG\"}\r\n}\r\n";
    let ran = check("a.json", text);
    ran.assert(1, " --> a.json:3:21\n", "");
    ran.assert(
        1,
        "\n3 |   \"items\": {\"type\": \"STRNG\"}\n  |                     ^^^^^^^\n",
        "",
    );
}

/// Only the surroundings of the mistake are shown, and the column is still that of the whole line.
#[test]
fn one_line_of_several_megabytes() {
    let before = format!(r#"{{"description": "{}", "type": "#, "é".repeat(2_000_000));
    let text = format!(
        r#"{before}"STRNG", "items": {{"type": "{}"}}}}"#,
        "Z".repeat(2_000_000)
    );
    let ran = check("a.json", &text);
    let column = before.chars().count() + 1;
    ran.assert(1, &format!(" --> a.json:1:{column}\n  |\n1 | …"), "");
    ran.assert(1, r#"é", "type": "STRNG", "items": {"type": "ZZZ"#, "");
    let longest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(200), "{longest:?}");
    let underlined = ran.stdout.lines().find(|line| line.contains('^')).unwrap();
    let shown = ran
        .stdout
        .lines()
        .find(|line| line.contains("STRNG\","))
        .unwrap();
    let at = |line: &str, c: char| line.chars().position(|other| other == c);
    assert_eq!(at(underlined, '^'), at(shown, 'S').map(|at| at - 1));
}

#[test]
fn a_key_of_a_million_characters() {
    let key = "k".repeat(1_000_000);
    let text = format!(r#"{{"type": "OBJECT", "properties": {{"{key}": {{"type": "STRNG"}}}}}}"#);
    let ran = check("a.json", &text);
    let column = text.find("\"STRNG").unwrap() + 1;
    ran.assert(1, &format!(" --> a.json:1:{column}\n"), "");
    ran.assert(1, "k/type\n", "");
    assert!(ran.stdout.len() < 2_000, "{} bytes", ran.stdout.len());

    // Programs get all of it.
    let ran = Folder::new()
        .file("a.json", &text)
        .run(["check", "--format", "json", "a.json"]);
    ran.assert(1, &format!(r#""pointer":"/properties/{key}/type""#), "");
}

#[test]
fn the_last_line_has_no_end() {
    check("a.json", "{\"type\": \"STRING\"").assert(1, " --> a.json:1:18\n", "");
    check("a.json", "{\"type\": \"STRING\",\n").assert(1, "error[json-syntax]", "");
    check("a.yaml", "type: [STRING").assert(1, "error[yaml-syntax]", "");
}
