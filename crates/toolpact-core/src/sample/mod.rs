//! Values that a schema accepts, made from the schema: for documentation, mocks and tests.
//!
//! No program can find a value for every schema. So a [`Sampler`] makes several attempts, and checks
//! each value with the checker that enforces the contract; a value that would be refused is never
//! returned. The work of one value is bounded, whatever the schema is.
//!
//! ```
//! use toolpact_core::contract::Contract;
//! use toolpact_core::sample::Sampler;
//!
//! let contract = Contract::from_json(r#"{"name": "search", "description": "Searches.",
//!     "parameters": {"type": "object", "required": ["words"], "properties": {
//!         "words": {"type": "string", "minLength": 1}, "limit": {"type": "integer", "minimum": 1}}},
//!     "returns": "ListResult"}"#)?;
//! let arguments = Sampler::of_arguments(&contract);
//! assert_eq!(arguments.first().unwrap().text(), r#"{"words":"text","limit":1}"#);
//!
//! let results = Sampler::of_result(&contract);
//! assert_eq!(results.nth(7), results.nth(7));
//! assert_ne!(results.nth(7), results.nth(8));
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

mod array;
mod draft;
mod make;
mod number;
mod object;
mod pattern;
mod random;
mod sampler;
mod standard;
mod string;

pub(crate) use draft::draft;
pub use random::Random;
pub use sampler::Sampler;
