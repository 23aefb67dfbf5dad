//! Lint: attacks from published reports are found, in disguise too; what is clean stays silent; hostile texts
//! cost no more than their length.

mod attacks;
mod cost;
mod kinds;
