//! What must be different for scripts whose tools run elsewhere. No outcome is.

/// Tests that are left out, by their paths, and why.
pub(crate) const DIFFERENCES: &[(&str, &str)] = &[(
    "boundaries::tools_in_rust",
    "how often a value of Rust is written as JSON: elsewhere once, since it has to travel",
)];

/// Files of tests that are left out as a whole, and why.
const FILES: &[(&str, &str)] = &[
    ("command", SERVED),
    ("declarations", CHECKED),
    ("hostile", NO_TOOLS),
    ("property", NO_TOOLS),
    ("serving", SERVED),
    ("sources", SERVED),
    ("types", CHECKED),
    ("verdicts", CHECKED),
    ("worker", NO_TOOLS),
];

const CHECKED: &str = "scripts are checked against contracts, and call nothing";
const NO_TOOLS: &str = "it is about the interpreter and its process, whatever tools there are";
const SERVED: &str = "the program makes its tools itself";

#[test]
fn every_file_is_here_or_in_the_table() {
    let mine = include_str!("main.rs");
    let theirs = include_str!("../it/main.rs").lines();
    let modules = theirs.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    for module in modules {
        let is_here = mine.contains(&format!("\nmod {module};"));
        let is_left_out = FILES.iter().any(|(name, _)| *name == module);
        assert!(is_here != is_left_out, "`{module}`");
    }
}
