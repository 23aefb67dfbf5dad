//! The `toolpact` program.
fn main() {}
