//! A program that was built without policies.
#![cfg(not(feature = "cedar"))]

use toolpact_policy::{Policies, PolicyConfig};

#[test]
fn a_program_without_policies_says_so() {
    let error = Policies::read(&PolicyConfig::default()).unwrap_err();
    assert!(error.to_string().contains("--features policy"), "{error}");
}
