//! What a program sees of the environment of this process: an allow list.

use std::ffi::OsString;

use toolpact_core::contract::Command;

/// What every program may see: without it, interpreters are not found, or read and write text in
/// other ways than elsewhere on the same machine. Nothing here is a secret.
#[cfg(not(windows))]
const BASE: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];
#[cfg(windows)]
const BASE: [&str; 7] = [
    "PATH",
    "PATHEXT",
    "SYSTEMROOT",
    "COMSPEC",
    "USERPROFILE",
    "TEMP",
    "TMP",
];

/// The variables that there are, of those that every program may see.
pub fn base() -> impl Iterator<Item = (&'static str, OsString)> {
    let there = |name: &'static str| Some((name, std::env::var_os(name)?));
    BASE.into_iter().filter_map(there).chain(marks())
}

/// The variables that there are, of those that every program may see and those that the contract
/// names.
pub(super) fn of(command: &Command) -> impl Iterator<Item = (&str, OsString)> {
    let names = BASE.into_iter().chain(command.env());
    let there = names.filter_map(|name| Some((name, std::env::var_os(name)?)));
    there.chain(marks())
}

/// By which the program is found wherever it went.
#[cfg(unix)]
fn marks<'a>() -> impl Iterator<Item = (&'a str, OsString)> {
    std::iter::once((super::mark::NAME, super::mark::next()))
}

#[cfg(not(unix))]
fn marks<'a>() -> impl Iterator<Item = (&'a str, OsString)> {
    std::iter::empty()
}
