//! Contracts made of bytes, in every dialect: what can be sent and what is taken differ only in the
//! directions that the losses name.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::dialect::Dialect;

// The tests use more of both.
#[allow(dead_code)]
#[path = "../../crates/toolpact-core/tests/it/exports/judged.rs"]
mod judged;
#[allow(dead_code)]
#[path = "../../crates/toolpact-core/tests/it/differential/make.rs"]
mod make;

/// Where the tests have it.
mod differential {
    pub(crate) use crate::make::{self, Choices};
}

fuzz_target!(|data: &[u8]| judged::judge(data, Dialect::ALL));
