//! What is sent with requests, checked against the schemas of its types.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use http::request::Parts;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use toolpact::core::json::Value;
use toolpact::core::returns::{Enforcer, ErrorKind, Level, Returns};
use toolpact::core::schema::JsonSchema as CheckedSchema;

use super::App;
use super::reply::Failure;
use super::schema::{Direction, schema};

/// The JSON of a request. An empty body is an empty object.
pub(super) struct Args(pub(super) Value);

/// A body of this type, and the JSON that it was made of.
pub(super) struct Checked<T> {
    pub(super) body: T,
    pub(super) json: Value,
}

/// A body that its handler reads and checks itself: `T` says how it is written.
pub(super) struct Written<T> {
    pub(super) json: Value,
    form: PhantomData<T>,
}

/// The query of a request.
pub(super) struct Params<T>(pub(super) T);

/// The variable part of a path.
pub(super) struct Segment(pub(super) String);

/// A type of bodies, with what checks them: see [`request_body`].
pub(super) trait RequestBody: DeserializeOwned + JsonSchema {
    fn checker() -> &'static Result<Enforcer, String>;
}

/// Makes a type one of bodies.
macro_rules! request_body {
    ($type:ty) => {
        impl $crate::rest::body::RequestBody for $type {
            fn checker() -> &'static Result<::toolpact::core::returns::Enforcer, String> {
                use std::sync::LazyLock;
                static CHECKER: LazyLock<Result<::toolpact::core::returns::Enforcer, String>> =
                    LazyLock::new($crate::rest::body::new_checker::<$type>);
                &CHECKER
            }
        }
    };
}
pub(super) use request_body;

pub(super) fn new_checker<T: JsonSchema>() -> Result<Enforcer, String> {
    let schema = Value::try_from(&schema::<T>(Direction::Request));
    let schema = schema.map_err(|wrong| wrong.to_string())?;
    let schema = CheckedSchema::from_value(&schema).map_err(|wrong| wrong.to_string())?;
    Ok(Returns::Custom(schema).enforcer(Level::Shape))
}

impl FromRequest<Arc<App>> for Args {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &Arc<App>) -> Result<Self, Failure> {
        // The layer has read it, within limits.
        let bytes = to_bytes(request.into_body(), usize::MAX).await;
        let bytes = bytes.map_err(|_| Failure::invalid("Expected a whole request."))?;
        let text = if bytes.is_empty() { b"{}" } else { &*bytes };
        let json = Value::from_json(text);
        json.map(Self)
            .map_err(|violations| Failure::of_violations(&violations))
    }
}

impl<T: RequestBody> FromRequest<Arc<App>> for Checked<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let Args(json) = Args::from_request(request, app).await?;
        let checker = T::checker().as_ref().map_err(|why| {
            tracing::error!(why, "bodies cannot be checked");
            Failure::new(ErrorKind::Internal, "The request could not be checked.")
        })?;
        let valid = checker.check(&json);
        valid.map_err(|violations| Failure::of_violations(&violations))?;
        // `1000.0` is an integer for JSON Schema, and none for serde.
        let body = json
            .deserialize()
            .or_else(|_| json.with_integers().deserialize());
        let body = body.map_err(|error| Failure::invalid(&format!("Expected {error}.")))?;
        Ok(Self { body, json })
    }
}

impl<T> FromRequest<Arc<App>> for Written<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let Args(json) = Args::from_request(request, app).await?;
        let form = PhantomData;
        Ok(Self { json, form })
    }
}

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        let query = query.map_err(|rejection| {
            let why = std::error::Error::source(&rejection).map(ToString::to_string);
            let why = why.unwrap_or_default();
            Failure::invalid(&format!(
                "Expected a query as `/v1/openapi.json` has it: {why}."
            ))
        })?;
        Ok(Self(query.0))
    }
}

impl FromRequestParts<Arc<App>> for Segment {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let segment = Path::<String>::from_request_parts(parts, app).await;
        let Path(segment) = segment.map_err(|_| {
            let path = parts.uri.path();
            Failure::invalid(&format!(
                "Expected a path in UTF-8, percent-encoded, found `{path}`."
            ))
        })?;
        Ok(Self(segment))
    }
}

/// Any JSON, exactly as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct AnyJson(Box<RawValue>);

/// Reads a member that is there: `null` is a value like others.
pub(super) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<AnyJson>, D::Error> {
    AnyJson::deserialize(deserializer).map(Some)
}

impl AnyJson {
    /// Fails for what is no JSON.
    pub(super) fn from_text(json: String) -> Option<Self> {
        RawValue::from_string(json).ok().map(Self)
    }

    pub(super) fn text(&self) -> &str {
        self.0.get()
    }
}

impl JsonSchema for AnyJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyJson".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}
