//! What the headers of a request have to say, and that they agree with the message.

use std::borrow::Cow;
use std::fmt::Display;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::header::AsHeaderName;
use http::request::Parts;
use http::{HeaderMap, HeaderName, StatusCode, header};
use memchr::memmem;
use toolpact_http::principal_of;

use super::Refusal;
use crate::View;
use crate::rpc::{Id, Kind, Message, Method, RpcError};
use crate::server::{Described, Shared};
use crate::version::Version;

/// The name of a session.
pub(super) static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// What of a result the client wants.
pub(super) static VIEW: HeaderName = HeaderName::from_static(View::HEADER);
static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// How a header has a value that it cannot have as it is.
const BASE64: (&str, &str) = ("=?base64?", "?=");

/// Whether a client that sends a message sends JSON, and takes both kinds of answers.
pub(super) fn check_post(headers: &HeaderMap) -> Result<(), Refusal> {
    let accept = text(headers, header::ACCEPT).unwrap_or_default();
    if !names(accept, "application/json") || !names(accept, "text/event-stream") {
        let message = "expected `Accept` to name application/json and text/event-stream";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, message));
    }
    let kind = text(headers, header::CONTENT_TYPE);
    match kind.is_some_and(|kind| kind.starts_with("application/json")) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "expected `Content-Type` to be application/json",
        )),
    }
}

/// Whether a client that asks for a stream takes one.
pub(super) fn check_get(headers: &HeaderMap) -> Result<(), Refusal> {
    let accept = text(headers, header::ACCEPT);
    match accept.is_some_and(|accept| names(accept, "text/event-stream")) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            "expected `Accept` to name text/event-stream",
        )),
    }
}

/// Whether a list of kinds of content names this one.
fn names(accept: &str, kind: &str) -> bool {
    memmem::find(accept.as_bytes(), kind.as_bytes()).is_some()
}

/// The version that the headers name. One that is not known is refused, unless the message has it too.
pub(super) fn version<'h>(
    headers: &'h HeaderMap,
    described: Option<&Described<'_>>,
) -> Result<Option<&'h str>, Refusal> {
    let Some(value) = headers.get(&VERSION) else {
        return Ok(None);
    };
    let version = value.to_str().unwrap_or_default();
    match Version::is_known(version) || described.is_some_and(|it| it.version.is_some()) {
        true => Ok(Some(version)),
        false => Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            format!("expected `MCP-Protocol-Version` to be a version of MCP, found `{version}`"),
        )),
    }
}

/// Whether this version has no sessions.
pub(super) fn is_sessionless(version: &str) -> bool {
    version > Version::V2025_11_25.name()
}

/// Whether the version in the headers is that of the message.
pub(super) fn check_version(
    version: Option<&str>,
    id: &Id,
    method: &Method,
    message: &Message,
    described: &Described<'_>,
) -> Result<(), Refusal> {
    let refused = |error| Err(Refusal::of_message((Some(id.clone()), error)));
    if *method == Method::Initialize {
        let requested = message.text_param("protocolVersion");
        return match (version, requested) {
            (Some(version), Some(requested)) if version != requested => {
                refused(RpcError::invalid_request(format!(
                    "expected `MCP-Protocol-Version` and `protocolVersion` to agree, found \
                     `{version}` and `{requested}`"
                )))
            }
            _ => Ok(()),
        };
    }
    match (version, described.version.as_deref()) {
        (Some(version), Some(described)) if version == described => Ok(()),
        (version, Some(described)) => {
            let version = version.unwrap_or_default();
            refused(RpcError::header_mismatch(format!(
                "expected `MCP-Protocol-Version` to be `{described}`, as in `_meta`, found `{version}`"
            )))
        }
        (Some(version), None) if is_sessionless(version) => refused(undescribed()),
        (_, None) if *method == Method::Discover => refused(undescribed()),
        (_, None) => Ok(()),
    }
}

fn undescribed() -> RpcError {
    RpcError::invalid_params(
        "expected `_meta` with the text `io.modelcontextprotocol/protocolVersion` and the object \
         `io.modelcontextprotocol/clientCapabilities`",
    )
}

/// Since 2026-07-28, headers repeat the method and the name, so that proxies can route a message
/// without reading it. They have to agree.
pub(super) fn check_routing(
    parts: &Parts,
    version: Option<&str>,
    message: &Message,
    shared: &Shared,
) -> Result<(), Refusal> {
    if !version.is_some_and(is_sessionless) {
        return Ok(());
    }
    let (id, method) = match &message.kind {
        Kind::Request { id, method } => (Some(id), method),
        Kind::Notification(method) => (None, method),
        Kind::Response(_) => return Ok(()),
    };
    let agreed = match method {
        // The version is not negotiated yet, but what is there has to be right.
        Method::Initialize if !parts.headers.contains_key(&METHOD) => Ok(()),
        Method::Initialize => agrees(&parts.headers, &METHOD, Some(method.name())),
        _ => check_names(parts, method, message, shared),
    };
    agreed.map_err(|message| Refusal::of_message((id.cloned(), RpcError::header_mismatch(message))))
}

fn check_names(
    parts: &Parts,
    method: &Method,
    message: &Message,
    shared: &Shared,
) -> Result<(), String> {
    let headers = &parts.headers;
    agrees(headers, &METHOD, Some(method.name()))?;
    let key = match method.name() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        _ => return Ok(()),
    };
    let Some(name) = message.text_param(key) else {
        return Ok(());
    };
    agrees(headers, &NAME, Some(&name))?;
    if *method != Method::CallTool {
        return Ok(());
    }
    let Ok(catalog) = shared.catalog(&principal_of(&parts.extensions)) else {
        return Ok(());
    };
    let Some(tool) = catalog.listing(Version::LATEST).get(&name) else {
        return Ok(());
    };
    let arguments = message.param("arguments");
    let mut params = tool.header_params.iter();
    params.try_for_each(|param| {
        agrees(
            headers,
            &*param.header,
            param.expected(arguments).as_deref(),
        )
    })
}

/// Whether a header is there once with this value, or not at all if there is none.
fn agrees(
    headers: &HeaderMap,
    name: impl AsHeaderName + Display + Copy,
    expected: Option<&str>,
) -> Result<(), String> {
    let mut values = headers.get_all(name).iter();
    let found = match (values.next(), values.next()) {
        (None, _) => None,
        (Some(value), None) => Some(decoded(value.to_str().unwrap_or_default())),
        (Some(_), Some(_)) => return Err(format!("expected `{name}` once, found it twice")),
    };
    match (expected, found) {
        (None, None) => Ok(()),
        (Some(expected), Some(Some(found))) if *expected == *found => Ok(()),
        (Some(expected), _) => Err(format!(
            "expected `{name}` to be `{expected}`, as in the message"
        )),
        (None, Some(_)) => Err(format!(
            "expected no `{name}`, because the message has no such value"
        )),
    }
}

fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let (start, end) = BASE64;
    let inner = value.strip_prefix(start).and_then(|v| v.strip_suffix(end));
    let Some(inner) = inner else {
        return Some(value.into());
    };
    let bytes = BASE64_STANDARD.decode(inner).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// The value of a header.
pub(super) fn text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
