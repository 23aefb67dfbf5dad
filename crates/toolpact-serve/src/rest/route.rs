//! A route: its handler, and the operation of the OpenAPI document that the types of the handler make.

use std::sync::Arc;

use axum::extract::State;
use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde_json::{Map, Value as Json, json};

use super::App;
use super::body::{Args, Checked, Params, RequestBody, Segment, Written};
use super::reply::Failure;
use super::schema::{Direction, schema};

/// A method of HTTP at a path below `/v1`. There is no other way to add one, so that none is without its
/// operation.
pub(super) struct Route {
    pub(super) path: &'static str,
    pub(super) method: Method,
    pub(super) handler: MethodRouter<Arc<App>>,
    /// `None` for the route of all tools: their contracts describe it.
    operation: Option<Described>,
}

/// The methods that routes have.
#[derive(Clone, Copy)]
pub(super) enum Method {
    Get,
    Post,
    Delete,
}

impl Method {
    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        }
    }

    fn filter(self) -> MethodFilter {
        match self {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Delete => MethodFilter::DELETE,
        }
    }
}

struct Described {
    id: &'static str,
    about: &'static str,
    describe: fn(&mut Operation),
}

/// What the types of a handler say.
#[derive(Default)]
pub(super) struct Operation {
    parameters: Vec<Json>,
    body: Option<Json>,
    status: StatusCode,
    content: Option<(&'static str, Json)>,
}

/// A handler whose inputs and output can be described.
pub(super) trait Describe<T> {
    fn describe(operation: &mut Operation);
}

/// What a handler takes.
pub(super) trait Input {
    fn describe(_: &mut Operation) {}
}

/// What a handler answers with.
pub(super) trait Output {
    fn describe(operation: &mut Operation);
}

impl Route {
    pub(super) fn new<H, T>(
        method: Method,
        path: &'static str,
        id: &'static str,
        about: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<App>> + Describe<T>,
        T: 'static,
    {
        let operation = Described {
            id,
            about,
            describe: H::describe,
        };
        Self {
            path,
            method,
            handler: on(method.filter(), handler),
            operation: Some(operation),
        }
    }

    /// The route whose operations are the tools.
    pub(super) fn of_tools<H, T>(path: &'static str, handler: H) -> Self
    where
        H: Handler<T, Arc<App>>,
        T: 'static,
    {
        Self {
            path,
            method: Method::Post,
            handler: on(MethodFilter::POST, handler),
            operation: None,
        }
    }

    /// Its operation, as OpenAPI has it.
    pub(super) fn to_openapi(&self) -> Option<Json> {
        let described = self.operation.as_ref()?;
        let mut operation = Operation::default();
        operation.parameters.extend(path_parameters(self.path));
        (described.describe)(&mut operation);
        let mut json = json!({
            "operationId": described.id,
            "description": described.about,
            "responses": operation.responses(),
        });
        if !operation.parameters.is_empty() {
            json["parameters"] = operation.parameters.into();
        }
        if let Some(schema) = operation.body {
            json["requestBody"] = json!({
                "required": true,
                "content": {"application/json": {"schema": schema}},
            });
        }
        Some(json)
    }
}

impl Operation {
    /// The answer of a success.
    pub(super) fn answers(&mut self, status: StatusCode, content: Option<(&'static str, Json)>) {
        self.status = status;
        self.content = content;
    }

    fn responses(&self) -> Json {
        let mut success = json!({"description": "The answer."});
        if let Some((content_type, schema)) = &self.content {
            success["content"] = json!({*content_type: {"schema": schema}});
        }
        let error = json!({"$ref": "#/components/schemas/Error"});
        json!({
            self.status.as_str(): success,
            "default": {
                "description": "Why it failed.",
                "content": {"application/json": {"schema": error}},
            },
        })
    }
}

/// The parameters in braces, which are strings.
fn path_parameters(path: &str) -> impl Iterator<Item = Json> {
    let parts = path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        Some(parameter(name, "path", true, &json!({"type": "string"})))
    });
    parts.collect::<Vec<Json>>().into_iter()
}

fn parameter(name: &str, place: &str, required: bool, schema: &Json) -> Json {
    json!({"name": name, "in": place, "required": required, "schema": schema})
}

impl Input for State<Arc<App>> {}

impl Input for HeaderMap {}

/// The path itself names them.
impl Input for Segment {}

impl Input for Args {}

impl<T: JsonSchema> Input for Params<T> {
    fn describe(operation: &mut Operation) {
        let schema = schema::<T>(Direction::Request);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let parameters = properties.map(|(name, schema)| {
            let is_required = required.iter().any(|other| other == name);
            parameter(name, "query", is_required, schema)
        });
        operation.parameters.extend(parameters);
    }
}

impl<T: RequestBody> Input for Checked<T> {
    fn describe(operation: &mut Operation) {
        operation.body = Some(schema::<T>(Direction::Request));
    }
}

impl<T: JsonSchema> Input for Written<T> {
    fn describe(operation: &mut Operation) {
        operation.body = Some(schema::<T>(Direction::Request));
    }
}

impl<T: Output> Output for Result<T, Failure> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

macro_rules! describe_handlers {
    ($(($($input:ident)*))*) => {$(
        impl<H, F, O, M, $($input),*> Describe<(M, $($input,)*)> for H
        where
            H: FnOnce($($input),*) -> F,
            F: Future<Output = O>,
            O: Output,
            $($input: Input,)*
        {
            fn describe(operation: &mut Operation) {
                $($input::describe(operation);)*
                O::describe(operation);
            }
        }
    )*};
}

describe_handlers!((A)(A B)(A B C)(A B C D));

/// The paths of the document, without those of tools.
pub(super) fn paths(routes: &[Route]) -> Map<String, Json> {
    let mut paths = Map::new();
    for route in routes {
        let Some(operation) = route.to_openapi() else {
            continue;
        };
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[route.method.name().to_ascii_lowercase()] = operation;
    }
    paths
}
