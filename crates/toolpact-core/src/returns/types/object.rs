use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::as_object::AsObject;
use super::envelope::{self, outcome_methods};
use super::result_node::ResultNode;
use super::wire::standard_result;
use super::{Metadata, refine};
use crate::Error;
use crate::returns::StandardError;

/// An object, or an error. `T` is written as an object.
///
/// ```
/// use toolpact_core::returns::types::ObjectResult;
/// use toolpact_core::returns::{ErrorKind, StandardError};
///
/// #[derive(serde::Serialize)]
/// struct User {
///     username: String,
/// }
///
/// let result = ObjectResult::success(User { username: "johndoe".into() });
/// assert_eq!(serde_json::to_string(&result)?, r#"{"success":true,"data":{"username":"johndoe"}}"#);
///
/// let result = ObjectResult::<User>::failure(StandardError::new(ErrorKind::NotFound, "No such user"));
/// assert_eq!(
///     serde_json::to_string(&result)?,
///     r#"{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"No such user"}}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectResult<T> {
    outcome: Result<T, StandardError>,
    metadata: Option<Metadata>,
}

standard_result!(ObjectResult<T>);

impl<T> ObjectResult<T> {
    /// A success.
    #[must_use]
    pub fn success(data: T) -> Self {
        Self::from_outcome(Ok(data))
    }

    /// Adds metadata.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// The metadata.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }

    outcome_methods!(T);

    fn from_outcome(outcome: Result<T, StandardError>) -> Self {
        Self {
            outcome,
            metadata: None,
        }
    }
}

impl<T> From<Result<T, StandardError>> for ObjectResult<T> {
    fn from(outcome: Result<T, StandardError>) -> Self {
        Self::from_outcome(outcome)
    }
}

#[derive(Serialize)]
struct Wire<'a, P> {
    #[serde(flatten)]
    envelope: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Metadata>,
}

#[derive(Serialize)]
struct Data<'a, T: Serialize> {
    data: AsObject<'a, T>,
}

impl<T: Serialize> ObjectResult<T> {
    fn wire(&self) -> impl Serialize {
        Wire {
            envelope: envelope::wire(&self.outcome, |data| Data {
                data: AsObject(data),
            }),
            metadata: self.metadata.as_ref(),
        }
    }
}

impl<T: DeserializeOwned> ObjectResult<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["data"], |part| {
            part.require("data")?.object_payload()
        })?;
        let metadata = part.optional("metadata", Metadata::read)?;
        Ok(Self { outcome, metadata })
    }
}

impl<T: JsonSchema> ObjectResult<T> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![
            json!({"properties": {
                "data": refine::payload::<T>(generator),
                "metadata": {"properties": {"duration_ms": {"minimum": 0}}},
            }}),
            refine::envelope(generator, &["data"], &["data"]),
        ]
    }
}
