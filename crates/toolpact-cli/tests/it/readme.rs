use std::fs;

use tempfile::TempDir;

use crate::run::repository;
use crate::transcripts::cases;

/// What the README shows is what the program prints, for the file that the README shows.
#[test]
fn the_readme_is_a_transcript() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, first) = readme.split_once("```json\n").unwrap();
    let (first, _) = first.split_once("```").unwrap();
    is_a_transcript("README.md", &[("first.json", first)]);
}

#[test]
fn the_page_about_declarations_is_a_transcript() {
    is_a_transcript("docs/stubs.md", &[]);
}

/// Runs what a page shows, beside the examples and these files.
fn is_a_transcript(page: &str, files: &[(&str, &str)]) {
    let page = repository().join(page);
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join(page.file_name().unwrap());
    let surroundings = copy.with_extension("in");
    fs::create_dir_all(surroundings.join("examples")).unwrap();
    for (name, text) in files {
        fs::write(surroundings.join(name), text).unwrap();
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
    let text = fs::read_to_string(&page).unwrap();
    // The first command builds the program, and is held to what it says all the same.
    fs::write(&copy, text.replace("$ cargo run -- ", "$ toolpact ")).unwrap();
    cases()
        // Tests do not run cargo, which would build and test again.
        .register_bin("cargo", trycmd::schema::Bin::Ignore)
        .case(copy);
}
