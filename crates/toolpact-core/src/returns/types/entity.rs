use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::as_object::AsObject;
use super::relationship::Relationships;
use super::result_node::ResultNode;
use super::wire::standard_result;
use super::{EntityReference, Relationship, refine};
use crate::Error;
use crate::json::Value;
use crate::returns::members::Members;

/// One entity: its type, identifier, attributes and relationships. `A` is written as an object.
///
/// It has no place for an error: a tool that does not find its entity is a failed call.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolpact_core::returns::types::{EntityResult, EntityReference, Relationship};
///
/// let entity = EntityResult::new("prod_1", "product", BTreeMap::from([("price", 99.99)]))?
///     .with_relationship("maker", Relationship::One(EntityReference::new("mfg_1", "manufacturer")?));
/// assert_eq!(
///     serde_json::to_string(&entity)?,
///     r#"{"id":"prod_1","type":"product","attributes":{"price":99.99},"relationships":{"maker":{"data":{"id":"mfg_1","type":"manufacturer"}}}}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EntityResult<A> {
    key: EntityReference,
    attributes: A,
    relationships: Option<Relationships>,
    meta: Option<Members>,
}

standard_result!(EntityResult<A>);

impl<A> EntityResult<A> {
    /// An entity. Its identifier and type must not be empty.
    pub fn new(id: &str, entity_type: &str, attributes: A) -> Result<Self, Error> {
        Ok(Self {
            key: EntityReference::new(id, entity_type)?,
            attributes,
            relationships: None,
            meta: None,
        })
    }

    /// Adds one more relationship.
    #[must_use]
    pub fn with_relationship(mut self, name: &str, relationship: Relationship) -> Self {
        let relationships = self.relationships.get_or_insert_default();
        relationships.0.insert(name.into(), relationship);
        self
    }

    /// Adds a member to `meta`.
    #[must_use]
    pub fn with_meta(mut self, key: &str, value: impl Into<Value>) -> Self {
        let meta = self.meta.get_or_insert_default();
        meta.insert(key, value.into());
        self
    }

    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &str {
        self.key.id()
    }

    /// Its type.
    #[must_use]
    pub fn entity_type(&self) -> &str {
        self.key.entity_type()
    }

    /// Its attributes.
    #[must_use]
    pub fn attributes(&self) -> &A {
        &self.attributes
    }

    /// Its attributes, consuming the entity.
    #[must_use]
    pub fn into_attributes(self) -> A {
        self.attributes
    }

    /// The relationship of this name.
    #[must_use]
    pub fn relationship(&self, name: &str) -> Option<&Relationship> {
        self.relationships.as_ref()?.0.get(name)
    }

    /// A member of `meta`.
    #[must_use]
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.meta.as_ref()?.get(key)
    }
}

#[derive(Serialize)]
struct Wire<'a, A: Serialize> {
    #[serde(flatten)]
    key: &'a EntityReference,
    attributes: AsObject<'a, A>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relationships: Option<&'a Relationships>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Members>,
}

impl<A: Serialize> EntityResult<A> {
    fn wire(&self) -> impl Serialize {
        Wire {
            key: &self.key,
            attributes: AsObject(&self.attributes),
            relationships: self.relationships.as_ref(),
            meta: self.meta.as_ref(),
        }
    }
}

impl<A: DeserializeOwned> EntityResult<A> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let key = EntityReference::read(part)?;
        let relationships = part.optional("relationships", Relationships::read)?;
        let meta = part.optional("meta", |part| part.clone().object())?;
        Ok(Self {
            key,
            attributes: part.require("attributes")?.object_payload()?,
            relationships,
            meta: meta.map(|meta| Members::of(meta.node())),
        })
    }
}

impl<A: JsonSchema> EntityResult<A> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        let filled = json!({"type": "string", "minLength": 1});
        vec![json!({
            "properties": {
                "id": filled,
                "type": filled,
                "attributes": refine::payload::<A>(generator),
                "relationships": Relationships::refinement(),
            },
            "required": ["attributes"],
        })]
    }
}
