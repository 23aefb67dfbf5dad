//! The parameters of an operation, as arguments.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::Violations;
use crate::json::Node;
use crate::text::shorten;
use crate::violation::rules::structure as rules;

use super::super::super::tree::{Map, Tree};
use super::super::{Placement, RequestPart};
use super::gather::Gather;
use super::source::{At, Source};

/// A parameter, dereferenced.
pub(super) struct Parameter<'a> {
    at: At<'a>,
    pub(super) name: String,
    pub(super) part: RequestPart,
}

/// The parameters of a path and of an operation, in order of name precedence. Those of the
/// operation override those of the path.
pub(super) fn parameters<'a>(
    source: &Source<'a>,
    path: &At<'a>,
    operation: &At<'a>,
) -> Result<Vec<Parameter<'a>>, Violations> {
    let mut all = IndexMap::new();
    let lists = [path, operation];
    let lists = lists.into_iter().filter_map(|at| at.get("parameters"));
    for at in lists.flat_map(|list| list.items().collect::<Vec<_>>()) {
        let new = parameter(source, at)?;
        all.insert((new.part, new.name.clone()), new);
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.sort_by_key(|parameter| parameter.part);
    Ok(all)
}

fn parameter<'a>(source: &Source<'a>, at: At<'a>) -> Result<Parameter<'a>, Violations> {
    let at = source.follow(at)?.object("a parameter")?;
    source.may_copy(&at)?;
    let name = at
        .text("name")
        .ok_or_else(|| at.missing("a parameter with a `name`"))?;
    let part = at
        .text("in")
        .ok_or_else(|| at.missing("a parameter with `in`"))?;
    let part = RequestPart::from_name(&part).ok_or_else(|| {
        let message = "expected `in` to be `path`, `query`, `header` or `cookie`, found";
        at.wrong(
            &rules::WRONG_TYPE,
            format!("{message} `{}`", shorten(&part)),
        )
    })?;
    Ok(Parameter { at, name, part })
}

impl<'a> Parameter<'a> {
    /// Whether it is a header that OpenAPI says to ignore, because it is set elsewhere.
    pub(super) fn is_for_others(&self) -> bool {
        let headers = ["accept", "content-type", "authorization"];
        self.part == RequestPart::Header
            && headers.contains(&self.name.to_ascii_lowercase().as_str())
    }

    /// Whether it is a path parameter that the path does not contain.
    pub(super) fn is_nowhere(&self, variables: &HashSet<&str>) -> bool {
        self.part == RequestPart::Path && !variables.contains(self.name.as_str())
    }

    pub(super) fn is_required(&self) -> bool {
        self.part == RequestPart::Path || self.at.flag("required")
    }

    /// Its schema, with the description and examples of the parameter.
    pub(super) fn schema(&self, gather: &mut Gather<'_, 'a>) -> Result<Tree, Violations> {
        let content = self.content().and_then(|(_, media)| media.get("schema"));
        let schema = self.at.get("schema").or(content);
        let schema = match schema {
            Some(schema) => gather.part(&schema)?,
            None if self.content().is_some() => Tree::Object(Map::at(&self.at.place)),
            None => return Err(self.at.missing("a parameter with a `schema` or `content`")),
        };
        // `true` becomes an object, so that it can have a description.
        let mut map = match schema {
            Tree::Object(map) => map,
            Tree::Bool(true) => Map::at(&self.at.place),
            other => return Ok(other),
        };
        let description = self.at.text("description").filter(|d| !d.trim().is_empty());
        if let Some(description) = description.filter(|_| !map.has("description")) {
            map.set("description", Tree::string(description));
        }
        if let Some(examples) = self.examples().filter(|_| !map.has("examples")) {
            map.set("examples", examples);
        }
        if self.at.flag("deprecated") {
            map.set("deprecated", Tree::Bool(true));
        }
        Ok(Tree::Object(map))
    }

    pub(super) fn placement(&self, argument: &str) -> Placement {
        let content = self.content().map(|(name, _)| name.into());
        let style = match &content {
            Some(_) => String::new(),
            None => self
                .at
                .text("style")
                .unwrap_or_else(|| self.part.default_style().to_owned()),
        };
        let explode = self.at.node.get("explode").and_then(Node::as_bool);
        Placement {
            argument: argument.into(),
            part: self.part,
            name: self.name.as_str().into(),
            explode: explode.unwrap_or(style == "form"),
            style: style.into(),
            content,
        }
    }

    /// The content type of its value, and the media type object.
    fn content(&self) -> Option<(String, At<'a>)> {
        self.at.get("content")?.members().next()
    }

    fn examples(&self) -> Option<Tree> {
        let one = self.at.get("example").into_iter();
        let several = self.at.get("examples").into_iter();
        let several = several.flat_map(|all| all.members().collect::<Vec<_>>());
        let several = several.filter_map(|(_, example)| example.get("value"));
        let values = one.chain(several).map(|at| Tree::of(at.node, &at.place));
        let values: Vec<Tree> = values.collect();
        (!values.is_empty()).then_some(Tree::Array(values))
    }
}

/// The variables in braces in a path.
pub(super) fn variables(path: &str) -> impl Iterator<Item = &str> {
    path.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty())
}
