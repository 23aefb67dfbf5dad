//! Contracts in every dialect, and back.

mod checked;
mod corners;
mod directions;
mod hard;
mod imports;
mod judged;
mod large;
mod round_trips;
mod unknown;
