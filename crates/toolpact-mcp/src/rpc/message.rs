//! Messages of clients, read strictly: a key that is there twice is refused, as everywhere in toolpact.

use std::borrow::Cow;

use toolpact::core::json::{self, Node, Value};

use super::error::Refused;
use super::{ErrorCode, Id, RpcError};

/// A message that was read and classified.
pub(crate) struct Message {
    pub(crate) kind: Kind,
    value: Value,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request {
        id: Id,
        method: Method,
    },
    Notification(Method),
    /// The answer to a request of ours. One to a message that had no identifier has none.
    Response(Option<Id>),
}

/// The methods that this server knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    Initialize,
    Discover,
    Ping,
    ListTools,
    CallTool,
    SetLevel,
    Listen,
    Initialized,
    Cancelled,
    Other(Box<str>),
}

impl Method {
    fn of(name: &str) -> Self {
        match name {
            "tools/call" => Self::CallTool,
            "tools/list" => Self::ListTools,
            "initialize" => Self::Initialize,
            "server/discover" => Self::Discover,
            "ping" => Self::Ping,
            "logging/setLevel" => Self::SetLevel,
            "subscriptions/listen" => Self::Listen,
            "notifications/initialized" => Self::Initialized,
            "notifications/cancelled" => Self::Cancelled,
            other => Self::Other(other.into()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::CallTool => "tools/call",
            Self::ListTools => "tools/list",
            Self::Initialize => "initialize",
            Self::Discover => "server/discover",
            Self::Ping => "ping",
            Self::SetLevel => "logging/setLevel",
            Self::Listen => "subscriptions/listen",
            Self::Initialized => "notifications/initialized",
            Self::Cancelled => "notifications/cancelled",
            Self::Other(name) => name,
        }
    }
}

impl Message {
    pub(crate) fn read(json: &[u8]) -> Result<Self, Refused> {
        let value = Value::from_json(json).map_err(|violations| {
            let first = violations.iter().next().map(ToString::to_string);
            let message = format!("expected a message in JSON: {}", first.unwrap_or_default());
            (None, RpcError::new(ErrorCode::PARSE, message))
        })?;
        let kind = classify(value.root())?;
        Ok(Self { kind, value })
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.value.root()
    }

    /// How many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        self.value.memory()
    }

    /// The parameters, which are an object.
    pub(crate) fn params(&self) -> Option<Node<'_>> {
        self.root().get("params")
    }

    pub(crate) fn param(&self, key: &str) -> Option<Node<'_>> {
        self.params()?.get(key)
    }

    pub(crate) fn text_param(&self, key: &str) -> Option<Cow<'_, str>> {
        self.param(key)?.as_str()
    }
}

fn classify(message: Node<'_>) -> Result<Kind, Refused> {
    let invalid = |id, text: &str| Err((id, RpcError::invalid_request(text)));
    if message.kind() != json::Kind::Object {
        return invalid(
            None,
            "expected one message, which is an object; MCP has no batches since 2025-06-18",
        );
    }
    let id = match message.get("id") {
        None => None,
        Some(node) => match Id::read(node) {
            Some(id) => Some(id),
            // An answer to a message that had none.
            None if node.kind() == json::Kind::Null && message.get("error").is_some() => None,
            None => return invalid(None, "expected `id` to be a text or an integer"),
        },
    };
    if message.get("jsonrpc").and_then(Node::as_str).as_deref() != Some("2.0") {
        return invalid(id, "expected `jsonrpc` to be \"2.0\"");
    }
    let Some(method) = message.get("method") else {
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        return match is_answer {
            true => Ok(Kind::Response(id)),
            false => invalid(id, "expected `method`, or `result` or `error` of an answer"),
        };
    };
    let Some(method) = method.as_str() else {
        return invalid(id, "expected `method` to be a text");
    };
    let params = message.get("params");
    if params.is_some_and(|params| params.kind() != json::Kind::Object) {
        let error = RpcError::invalid_params("expected `params` to be an object");
        return Err((id, error));
    }
    let method = Method::of(&method);
    Ok(match id {
        Some(id) => Kind::Request { id, method },
        None => Kind::Notification(method),
    })
}
