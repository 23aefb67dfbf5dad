//! What the compiler says to those who write a tool that cannot be one.

#[test]
fn compile_errors() {
    // One build for all of them.
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
