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
    let folder = TempDir::new().unwrap();
    let surroundings = folder.path().join("README.in");
    fs::create_dir_all(surroundings.join("examples")).unwrap();
    fs::write(surroundings.join("first.json"), first).unwrap();
    for example in fs::read_dir(repository().join("examples")).unwrap() {
        let example = example.unwrap();
        fs::copy(
            example.path(),
            surroundings.join("examples").join(example.file_name()),
        )
        .unwrap();
    }
    fs::write(folder.path().join("README.md"), readme).unwrap();
    cases()
        // Tests do not run cargo, which would build and test again.
        .register_bin("cargo", trycmd::schema::Bin::Ignore)
        .case(folder.path().join("README.md"));
}
