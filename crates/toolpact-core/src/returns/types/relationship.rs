use indexmap::IndexMap;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::result_node::ResultNode;
use crate::Error;
use crate::json::Kind;

/// A reference to an entity by its identifier and type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct EntityReference {
    id: Box<str>,
    #[serde(rename = "type")]
    entity_type: Box<str>,
}

/// The entities that an entity is related to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relationship {
    /// One entity.
    One(EntityReference),
    /// Any number of entities.
    Many(Vec<EntityReference>),
}

/// The relationships of an entity, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Relationships(pub(super) IndexMap<Box<str>, Relationship>);

impl EntityReference {
    /// A reference. Neither part may be empty.
    pub fn new(id: &str, entity_type: &str) -> Result<Self, Error> {
        for (key, text) in [("id", id), ("type", entity_type)] {
            if text.is_empty() {
                let message = format!("expected `{key}` not to be empty");
                return Err(Error::at(key, message));
            }
        }
        Ok(Self {
            id: id.into(),
            entity_type: entity_type.into(),
        })
    }

    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The type of the entity.
    #[must_use]
    pub fn entity_type(&self) -> &str {
        &self.entity_type
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        Ok(Self {
            id: part.require("id")?.filled()?,
            entity_type: part.require("type")?.filled()?,
        })
    }
}

impl Relationship {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let data = part.clone().object()?.require("data")?;
        if data.node().kind() == Kind::Array {
            let many: Result<Vec<EntityReference>, _> =
                data.items()?.map(|p| EntityReference::read(&p)).collect();
            return many.map(Self::Many);
        }
        EntityReference::read(&data).map(Self::One)
    }
}

impl Relationships {
    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let members = part.members()?;
        let read = members.map(|(name, part)| Ok((name.into(), Relationship::read(&part)?)));
        read.collect::<Result<_, _>>().map(Self)
    }

    /// Their part of the schema.
    pub(super) fn refinement() -> Json {
        let filled = json!({"type": "string", "minLength": 1});
        let reference = json!({
            "type": "object",
            "properties": {"id": filled, "type": filled},
            "required": ["id", "type"],
        });
        let many = json!({"type": "array", "items": reference});
        json!({"additionalProperties": {
            "properties": {"data": {"if": {"type": "array"}, "then": many, "else": reference}},
            "required": ["data"],
        }})
    }
}

impl Serialize for Relationships {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data<T> {
            data: T,
        }
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, relationship) in &self.0 {
            match relationship {
                Relationship::One(data) => map.serialize_entry(name, &Data { data })?,
                Relationship::Many(data) => map.serialize_entry(name, &Data { data })?,
            }
        }
        map.end()
    }
}
