//! The request body: its members become arguments where possible; otherwise it is one argument.

use std::collections::HashSet;

use crate::Violations;

use super::super::super::tree::{Map, Tree};
use super::content;
use super::gather::Gather;
use super::source::{At, Source};

/// A request body, dereferenced.
pub(super) struct Body<'a> {
    at: At<'a>,
    pub(super) content_type: String,
    /// Its other content types, which are not used.
    pub(super) others: Vec<String>,
    schema: Option<At<'a>>,
    encoding: Option<At<'a>>,
}

/// How the body is mapped to arguments.
pub(super) enum Shape {
    /// Its members are arguments.
    Members(Map),
    /// It is one argument.
    Whole(Tree),
}

impl<'a> Body<'a> {
    pub(super) fn of(source: &Source<'a>, operation: &At<'a>) -> Result<Option<Self>, Violations> {
        let Some(at) = operation.get("requestBody") else {
            return Ok(None);
        };
        let at = source.follow(at)?.object("a request body")?;
        source.may_copy(&at)?;
        let Some((content_type, media, others)) = content::choose_body(&at) else {
            return Err(at.missing("a request body with `content`"));
        };
        Ok(Some(Self {
            at,
            content_type,
            others,
            schema: media.get("schema"),
            encoding: media.get("encoding"),
        }))
    }

    /// The members that are written as `name[key]`.
    pub(super) fn deep(&self) -> Vec<Box<str>> {
        let all = self
            .encoding
            .iter()
            .flat_map(|all| all.members().collect::<Vec<_>>());
        let deep = all.filter(|(_, one)| one.text("style").as_deref() == Some("deepObject"));
        deep.map(|(name, _)| name.into()).collect()
    }

    /// The members that are files.
    pub(super) fn files(&self, source: &Source<'a>) -> Vec<Box<str>> {
        let schema = self
            .schema
            .clone()
            .and_then(|schema| source.follow(schema).ok());
        let all = schema.and_then(|schema| schema.get("properties"));
        let all = all
            .into_iter()
            .flat_map(|all| all.members().collect::<Vec<_>>());
        let files = all.filter(|(_, one)| {
            let items = one.get("items").and_then(|items| source.follow(items).ok());
            source.follow(one.clone()).is_ok_and(|one| is_file(&one))
                || items.is_some_and(|items| is_file(&items))
        });
        files.map(|(name, _)| name.into()).collect()
    }

    /// Whether it has to be there. `required` is often forgotten, so a body with members that are required is
    /// taken to be so, too, where its members are arguments.
    pub(super) fn is_required(&self) -> bool {
        self.at.flag("required")
    }

    pub(super) fn description(&self) -> Option<String> {
        self.at
            .text("description")
            .filter(|text| !text.trim().is_empty())
    }

    /// How the body is mapped to arguments, given the names that are taken.
    pub(super) fn shape(
        &self,
        taken: &HashSet<String>,
        gather: &mut Gather<'_, 'a>,
    ) -> Result<Shape, Violations> {
        let Some(schema) = &self.schema else {
            return Ok(Shape::Whole(Tree::Object(Map::at(&self.at.place))));
        };
        let mut target = schema.clone();
        // Circular references are reported when it is read as one argument.
        for _ in 0..32 {
            match gather.only_a_reference(&target) {
                Some((_, next)) => target = next,
                None => break,
            }
        }
        let tree = gather.part(&target)?;
        match tree {
            Tree::Object(map) if is_plain(&map) && can_be_merged(&map, taken) => {
                Ok(Shape::Members(map))
            }
            _ => gather.part(schema).map(Shape::Whole),
        }
    }
}

fn is_file(schema: &At<'_>) -> bool {
    let text = |key: &str| schema.text(key).unwrap_or_default();
    let bytes = text("format") == "binary" || text("type") == "file";
    bytes || !text("contentMediaType").is_empty() && text("contentEncoding").is_empty()
}

/// Whether no member has a name that is taken.
fn can_be_merged(map: &Map, taken: &HashSet<String>) -> bool {
    let required = map.array("required").unwrap_or_default();
    let names = map.map("properties").into_iter().flat_map(Map::keys);
    let mut names = names.chain(required.iter().filter_map(Tree::as_str));
    !names.any(|name| taken.contains(name))
}

/// Whether a schema describes an object and constrains nothing but its members.
fn is_plain(map: &Map) -> bool {
    let known = |keyword: &str| {
        matches!(
            keyword,
            "type" | "properties" | "required" | "additionalProperties" | "$defs"
        ) || super::super::super::references::is_annotation(keyword)
            || keyword.starts_with("x-")
    };
    let object = map
        .text("type")
        .map_or(map.has("properties"), |name| name == "object");
    // An object with arbitrary keys is a map, and so one argument.
    let is_map = map
        .get("additionalProperties")
        .is_some_and(|more| *more != Tree::Bool(false));
    let bare = map.map("properties").is_none_or(Map::is_empty);
    let required = map
        .get("required")
        .is_none_or(|names| names.as_array().is_some());
    object && !is_map && !bare && required && map.keys().all(known)
}
