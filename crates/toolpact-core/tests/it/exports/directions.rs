//! Random contracts in every dialect.

use super::judged::judge;
use crate::differential::with_bytes;
use toolpact_core::dialect::Dialect;

#[test]
fn calls_differ_only_as_the_losses_say() {
    with_bytes(800, |bytes| judge(bytes, Dialect::ALL));
}
