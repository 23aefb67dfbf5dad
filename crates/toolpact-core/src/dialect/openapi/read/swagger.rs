//! Swagger 2.0 as OpenAPI 3.0: the same operations, with bodies, forms and contents where 3.0 has them. Definitions
//! stay where they are, so that places in them are the same.

use std::collections::HashSet;

use crate::Pointer;
use crate::json::{Node, Value};

use super::super::super::tree::{Map, Tree};
use super::super::unescape;
use super::METHODS;

/// The document in OpenAPI 3.0, if it is Swagger 2.0.
pub(in crate::dialect) fn upgraded(root: Node<'_>) -> Option<Value> {
    let version = root
        .get("swagger")
        .filter(|_| root.get("openapi").is_none())?;
    let text = version.as_str().unwrap_or(version.text().into());
    if text != "2" && !text.starts_with("2.") {
        return None;
    }
    // Conversion is recursive; what is deeper is refused when it is read.
    let shallow = crate::schema::depth(root) <= super::super::super::import::DEEPEST;
    let swagger = Swagger { root };
    let mut document = Map::default();
    document.set("openapi", Tree::string("3.0.3"));
    document.set(
        "servers",
        Tree::Array(swagger.server().into_iter().collect()),
    );
    for (key, value) in root.members() {
        let value = match &*key {
            "swagger" | "host" | "basePath" | "schemes" | "consumes" | "produces"
            | "jsonSchemaDialect" => continue,
            _ if !shallow => continue,
            "paths" => swagger.paths(value),
            _ => tree(value),
        };
        document.set(&key, value);
    }
    Some(Tree::Object(document).to_value())
}

struct Swagger<'a> {
    root: Node<'a>,
}

impl<'a> Swagger<'a> {
    fn server(&self) -> Option<Tree> {
        let text = |key: &str| self.root.get(key)?.as_str().map(String::from);
        let base = text("basePath").unwrap_or_else(|| "/".to_owned());
        let schemes = self.root.get("schemes").into_iter().flat_map(Node::items);
        let schemes: Vec<String> = schemes.filter_map(Node::as_str).map(Into::into).collect();
        let scheme = match schemes.iter().any(|scheme| scheme == "https") {
            true => Some("https"),
            false => schemes.first().map(String::as_str),
        };
        let url = match text("host") {
            Some(host) => format!("{}://{host}{base}", scheme.unwrap_or("https")),
            None if base == "/" => return None,
            None => base,
        };
        let mut server = Map::default();
        server.set("url", Tree::string(url));
        Some(Tree::Object(server))
    }

    fn paths(&self, paths: Node<'a>) -> Tree {
        let mut out = Map::default();
        for (path, item) in paths.members() {
            out.set(&path, self.item(self.followed(item)));
        }
        Tree::Object(out)
    }

    fn item(&self, item: Node<'a>) -> Tree {
        let shared: Vec<Node<'a>> = items(item, "parameters");
        let mut out = Map::default();
        for (key, value) in item.members() {
            match &*key {
                "parameters" => {}
                method if METHODS.contains(&method) => {
                    out.set(method, self.operation(value, &shared));
                }
                _ => drop(out.set(&key, tree(value))),
            }
        }
        Tree::Object(out)
    }

    fn operation(&self, operation: Node<'a>, shared: &[Node<'a>]) -> Tree {
        let mut out = Map::default();
        for (key, value) in operation.members() {
            match &*key {
                "parameters" | "consumes" | "produces" | "schemes" => {}
                "responses" => drop(out.set("responses", self.responses(operation, value))),
                _ => drop(out.set(&key, tree(value))),
            }
        }
        let (mut plain, mut body, mut form) = (Vec::new(), None, Vec::new());
        for parameter in self.parameters(operation, shared) {
            match parameter.get("in").and_then(Node::as_str).as_deref() {
                Some("body") => body = Some(parameter),
                Some("formData") => form.push(parameter),
                _ => plain.push(plain_parameter(parameter)),
            }
        }
        out.set("parameters", Tree::Array(plain));
        if let Some(body) = body {
            let kinds = self.kinds(operation, "consumes");
            out.set("requestBody", whole(body, &kinds));
        } else if !form.is_empty() {
            let kinds = self.kinds(operation, "consumes");
            out.set("requestBody", of_form(&form, &kinds));
        }
        Tree::Object(out)
    }

    /// The parameters of an operation, followed; its own come in place of those of its path.
    fn parameters(&self, operation: Node<'a>, shared: &[Node<'a>]) -> Vec<Node<'a>> {
        let key = |node: &Node<'a>| {
            let text = |key: &str| node.get(key).and_then(Node::as_str).map(String::from);
            (text("in"), text("name"))
        };
        let own = items(operation, "parameters")
            .into_iter()
            .map(|one| self.followed(one));
        let own: Vec<Node<'a>> = own.collect();
        let taken: HashSet<_> = own.iter().map(key).collect();
        let shared = shared.iter().map(|one| self.followed(*one));
        let shared = shared.filter(|one| !taken.contains(&key(one)));
        shared.chain(own).collect()
    }

    fn responses(&self, operation: Node<'a>, responses: Node<'a>) -> Tree {
        let kinds = self.kinds(operation, "produces");
        let mut out = Map::default();
        for (status, response) in responses.members() {
            let response = self.followed(response);
            let mut new = Map::default();
            for (key, value) in response.members() {
                match &*key {
                    "schema" => drop(new.set("content", contents(&tree(value), &kinds))),
                    "examples" | "headers" => {}
                    _ => drop(new.set(&key, tree(value))),
                }
            }
            out.set(&status, Tree::Object(new));
        }
        Tree::Object(out)
    }

    /// The content types of an operation, or of all operations.
    fn kinds(&self, operation: Node<'a>, key: &str) -> Vec<String> {
        let own = operation.get(key).or_else(|| self.root.get(key));
        let kinds = own.into_iter().flat_map(Node::items);
        let kinds: Vec<String> = kinds.filter_map(Node::as_str).map(Into::into).collect();
        match kinds.is_empty() {
            true => vec!["application/json".to_owned()],
            false => kinds,
        }
    }

    /// What a reference leads to, or the node itself.
    fn followed(&self, node: Node<'a>) -> Node<'a> {
        let mut node = node;
        for _ in 0..32 {
            let reference = node.get("$ref").and_then(Node::as_str);
            let pointer = reference
                .as_deref()
                .and_then(|text| text.strip_prefix("#/"));
            let target = pointer.and_then(|pointer| {
                let mut tokens = pointer.split('/');
                tokens.try_fold(self.root, |node, token| node.get(&unescape(token)))
            });
            match target {
                Some(target) => node = target,
                None => break,
            }
        }
        node
    }
}

