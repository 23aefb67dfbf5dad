//! Contracts in every dialect, and back.

mod corners;
mod directions;
mod hard;
mod large;
mod round_trips;
mod unknown;
