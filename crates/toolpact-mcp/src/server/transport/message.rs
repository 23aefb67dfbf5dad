//! Messages of JSON-RPC, held to what all of them have in common before the library reads them.
//!
//! The library takes the last of two keys of the same name and reads what it does not understand as
//! something else. Here, the first is refused, as everywhere in toolpact, and the second is named.

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, GetExtensions as _, RequestId};
use toolpact::core::json::{Kind, Node, Value};

use super::Refused;
use crate::server::Sent;

/// Reads a message. The arguments of a call are put beside it.
pub(crate) fn read(json: &[u8]) -> Result<ClientJsonRpcMessage, Refused> {
    let (said, message) = look(json)?;
    let taken = match said {
        Said::Call => Sent::take(message.root(), json, |_| false),
        _ => None,
    };
    let Some((without, sent)) = taken else {
        return parse(json);
    };
    let mut message = parse(&without)?;
    if let ClientJsonRpcMessage::Request(request) = &mut message {
        request.request.extensions_mut().insert(sent);
    }
    Ok(message)
}

fn parse(json: &[u8]) -> Result<ClientJsonRpcMessage, Refused> {
    let what = "expected a message of MCP";
    serde_json::from_slice(json).map_err(|_| refuse(None, ErrorCode::INVALID_REQUEST, what))
}

/// What is said of a message, as far as transports need to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// A request that begins a session.
    Initialize,
    /// A request whose answer is all the news there will be.
    Listen,
    /// A call of a tool.
    Call,
    /// That a session has begun.
    Initialized,
    /// That an answer is not waited for any more.
    Cancelled,
    Other,
}

/// Looks at a message without reading all of it.
pub(crate) fn look(json: &[u8]) -> Result<(Said, Value), Refused> {
    let value = Value::from_json(json).map_err(|violations| {
        let first = violations.iter().next().map(ToString::to_string);
        let message = format!("expected a message in JSON: {}", first.unwrap_or_default());
        refuse(None, ErrorCode::PARSE_ERROR, message)
    })?;
    let said = shape(value.root())?;
    Ok((said, value))
}

fn shape(message: Node<'_>) -> Result<Said, Refused> {
    let invalid = |id, text: &str| Err(refuse(id, ErrorCode::INVALID_REQUEST, text.to_owned()));
    if message.kind() != Kind::Object {
        return invalid(
            None,
            "expected one message, which is an object; MCP has no batches since 2025-06-18",
        );
    }
    let id = match message.get("id") {
        None => None,
        Some(node) => match request_id(node) {
            Some(id) => Some(id),
            // An answer to a message that had none.
            None if node.kind() == Kind::Null && message.get("error").is_some() => None,
            None => return invalid(None, "expected `id` to be a text or an integer"),
        },
    };
    if message.get("jsonrpc").and_then(Node::as_str).as_deref() != Some("2.0") {
        return invalid(id, "expected `jsonrpc` to be \"2.0\"");
    }
    match message.get("method") {
        Some(method) => match method.as_str() {
            Some(method) => request(&method, id, message.get("params")),
            None => invalid(id, "expected `method` to be a text"),
        },
        None if message.get("result").is_none() && message.get("error").is_none() => {
            invalid(id, "expected `method`, or `result` or `error` of an answer")
        }
        None => Ok(Said::Other),
    }
}

fn request(method: &str, id: Option<RequestId>, params: Option<Node<'_>>) -> Result<Said, Refused> {
    let wrong = |text: &str| Err(refuse(id, ErrorCode::INVALID_PARAMS, text.to_owned()));
    if params.is_some_and(|params| params.kind() != Kind::Object) {
        return wrong("expected `params` to be an object");
    }
    // The library would pass over one that it cannot read, and begin anew.
    let cursor = params.and_then(|params| params.get("cursor"));
    if method == "tools/list" && cursor.is_some_and(|cursor| cursor.kind() != Kind::String) {
        return wrong("expected `cursor` to be the text `nextCursor` of a page");
    }
    Ok(match method {
        "initialize" => Said::Initialize,
        "subscriptions/listen" => Said::Listen,
        "tools/call" => Said::Call,
        "notifications/initialized" => Said::Initialized,
        "notifications/cancelled" => Said::Cancelled,
        _ => Said::Other,
    })
}

/// The identifier of a request, if it is one.
pub(crate) fn request_id(node: Node<'_>) -> Option<RequestId> {
    match node.kind() {
        Kind::String => Some(RequestId::String(node.as_str()?.as_ref().into())),
        Kind::Number => Some(RequestId::Number(node.text().parse().ok()?)),
        _ => None,
    }
}

fn refuse(id: Option<RequestId>, code: ErrorCode, message: impl Into<String>) -> Refused {
    (id, ErrorData::new(code, message.into(), None))
}

#[cfg(test)]
mod tests {
    use super::{Refused, Said, look};
    use rmcp::model::ErrorCode;

    fn check(json: &[u8]) -> Result<Said, Refused> {
        look(json).map(|(said, _)| said)
    }

    #[test]
    fn messages_pass() {
        for (message, said) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
                Said::Initialize,
            ),
            (r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, Said::Other),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                Said::Initialized,
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Said::Other),
            (
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
                Said::Other,
            ),
        ] {
            assert_eq!(check(message.as_bytes()).unwrap(), said, "{message}");
        }
    }

    #[test]
    fn others_are_refused_by_name() {
        let cases = [
            (r"{", ErrorCode::PARSE_ERROR, "expected a message in JSON"),
            (
                r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#,
                ErrorCode::PARSE_ERROR,
                "id",
            ),
            ("[]", ErrorCode::INVALID_REQUEST, "no batches"),
            ("5", ErrorCode::INVALID_REQUEST, "an object"),
            (
                r#"{"id":1,"method":"x"}"#,
                ErrorCode::INVALID_REQUEST,
                "`jsonrpc`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
                ErrorCode::INVALID_REQUEST,
                "`id`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#,
                ErrorCode::INVALID_REQUEST,
                "`id`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
                ErrorCode::INVALID_REQUEST,
                "`method`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1}"#,
                ErrorCode::INVALID_REQUEST,
                "`method`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#,
                ErrorCode::INVALID_PARAMS,
                "`params`",
            ),
        ];
        for (message, code, part) in cases {
            let (_, error) = check(message.as_bytes()).unwrap_err();
            assert_eq!(error.code, code, "{message}");
            assert!(error.message.contains(part), "{message}: {}", error.message);
        }
        let deep = "[".repeat(100_000);
        assert_eq!(
            check(deep.as_bytes()).unwrap_err().1.code,
            ErrorCode::PARSE_ERROR
        );
    }
}
