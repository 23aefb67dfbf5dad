//! All arguments of an operation, as one object.

use std::collections::HashSet;

use crate::schema::JsonSchema;
use crate::{Pointer, Violations};

use super::super::super::loss::{Effect, Loss, LossKind};
use super::super::super::tree::{Map, Tree};
use super::super::{Placement, RequestPart};
use super::body::{Body, Shape};
use super::gather::Gather;
use super::parameters::{Parameter, parameters, variables};
use super::source::{At, Source};
use super::words::Side;

pub(super) struct Arguments {
    pub(super) schema: Tree,
    /// The schema, if its definitions are shared.
    pub(super) shared: Option<JsonSchema>,
    pub(super) placements: Vec<Placement>,
    /// The content type of the body.
    pub(super) body: Option<String>,
    /// The members of a form that are written as `name[key]`, and those that are files.
    pub(super) deep: Vec<Box<str>>,
    pub(super) files: Vec<Box<str>>,
}

pub(super) fn arguments<'a>(
    source: &Source<'a>,
    path: (&str, &At<'a>),
    operation: &At<'a>,
    losses: &mut Vec<Loss>,
) -> Result<Arguments, Violations> {
    let mut taking = Taking {
        gather: Gather::new(source, Side::Request),
        place: operation.place.clone(),
        names: HashSet::new(),
        properties: Map::at(&operation.place),
        required: Vec::new(),
        placements: Vec::new(),
    };
    let (template, path) = path;
    let all = parameters(source, path, operation)?;
    let variables: HashSet<&str> = variables(template).collect();
    for parameter in &all {
        taking.parameter(parameter, &variables, losses)?;
    }
    taking.undeclared(template, &all, losses);
    let body = Body::of(source, operation)?;
    let mut root = Map::at(&operation.place);
    root.set("type", Tree::string("object"));
    let open = match &body {
        Some(body) => taking.body(body, &mut root, losses)?,
        None => false,
    };
    let Taking {
        mut gather,
        properties,
        required,
        placements,
        ..
    } = taking;
    root.set("properties", Tree::Object(properties));
    if !required.is_empty() {
        root.set(
            "required",
            Tree::strings(required.iter().map(String::as_str)),
        );
    }
    if !open {
        root.set("additionalProperties", Tree::Bool(false));
    }
    let mut schema = Tree::Object(root);
    let shared = gather.define(&mut schema)?;
    super::note_words(&gather.left_out, "parameters", losses);
    Ok(Arguments {
        schema,
        shared,
        placements,
        deep: body.as_ref().map(Body::deep).unwrap_or_default(),
        files: body
            .as_ref()
            .map(|body| body.files(source))
            .unwrap_or_default(),
        body: body.map(|body| body.content_type),
    })
}

struct Taking<'s, 'a> {
    gather: Gather<'s, 'a>,
    place: Pointer,
    names: HashSet<String>,
    properties: Map,
    required: Vec<String>,
    placements: Vec<Placement>,
}

