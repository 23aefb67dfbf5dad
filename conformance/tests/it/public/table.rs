//! Tables that people read when they change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use toolpact_core::dialect::{Dialect, Export};

/// How many names stand for all.
const NAMES: usize = 3;

/// What exports to a dialect lose and leave out.
#[derive(Default)]
pub(super) struct Losses {
    groups: BTreeMap<BTreeSet<String>, Vec<String>>,
    /// The reasons, and the names of the tools.
    left_out: BTreeMap<String, Vec<String>>,
}

impl Losses {
    pub(super) fn add(&mut self, export: &Export) {
        for tool in export.tools() {
            let losses = tool.losses().iter();
            let kinds = losses.map(|loss| format!("{} ({})", loss.kind(), loss.effect()));
            let name = tool.contract().name().as_str().to_owned();
            self.groups.entry(kinds.collect()).or_default().push(name);
        }
        for bad in export.left_out() {
            let names = self.left_out.entry(bad.reason.clone()).or_default();
            names.push(bad.name.to_string());
        }
    }

    /// Each kind on its own, with how many tools have it.
    pub(super) fn write_kinds(&self, dialect: Dialect, out: &mut String) {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for (group, names) in &self.groups {
            let nothing = group.is_empty().then_some("nothing");
            for kind in group.iter().map(String::as_str).chain(nothing) {
                *kinds.entry(kind).or_default() += names.len();
            }
        }
        writeln!(out, "{dialect}").unwrap();
        for (kind, tools) in kinds {
            writeln!(out, "  {kind}: {tools}").unwrap();
        }
        self.write_left_out(out);
    }

    pub(super) fn write(&self, dialect: Dialect, out: &mut String) {
        writeln!(out, "{dialect}").unwrap();
        for (kinds, names) in &self.groups {
            let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
            let kinds = if kinds.is_empty() {
                "nothing".to_owned()
            } else {
                kinds.join(", ")
            };
            writeln!(out, "  {kinds}\n    {}", some(names)).unwrap();
        }
        self.write_left_out(out);
    }

    fn write_left_out(&self, out: &mut String) {
        for (reason, names) in &self.left_out {
            writeln!(out, "  LEFT OUT: {reason}\n    {}", names.join(" ")).unwrap();
        }
    }
}

fn some(names: &[String]) -> String {
    let first = &names[..names.len().min(NAMES)];
    let more = if names.len() > NAMES { " …" } else { "" };
    format!("{}: {}{more}", names.len(), first.join(" "))
}

/// Compares a table with the file of the repository; `UPDATE_LOSSES=1` writes it.
pub(super) fn compare(file: &str, table: &str) {
    let path = format!("{}/tests/it/public/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_LOSSES").is_some() {
        std::fs::write(&path, table).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == table,
        "{path} is out of date; read what changed:\n{table}"
    );
}
