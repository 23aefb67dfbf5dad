use std::fs;
use std::process::Command;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::run::{Folder, cleaned, repository, run};
use crate::serve::Server;
use crate::transcripts::cases;

/// What the README shows is what the program prints, for the file that the README shows.
#[test]
fn the_readme_is_a_transcript() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, first) = readme.split_once("```json\n").unwrap();
    let (first, _) = first.split_once("```").unwrap();
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    let said = server.said().replace(server.address(), SERVER);
    assert!(
        readme.contains(&format!("$ cargo run -- serve\n{said}")),
        "{said}"
    );
    is_a_transcript("README.md", &[("first.json", first)], server.address());
}

/// What the README shows of a server is what another server says.
#[cfg(unix)]
pub(crate) fn is_the_readme(server: &str) {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, first) = readme.split_once("```json\n").unwrap();
    let (first, _) = first.split_once("```").unwrap();
    is_a_transcript("README.md", &[("first.json", first)], server);
}

/// Nobody has to know them beforehand.
#[test]
fn the_readme_explains_adm_and_adl_where_it_first_names_them() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    for (name, meaning) in [
        ("ADM", "ALTAR Data Model"),
        ("ADL", "Agent Definition Language"),
    ] {
        let first = readme.find(name).unwrap();
        let explained = readme[first..].starts_with(&format!("{name} ({meaning}, "));
        assert!(explained, "{name}");
    }
}

/// Where the README has its server.
const SERVER: &str = "http://127.0.0.1:7878";

#[test]
fn the_page_about_declarations_is_a_transcript() {
    is_a_transcript("docs/stubs.md", &[], SERVER);
}

/// With the plan that the page shows.
#[test]
fn the_page_about_plans_is_a_transcript() {
    let page = fs::read_to_string(repository().join("docs/plan.md")).unwrap();
    let (_, plan) = page.split_once("```json\n").unwrap();
    let (plan, _) = plan.split_once("```").unwrap();
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    server.wait_for_shop();
    is_a_transcript("docs/plan.md", &[("plan.json", plan)], server.address());
}

/// What is to be sent by hand is sent, and answered as the page shows.
#[cfg(unix)]
#[test]
fn the_requests_of_the_page_about_mcp_are_answered() {
    if matches!(curl(), trycmd::schema::Bin::Ignore) {
        assert!(std::env::var_os("CI").is_none(), "there is no `curl`");
        return;
    }
    let page = fs::read_to_string(repository().join("docs/mcp.md")).unwrap();
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    server.wait_for_shop();
    let shown: Vec<&str> = page.split("```sh\n").skip(1).collect();
    assert_eq!(shown.len(), 2);
    for shown in shown {
        let (script, rest) = shown.split_once("```\n").unwrap();
        let (_, answer) = rest.split_once("```text\n").unwrap();
        let (answer, _) = answer.split_once("```").unwrap();
        let mut shell = cleaned(Command::new("sh"));
        shell.args(["-c", &script.replace(SERVER, server.address())]);
        let ran = run(shell);
        // On a machine that is busy an answer is an event.
        let mut lines = ran.stdout.lines();
        let found = lines.find_map(|line| {
            let json = line.strip_prefix("data: ").unwrap_or(line);
            serde_json::from_str::<Json>(json).ok()
        });
        let expected: Json = serde_json::from_str(answer).unwrap();
        assert_eq!(found, Some(expected), "{ran:#?}");
    }
}

/// Runs what a page shows, beside the examples and these files.
fn is_a_transcript(page: &str, files: &[(&str, &str)], server: &str) {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    runs_as_shown(&text, files, ("TOOLPACT_SERVER", server));
}

/// Runs what a text shows, beside the examples and these files, with a variable.
pub(crate) fn runs_as_shown(text: &str, files: &[(&str, &str)], (name, server): (&str, &str)) {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("page.md");
    let surroundings = copy.with_extension("in");
    fs::create_dir_all(surroundings.join("examples")).unwrap();
    for (name, text) in files {
        let file = surroundings.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    for example in fs::read_dir(repository().join("examples")).unwrap() {
        let example = example.unwrap();
        // An example that is a crate has a README of its own.
        if example.file_type().unwrap().is_dir() {
            continue;
        }
        fs::copy(
            example.path(),
            surroundings.join("examples").join(example.file_name()),
        )
        .unwrap();
    }
    // The server runs already; it does not end by itself.
    let text = text
        .replace("$ cargo run -- serve", "$ cargo run")
        .replace(SERVER, server);
    // What builds the program is held to what it says all the same.
    fs::write(&copy, text.replace("$ cargo run -- ", "$ toolpact ")).unwrap();
    cases()
        .env(name, server)
        // Tests do not run cargo, which would build and test again.
        .register_bin("cargo", trycmd::schema::Bin::Ignore)
        .register_bin("curl", curl())
        .case(copy);
}

/// Where there is none, what it shows is left to others.
fn curl() -> trycmd::schema::Bin {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join("curl"));
    let found = places.find(|place| place.is_file());
    found.map_or(trycmd::schema::Bin::Ignore, trycmd::schema::Bin::Path)
}
