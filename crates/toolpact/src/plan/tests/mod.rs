//! Plans from text to result, on a host that is made for the test.

mod read;

use super::Plan;

/// A plan that is well-formed.
fn plan(text: &str) -> Plan {
    Plan::from_text(text).unwrap()
}
