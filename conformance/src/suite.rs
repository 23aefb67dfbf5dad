//! How a test finds an outside package, or leaves itself out.

use crate::{PACKAGES, Package, in_ci};
use std::path::PathBuf;

/// An outside package as a test sees it.
#[derive(Debug)]
pub struct Suite(&'static Package);

/// Looks a package up by its name in the table.
///
/// # Panics
///
/// When the table has no such name: a misspelt test would otherwise never run.
#[must_use]
#[expect(clippy::panic, reason = "this is how a test fails")]
pub fn suite(name: &str) -> Suite {
    match PACKAGES.iter().find(|package| package.name == name) {
        Some(package) => Suite(package),
        None => panic!("conformance/src/packages.rs has no package named {name:?}"),
    }
}

impl Suite {
    /// The folder of the package, if it is installed.
    #[must_use]
    pub fn dir(&self) -> Option<PathBuf> {
        self.0.is_installed().then(|| self.0.dir())
    }

    /// The folder of the package. Without it, says that the test is left out; the test then
    /// returns early.
    ///
    /// # Panics
    ///
    /// When it is not installed and `CI=true`, where nothing may be left out.
    #[must_use]
    pub fn or_leave_out(&self) -> Option<PathBuf> {
        let dir = self.dir();
        if dir.is_none() {
            let title = self.0.title;
            let message = format!("left out: {title} is not installed; run `cargo test-all`");
            assert!(!in_ci(), "{message}");
            eprintln!("{message}");
        }
        dir
    }
}

#[cfg(test)]
mod tests {
    use super::suite;

    #[test]
    #[should_panic(expected = "no package named \"json-test-suit\"")]
    fn a_misspelt_name_fails_the_test() {
        let _ = suite("json-test-suit");
    }
}