/// A parameter that is no part of the body.
fn plain_parameter(parameter: Node<'_>) -> Tree {
    let mut out = Map::default();
    let mut schema = Map::default();
    for (key, value) in parameter.members() {
        match &*key {
            "name" | "in" | "required" | "description" | "deprecated" => {
                out.set(&key, tree(value));
            }
            "collectionFormat" | "allowEmptyValue" => {}
            _ => drop(schema.set(&key, tree(value))),
        }
    }
    if schema.text("type") == Some("array") {
        let format = parameter.get("collectionFormat").and_then(Node::as_str);
        let is_query = parameter.get("in").and_then(Node::as_str).as_deref() == Some("query");
        let (style, explode) = match format.as_deref().filter(|_| is_query) {
            Some("multi") => ("form", true),
            Some("ssv") => ("spaceDelimited", false),
            Some("pipes") => ("pipeDelimited", false),
            Some("tsv") => ("tabDelimited", false),
            _ if is_query => ("form", false),
            _ => ("simple", false),
        };
        out.set("style", Tree::string(style));
        out.set("explode", Tree::Bool(explode));
    }
    out.set("schema", Tree::Object(schema));
    Tree::Object(out)
}

/// The body that is one parameter.
fn whole(body: Node<'_>, kinds: &[String]) -> Tree {
    let mut out = Map::default();
    for key in ["description", "required"] {
        if let Some(value) = body.get(key) {
            out.set(key, tree(value));
        }
    }
    let schema = body
        .get("schema")
        .map_or_else(|| Tree::Object(Map::default()), tree);
    out.set("content", contents(&schema, kinds));
    Tree::Object(out)
}

/// The body that is a form.
fn of_form(form: &[Node<'_>], kinds: &[String]) -> Tree {
    let (mut properties, mut required) = (Map::default(), Vec::new());
    let mut has_files = false;
    for field in form {
        let Some(name) = field.get("name").and_then(Node::as_str) else {
            continue;
        };
        let mut schema = Map::default();
        for (key, value) in field.members() {
            if !matches!(
                &*key,
                "name" | "in" | "required" | "collectionFormat" | "allowEmptyValue"
            ) {
                schema.set(&key, tree(value));
            }
        }
        if schema.text("type") == Some("file") {
            has_files = true;
            schema.set("type", Tree::string("string"));
            schema.set("format", Tree::string("binary"));
        }
        if field.get("required").and_then(Node::as_bool) == Some(true) {
            required.push(name.clone().into_owned());
        }
        properties.set(&name, Tree::Object(schema));
    }
    let mut schema = Map::default();
    schema.set("type", Tree::string("object"));
    schema.set("properties", Tree::Object(properties));
    let is_required = !required.is_empty();
    if is_required {
        schema.set(
            "required",
            Tree::strings(required.iter().map(String::as_str)),
        );
    }
    let parts = "multipart/form-data";
    let kind = match has_files || kinds.first().is_some_and(|kind| kind == parts) {
        true => parts,
        false => "application/x-www-form-urlencoded",
    };
    let mut out = Map::default();
    out.set("required", Tree::Bool(is_required));
    out.set(
        "content",
        contents(&Tree::Object(schema), &[kind.to_owned()]),
    );
    Tree::Object(out)
}

fn contents(schema: &Tree, kinds: &[String]) -> Tree {
    let mut out = Map::default();
    for kind in kinds {
        let mut media = Map::default();
        media.set("schema", schema.clone());
        out.set(kind, Tree::Object(media));
    }
    Tree::Object(out)
}

fn items<'a>(node: Node<'a>, key: &str) -> Vec<Node<'a>> {
    node.get(key).into_iter().flat_map(Node::items).collect()
}

fn tree(node: Node<'_>) -> Tree {
    Tree::of(node, &Pointer::root())
}
