//! Callers and tools as entities.

use std::collections::HashSet;

use cedar_policy::{Entities, Entity, EntityId, EntityTypeName, EntityUid, RestrictedExpression};
use toolpact::registry::RegisteredTool;
use toolpact_core::Principal;
use toolpact_core::json::Node;

use crate::action::{action_of, groups_of};
use crate::principal_id::principal_id;

/// Who, what, where: three entities with all that is known about them.
pub(super) struct Parties {
    pub(super) principal: EntityUid,
    pub(super) action: EntityUid,
    pub(super) resource: EntityUid,
    pub(super) entities: Entities,
}

impl Parties {
    pub(super) fn new(
        principal: &Principal,
        tool: &RegisteredTool,
        patterns: &[String],
    ) -> Result<Self, String> {
        let name = action_of(tool);
        let groups = groups_of(&name, tool.toolset(), tool.contract(), patterns);
        let groups: Result<HashSet<EntityUid>, String> =
            groups.iter().map(|group| uid("Action", group)).collect();
        let caller = caller(principal)?;
        let action = uid("Action", &name)?;
        let acting = Entity::new_no_attrs(action.clone(), groups?);
        Ok(Self {
            principal: caller.uid(),
            action,
            resource: uid("Source", tool.toolset())?,
            entities: Entities::from_entities([caller, acting], None).map_err(text)?,
        })
    }
}

fn caller(principal: &Principal) -> Result<Entity, String> {
    let texts = [
        ("name", Some(principal.name())),
        ("issuer", principal.issuer()),
        ("tenant", principal.tenant()),
    ];
    let texts = texts.into_iter().filter_map(|(key, value)| {
        let value = RestrictedExpression::new_string(value?.to_owned());
        Some((key.to_owned(), value))
    });
    let anonymous = RestrictedExpression::new_bool(principal.is_anonymous());
    let attributes = texts.chain([("anonymous".to_owned(), anonymous)]);
    let groups: Result<Vec<EntityUid>, String> = { principal.group_names() }
        .map(|group| uid("Group", group))
        .collect();
    let id = uid("Principal", &principal_id(principal))?;
    let claims = principal.claims().into_iter();
    let claims = claims.flat_map(|claims| claims.root().members());
    let tags: Vec<(String, RestrictedExpression)> = claims
        .map(|(name, claim)| (name.into_owned(), tag(claim)))
        .collect();
    Entity::new_with_tags(id, attributes, groups?, tags).map_err(text)
}

/// A claim: a text is itself, anything else its JSON.
fn tag(claim: Node<'_>) -> RestrictedExpression {
    let text = claim.as_str();
    let text = text.map_or_else(|| claim.to_value().to_canonical(), Into::into);
    RestrictedExpression::new_string(text)
}

fn uid(kind: &str, id: &str) -> Result<EntityUid, String> {
    let kind: EntityTypeName = kind.parse().map_err(text)?;
    Ok(EntityUid::from_type_name_and_id(kind, EntityId::new(id)))
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
