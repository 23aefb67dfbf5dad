//! Contracts in every dialect, and back.

mod directions;
mod hard;
mod round_trips;
