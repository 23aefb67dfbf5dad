use super::{Rule, Subject::Yaml};

rules! {
    SYNTAX = Rule::error("yaml-syntax", "The text must be YAML.")
        .because("The text is read as YAML 1.2. Reading stops at the first mistake.")
        .shown(Yaml, b"name: [get_time", b"name: [get_time]");
    UNSUPPORTED = Rule::error("yaml-unsupported", "YAML may say only what JSON can say.")
        .because(
            "A document in YAML is another spelling of the same JSON. So keys are strings, there \
             is one document in a file, numbers are finite, and there are no tags but `!!str`. \
             Anchors and aliases are fine as long as they do not refer to themselves or multiply.",
        )
        .shown(Yaml, b"1: one", b"'1': one");
}
