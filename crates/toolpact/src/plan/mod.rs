//! Plans: steps that depend on each other.
