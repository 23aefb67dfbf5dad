//! Policies asked about calls of real tools. Everything here needs Cedar.
#![cfg(feature = "cedar")]
#![cfg_attr(
    feature = "cedar",
    expect(
        clippy::unwrap_used,
        clippy::panic,
        reason = "clippy allows them in tests, but does not know helpers of tests"
    )
)]

mod arguments;
mod bounds;
mod checking;
mod decisions;
mod hiding;
mod looking;
mod matrix;
mod random;
mod random_short_form;
mod schema;
mod short_form;
mod support;
