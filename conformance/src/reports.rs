//! What a test has to say when it passes. Test runners hide that, so it goes into a file, and
//! `cargo test-all` prints the files at its end.

use crate::packages::target;
use std::fs;
use std::path::PathBuf;

/// Keeps what a test found out. The first line is the heading.
///
/// # Panics
///
/// When it cannot be written: a report that is missing would look like a test that was left out.
#[expect(clippy::panic, reason = "this is how a test fails")]
pub fn write(name: &str, text: &str) {
    let path = folder().join(name).with_extension("txt");
    let written = fs::create_dir_all(folder()).and_then(|()| fs::write(&path, text));
    if let Err(why) = written {
        panic!("cannot write {}: {why}", path.display());
    }
}

/// All reports there are, in the order of their names.
#[must_use]
pub fn read() -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder()) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let texts = paths.iter().flat_map(fs::read_to_string);
    texts.collect()
}

/// Removes those of an earlier run, which this one may not make again.
pub fn forget() {
    // There is nothing to remove before the first run.
    let _ = fs::remove_dir_all(folder());
}

fn folder() -> PathBuf {
    target().join("reports")
}
