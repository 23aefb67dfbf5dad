//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types, and [`choose`] finds the one
//!   that fits.
//! - [`Returns`] is the contract for results; [`Enforcer`] checks them against it, at a [`Level`].
//! - [`Lift`] makes results of the output of programs and servers that know nothing of return types.
//! - [`ReturnType`] is the document form of the contract.
//! - [`types`] has the fourteen as Rust types.
//! - [`stream`] has the codecs of EventStream and ChunkedData.
//! - [`StandardError`] describes a failure, and [`ErrorKind`] classifies it.
//! - [`Outcome`] is what a result says came of the work, and [`Reports`] the table for all types.

mod bundle;
pub mod choose;
mod content_type;
mod error;
mod failure;
mod image;
mod level;
pub(crate) mod lift;
pub(crate) mod meaning;
mod members;
mod names_false;
mod outcome;
mod promise;
mod refine;
mod resolve;
mod return_type;
mod standard;
pub mod stream;
mod type_word;
pub mod types;
mod verdict;

pub use bundle::bundle;
pub(crate) use bundle::with_names;
pub use error::{ErrorCategory, ErrorKind, Retry, StandardError};
pub use failure::Failure;
pub(crate) use failure::is_failure;
pub use level::Level;
pub use lift::{Lift, LiftMapping, Lifted, RawOutput};
pub(crate) use meaning::{Observed, Role};
pub use outcome::{Outcome, Reports};
pub use promise::{Enforcer, Returns};
pub(crate) use resolve::{not_a_promise, read_schema_alone};
pub use return_type::ReturnType;
pub(crate) use return_type::{is_legacy, is_return_type, read_in_contract};
pub use standard::{Category, Envelope, StandardType};
