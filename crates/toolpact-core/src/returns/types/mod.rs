//! The standard types as Rust types.
//!
//! Every value of these types is consistent, because no other can be constructed: a success has a
//! payload and no error, a page counts its pages, a file knows its size. Each
//!
//! - is built by constructors that refuse contradictions;
//! - is written and read with serde in the form of the specification;
//! - has a JSON Schema (by `schemars`): the standard one, refined by the Rust type and its payload.
//!
//! A type that is a success or a failure is made with `success` and `failure`; one that is made of
//! fields (`EntityResult`, `BatchResult`, `OperationStatus`, `EventStream`, `ChunkedData`) with `new`. The
//! natural value of a type becomes it with `into`: a `Vec<T>` a `ListResult<T>`, a `String` a
//! `StringValue`, `()` a `VoidResult`.
//!
//! Keys that the specification does not name are allowed in what is read, and ignored.
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use toolpact_core::json::Value;
//! use toolpact_core::returns::types::{ListResult, StandardResult};
//!
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct Order {
//!     number: u32,
//! }
//!
//! let page = ListResult::page(vec![Order { number: 7 }], 1, 10, 45)?;
//! assert_eq!(
//!     serde_json::to_string(&page)?,
//!     r#"{"success":true,"data":[{"number":7}],"pagination":{"page":1,"per_page":10,"total":45,"total_pages":5,"has_next":true,"has_prev":false}}"#
//! );
//!
//! // The schema knows what is in the list.
//! let checker = ListResult::<Order>::schema()?.checker();
//! assert!(checker.check(&page.to_value()?).is_ok());
//! let wrong = Value::from_json(r#"{"success": true, "data": [{"number": "seven"}]}"#)?;
//! assert!(checker.check(&wrong).is_err());
//! assert!(ListResult::<Order>::from_value(&wrong).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod as_object;
mod batch;
mod boolean;
mod chunk;
mod content;
mod entity;
mod envelope;
mod event;
mod file;
mod identifier;
mod invalid;
mod list;
mod media;
mod metadata;
mod natural;
mod number;
mod object;
mod operation;
mod pagination;
mod progress;
mod refine;
mod relationship;
mod result_node;
mod scalar;
mod string;
#[cfg(test)]
mod tests;
mod timestamp;
mod void;
mod wire;

use serde::Serialize;

use super::StandardType;
use crate::json::Value;
use crate::{Error, Violations};

pub use batch::{BatchItem, BatchResult};
pub use boolean::BooleanValue;
pub use chunk::ChunkedData;
pub use entity::EntityResult;
pub use event::EventStream;
pub use file::{Checksum, File, FileResult};
pub use identifier::{Identifier, IdentifierValue};
pub use list::ListResult;
pub use media::{Media, MediaResult, MediaType};
pub use metadata::Metadata;
pub use number::NumberValue;
pub use object::ObjectResult;
pub use operation::{OperationState, OperationStatus};
pub use pagination::Pagination;
pub use progress::Progress;
pub use relationship::{EntityReference, Relationship};
pub use string::StringValue;
pub use timestamp::Timestamp;
pub use void::VoidResult;

/// A Rust type that is one of the standard return types.
pub trait StandardResult: Serialize + Sized {
    /// The standard type.
    const STANDARD: StandardType;

    /// Reads it from a value, which must have the right shape and not contradict itself.
    fn from_value(value: &Value) -> Result<Self, Error>;

    /// Writes it as a value. This fails only if its payload cannot be serialized, or is no object
    /// where the specification requires one.
    fn to_value(&self) -> Result<Value, serde_json::Error> {
        let text = serde_json::to_string(self)?;
        Value::from_json(text).map_err(serde::ser::Error::custom)
    }

    /// Its schema: the standard one, refined.
    fn schema() -> Result<crate::schema::JsonSchema, Violations>
    where
        Self: schemars::JsonSchema,
    {
        let schema = schemars::schema_for!(Self);
        crate::schema::JsonSchema::from_value(&Value::try_from(schema.as_value())?)
    }
}
