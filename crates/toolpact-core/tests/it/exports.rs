//! Contracts in every dialect, and back.

mod directions;
mod hard;
mod imports;
mod round_trips;
