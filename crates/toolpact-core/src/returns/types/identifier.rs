use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::envelope::{self, outcome_methods};
use super::refine;
use super::result_node::ResultNode;
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// The identifier of something, or an error.
///
/// ```
/// use toolpact_core::returns::types::{Identifier, IdentifierValue};
///
/// let id = IdentifierValue::success(Identifier::new("usr_1")?.with_type("user"));
/// assert_eq!(serde_json::to_string(&id)?, r#"{"success":true,"id":"usr_1","type":"user"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct IdentifierValue {
    outcome: Result<Identifier, StandardError>,
}

standard_result!(IdentifierValue);

/// An identifier, and what it identifies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Identifier {
    id: Box<str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    identified: Option<Box<str>>,
}

impl IdentifierValue {
    /// A success.
    #[must_use]
    pub fn success(identifier: Identifier) -> Self {
        Self::from_outcome(Ok(identifier))
    }

    outcome_methods!(Identifier);

    fn from_outcome(outcome: Result<Identifier, StandardError>) -> Self {
        Self { outcome }
    }

    fn wire(&self) -> impl Serialize {
        envelope::wire(&self.outcome, |identifier| identifier)
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["id", "type"], |part| {
            Ok(Identifier {
                id: part.require("id")?.filled()?,
                identified: part.optional("type", ResultNode::text)?,
            })
        });
        outcome.map(Self::from_outcome)
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![
            json!({"properties": {"id": {"minLength": 1}}}),
            refine::envelope(generator, &["id"], &["id", "type"]),
        ]
    }
}

impl Identifier {
    /// An identifier, which must not be empty.
    pub fn new(id: &str) -> Result<Self, Error> {
        if id.is_empty() {
            let message = "expected an identifier that is not empty";
            return Err(Error::at("id", message));
        }
        Ok(Self {
            id: id.into(),
            identified: None,
        })
    }

    /// Adds the type of what it identifies.
    #[must_use]
    pub fn with_type(mut self, identified: &str) -> Self {
        self.identified = Some(identified.into());
        self
    }

    /// The identifier itself.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The type of what it identifies.
    #[must_use]
    pub fn identified(&self) -> Option<&str> {
        self.identified.as_deref()
    }
}
