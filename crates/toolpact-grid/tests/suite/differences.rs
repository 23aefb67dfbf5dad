//! What must be different between tools that run here and tools that run elsewhere. No outcome is: what is left out
//! here is about what only exists in process.

/// Tests that are left out, in whole or from where they say so, by their paths, and why.
pub(crate) const DIFFERENCES: &[(&str, &str)] = &[
    ("commands::bytes_that_are_not_text_are_refused", CAUSES),
    (
        "commands::the_error_of_a_program_has_a_kind_a_place_and_a_source",
        CAUSES,
    ),
    (
        "elicitation::a_question_after_the_end_has_no_answer",
        SESSION_VALUES,
    ),
    (
        "elicitation::nobody_goes_on_without_an_answer",
        SESSION_VALUES,
    ),
    ("faults::blocking::a_tool_that_blocks_its_thread", THREADS),
    ("faults::blocking::blocked_work_keeps_its_place", THREADS),
    (
        "faults::blocking::many_tools_that_block_their_threads",
        THREADS,
    ),
    (
        "faults::memory::many_calls_in_a_row",
        "the memory of 80,000 calls in this process, which take minutes elsewhere",
    ),
    (
        "log::failures_are_written_down_without_what_was_returned",
        CAUSES,
    ),
    ("macros::by_type", TYPED),
    (
        "macros::natural::natural_values_become_what_is_promised",
        TYPED,
    ),
    (
        "macros::natural::parameters_need_only_be_read_and_described",
        TYPED,
    ),
    ("macros::signatures::attributes_and_places", TYPED),
    ("macros::signatures::parameters", CALL_ID),
    (
        "sessions::the_values_of_a_session_go_with_it",
        SESSION_VALUES,
    ),
    ("sessions::tools_find_values_by_their_type", SESSION_VALUES),
    (
        "spans::the_work_is_inside_of_the_span_wherever_it_runs",
        "the work runs in the runtime, in a span of its own with this one as its parent",
    ),
    ("timeouts::the_tool_knows_its_deadline", CALL_ID),
];

const CAUSES: &str = "the cause of an error is for the log of the process where the tool runs";
const SESSION_VALUES: &str =
    "the tool reads Rust values of the session, which are in the process of the host";
const THREADS: &str = "which threads are blocked is counted where the tool runs";
const TYPED: &str = "values of Rust types are handed over as they are, without JSON";
const CALL_ID: &str = "a tool elsewhere has the invocation as the id of its call, and a deadline in whole milliseconds";

/// Files of tests that are left out as a whole, and why.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("errors", "no tool is called"),
    ("held_once", TYPED),
    (
        "kept_tools",
        "thousands of tools are replaced, of which the first is called",
    ),
    (
        "late_work",
        "the threads of tools are blocked, which are the runtime's; `faults` looks for late work here",
    ),
    ("mocks", "no tool runs: its contract answers"),
    (
        "outputs",
        "no tool is called: results are read as Rust types",
    ),
    ("settings", "no tool is called"),
    ("ui", "what does not compile"),
];

#[test]
fn every_file_is_here_or_in_the_table() {
    let mine = include_str!("main.rs");
    let theirs = include_str!("../../../toolpact/tests/it/main.rs");
    let modules = theirs
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    for module in modules.filter(|module| *module != "world") {
        let is_here = mine.contains(&format!("\nmod {module};"));
        let is_left_out = FILES.iter().any(|(name, _)| *name == module);
        assert!(is_here != is_left_out, "`{module}`");
    }
}

#[test]
fn every_test_of_the_table_says_so_itself() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolpact/tests/it");
    for (test, _) in DIFFERENCES {
        let (module, _) = test.rsplit_once("::").unwrap();
        let module = module.replace("::", "/");
        let files = [format!("{module}.rs"), format!("{module}/mod.rs")];
        let found = files
            .iter()
            .find_map(|file| std::fs::read_to_string(folder.join(file)).ok());
        assert!(
            found.unwrap().contains(&format!("leaves_out(\"{test}\")")),
            "{test}"
        );
    }
}