impl<'a> Taking<'_, 'a> {
    fn parameter(
        &mut self,
        parameter: &Parameter<'a>,
        variables: &HashSet<&str>,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Violations> {
        let Parameter { name, part, .. } = parameter;
        let why = match () {
            () if parameter.is_for_others() => "which OpenAPI ignores",
            () if parameter.is_nowhere(variables) => "which the path has no place for",
            () => {
                let schema = parameter.schema(&mut self.gather)?;
                let argument = self.name(name, *part);
                self.placements.push(parameter.placement(&argument));
                self.take(argument, schema, parameter.is_required());
                return Ok(());
            }
        };
        let lost = format!(
            "the {} parameter `{}`, {why}",
            part.as_str(),
            crate::text::shorten(name)
        );
        losses.push(note(LossKind::Annotation, lost, "it was left out"));
        Ok(())
    }

    /// Adds the path variables that are not declared as parameters.
    fn undeclared(&mut self, path: &str, all: &[Parameter<'a>], losses: &mut Vec<Loss>) {
        let said = all
            .iter()
            .filter(|parameter| parameter.part == RequestPart::Path);
        let mut said: HashSet<&str> = said.map(|parameter| parameter.name.as_str()).collect();
        for name in variables(path).filter(|name| said.insert(name)) {
            let argument = self.name(name, RequestPart::Path);
            let mut schema = Map::at(&self.place);
            schema.set("type", Tree::string("string"));
            self.placements.push(Placement {
                argument: argument.as_str().into(),
                part: RequestPart::Path,
                name: name.into(),
                style: RequestPart::Path.default_style().into(),
                explode: false,
                content: None,
            });
            self.take(argument, Tree::Object(schema), true);
            let lost = format!("what `{}` in the path is", crate::text::shorten(name));
            losses.push(note(LossKind::Annotation, lost, "it is a text"));
        }
    }

    /// Adds the body. Returns whether it takes additional arguments.
    fn body(
        &mut self,
        body: &Body<'a>,
        root: &mut Map,
        losses: &mut Vec<Loss>,
    ) -> Result<bool, Violations> {
        if !body.others.is_empty() {
            let others = crate::text::list(body.others.iter().map(String::as_str));
            let lost = format!("that the body may be {others}");
            let instead = format!("it is `{}`", body.content_type);
            losses.push(note(LossKind::Annotation, lost, &instead));
        }
        match body.shape(&self.names, &mut self.gather)? {
            Shape::Members(map) => {
                let own = map.text("description").map(str::to_owned);
                if let Some(description) = body.description().or(own) {
                    root.set("description", Tree::string(description));
                }
                for (name, schema) in map.map("properties").into_iter().flat_map(Map::iter) {
                    self.take(name.to_owned(), schema.clone(), false);
                }
                let required = map.array("required").unwrap_or_default();
                if !required.is_empty() && !body.is_required() {
                    losses.push(Loss {
                        effect: Effect::Narrower,
                        ..note(
                            LossKind::Constraint,
                            "that the body may be left out".to_owned(),
                            "it is always sent, with its required members",
                        )
                    });
                }
                let required = required.iter().filter_map(Tree::as_str);
                self.required.extend(required.map(str::to_owned));
                Ok(!map.has("additionalProperties"))
            }
            Shape::Whole(mut schema) => {
                if let (Tree::Object(map), Some(text)) = (&mut schema, body.description())
                    && !map.has("description")
                {
                    map.set("description", Tree::string(text));
                }
                let argument = self.name("body", RequestPart::Body);
                self.placements.push(Placement {
                    argument: argument.as_str().into(),
                    part: RequestPart::Body,
                    name: "".into(),
                    style: "".into(),
                    explode: false,
                    content: Some(body.content_type.as_str().into()),
                });
                self.take(argument, schema, body.is_required());
                Ok(false)
            }
        }
    }

    fn take(&mut self, argument: String, schema: Tree, required: bool) {
        self.properties.set(&argument, schema);
        if required {
            self.required.push(argument.clone());
        }
        self.names.insert(argument);
    }

    /// A name that is not taken by another argument.
    fn name(&self, name: &str, part: RequestPart) -> String {
        let free = |name: &String| !self.names.contains(name);
        let second = match part {
            RequestPart::Body => "request_body".to_owned(),
            _ => format!("{}_{name}", part.as_str()),
        };
        let more = (2..).map(|number| format!("{second}_{number}"));
        let mut names = [name.to_owned(), second.clone()].into_iter().chain(more);
        names.find(free).unwrap_or(second)
    }
}

fn note(kind: LossKind, lost: String, instead: &str) -> Loss {
    Loss {
        pointer: Pointer::root().key("parameters"),
        kind,
        effect: Effect::Documentation,
        lost,
        instead: instead.to_owned(),
    }
}
