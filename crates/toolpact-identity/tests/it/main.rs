//! Who is let in by what they show, and who is not.

#![expect(clippy::unwrap_used, reason = "in a test it is a failure")]

mod attacks;
mod attacks_by_curve;
mod keys;
mod rotation;
mod support;
mod tokens;
