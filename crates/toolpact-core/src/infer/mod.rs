//! Schemas and contracts from examples: what values, calls and results have in common.
//!
//! [`Observed`] is what was seen in values; values are folded into it one by one, in one pass and in memory that
//! depends on their schema and not on their number. Of it comes a JSON Schema that accepts every value that was seen,
//! and says no more than there is evidence for: [`Evidence`] tells from how many examples each statement comes.
//!
//! [`ObservedTools`] takes calls and results as they are sent or logged, and makes the contracts of their tools.
//! [`Widening`] makes a contract that exists accept what was seen, and keeps all the rest of it.

mod evidence;
mod example;
mod maps;
mod numbers;
mod observed;
mod place;
mod schema;
mod settings;
mod standard;
mod strings;
mod tags;
#[cfg(test)]
mod tests;
mod tools;
mod union;
mod widen;

pub use evidence::{Claim, Evidence};
pub use observed::Observed;
pub use schema::Inferred;
pub use settings::Settings;
pub use tools::{Form, InferredTool, ObservedTools};
pub use widen::Widening;
