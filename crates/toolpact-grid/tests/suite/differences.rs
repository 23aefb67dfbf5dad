//! What must be different between tools that run here and tools that run elsewhere. No outcome is: what is left out
//! here is about what only exists in process.

/// Tests that are left out, by their paths, and why.
pub(crate) const DIFFERENCES: &[(&str, &str)] = &[
    ("sessions::tools_find_values_by_their_type", SESSION_VALUES),
    (
        "sessions::the_values_of_a_session_go_with_it",
        SESSION_VALUES,
    ),
    (
        "elicitation::nobody_goes_on_without_an_answer",
        SESSION_VALUES,
    ),
    (
        "elicitation::a_question_after_the_end_has_no_answer",
        SESSION_VALUES,
    ),
    (
        "faults::memory::a_result_of_100_megabytes_that_is_allowed",
        "a host has a limit of its own for results; long ones are in streams.rs",
    ),
    (
        "faults::memory::many_calls_in_a_row",
        "the memory of 80,000 calls in this process, which are made in seconds in process only",
    ),
];

const SESSION_VALUES: &str =
    "the tool reads Rust values of the session, which are in the process of the host";

/// Files of tests that are left out as a whole, and why.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("errors", "no tool is called"),
    (
        "held_once",
        "values are handed over as they are, without JSON",
    ),
    (
        "outputs",
        "no tool is called: results are read as the types of Rust tools",
    ),
    (
        "registries",
        "tools are replaced while they are registered; a runtime offers what it had when it joined",
    ),
    ("settings", "no tool is called"),
    ("ui", "what does not compile"),
];
