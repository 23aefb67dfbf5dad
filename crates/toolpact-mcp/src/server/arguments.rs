//! Parameters of requests, and what is wrong with them.

use bytes::Bytes;
use http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonObject, ProtocolVersion};
use rmcp::service::RequestContext;
use toolpact::core::json::{Kind, Node, Value};

use super::shared::Shared;

/// The arguments of a call as they were sent. The library would read them into a tree, copy that, and
/// spell large numbers in its own way; so they go past it, and it reads a call that has none.
#[derive(Clone)]
pub(crate) struct Sent(Value);

impl Sent {
    /// Takes the arguments out of a call and puts them beside it. The message stays as it is if the
    /// library has to compare them with the headers, or has to say what is wrong with them.
    pub(crate) fn aside(shared: &Shared, message: &Value, body: Bytes, parts: &mut Parts) -> Bytes {
        let is_in_headers = |name: &str| shared.in_headers(name);
        match Self::take(message.root(), &body, is_in_headers) {
            Some((without, sent)) => {
                parts.extensions.insert(sent);
                without.into()
            }
            None => body,
        }
    }

    /// The message without the arguments, and these, unless they have to stay with the tool of this
    /// name, or are none.
    pub(super) fn take(
        message: Node<'_>,
        body: &[u8],
        stay: impl FnOnce(&str) -> bool,
    ) -> Option<(Vec<u8>, Self)> {
        let params = message.get("params")?;
        let name = params.get("name")?.as_str()?;
        let arguments = params.get("arguments")?;
        if arguments.kind() != Kind::Object || stay(&name) {
            return None;
        }
        let before = body.len() - body.trim_ascii_start().len();
        let (whole, part) = (message.text().as_ptr(), arguments.text().as_ptr());
        let start = before + part.addr().checked_sub(whole.addr())?;
        let end = start + arguments.text().len();
        if body.get(start..end)? != arguments.text().as_bytes() {
            return None;
        }
        let without = [&body[..start], b"{}", &body[end..]].concat();
        Some((without, Self(arguments.to_value())))
    }

    /// The arguments that were put beside this call.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<Value> {
        let parts = context.extensions.get::<Parts>();
        let over_http = parts.and_then(|parts| parts.extensions.get::<Self>());
        let sent = over_http.or_else(|| context.extensions.get::<Self>());
        sent.map(|sent| sent.0.clone())
    }
}

/// What the parameters of a method look like, for the methods that a version has.
pub(super) fn expected(method: &str, version: Option<&ProtocolVersion>) -> Option<&'static str> {
    let sessions = version.is_none_or(ProtocolVersion::has_initialize);
    Some(match method {
        "tools/call" if !sessions => {
            "an object with the text `name` and the object `arguments`, and with the object \
             `inputResponses` and the text `requestState` if it was asked something"
        }
        "tools/call" => "an object with the text `name` and the object `arguments`",
        "tools/list" => "an object with the text `cursor`, or nothing",
        "initialize" if sessions => {
            "an object with `protocolVersion`, `capabilities`, and `clientInfo` with `name` and \
             `version`"
        }
        "logging/setLevel" if sessions => {
            "an object whose `level` is `debug`, `info`, `notice`, `warning`, `error`, `critical`, \
             `alert` or `emergency`"
        }
        "subscriptions/listen" if !sessions => "an object with the object `notifications`",
        _ => return None,
    })
}

pub(super) fn malformed(method: &str, expected: &str) -> ErrorData {
    let message = format!("expected the `params` of `{method}` to be {expected}");
    ErrorData::invalid_params(message, None)
}

/// The arguments of a call as a value that can be checked.
pub(super) fn value(arguments: Option<JsonObject>) -> Result<Value, ErrorData> {
    let json = match arguments {
        Some(arguments) => serde_json::to_string(&arguments).map_err(|_| unreadable())?,
        None => "{}".to_owned(),
    };
    Value::from_json(json).map_err(|_| unreadable())
}

fn unreadable() -> ErrorData {
    ErrorData::invalid_params("expected `arguments` to be an object", None)
}

#[cfg(test)]
mod tests {
    use super::Sent;
    use crate::Server;
    use toolpact::core::contract::Contract;
    use toolpact::core::json::Value;
    use toolpact::{Context, Definition, Registry, ToolError};

    fn server() -> Server {
        let registry = Registry::new();
        for (name, more) in [("echo", ""), ("routed", r#", "x-mcp-header": "Region""#)] {
            let contract = format!(
                r#"{{"name": "{name}", "description": "Tries it.", "parameters": {{"type": "object", "properties": {{"region": {{"type": "string"{more}}}}}}}}}"#
            );
            let contract = Contract::from_json(contract).unwrap();
            let tool = Definition::new(contract, |args: Value, _: Context| async move {
                Ok::<_, ToolError>(args)
            });
            registry.add(tool).unwrap();
        }
        Server::new(registry).unwrap()
    }

    fn taken(body: &str) -> Option<(String, String)> {
        let message = Value::from_json(body).unwrap();
        let server = server();
        let stay = |name: &str| server.shared().in_headers(name);
        let (without, sent) = Sent::take(message.root(), body.as_bytes(), stay)?;
        let without = String::from_utf8(without).unwrap();
        Some((without, sent.0.text().to_owned()))
    }

    #[test]
    fn arguments_go_past_the_library_as_they_are() {
        let body = " \n{\"id\": 1, \"params\": {\"arguments\": {\"n\": 9223372036854775808, \"ä\": {}}, \"name\": \"echo\"}} ";
        let expected = " \n{\"id\": 1, \"params\": {\"arguments\": {}, \"name\": \"echo\"}} ";
        let (without, sent) = taken(body).unwrap();
        assert_eq!(without, expected);
        assert_eq!(sent, r#"{"n": 9223372036854775808, "ä": {}}"#);
        assert!(taken(r#"{"params": {"name": "unknown", "arguments": {}}}"#).is_some());
    }

    /// The library has something to say about these.
    #[test]
    fn others_stay() {
        for body in [
            r#"{"params": {"name": "routed", "arguments": {"region": "eu"}}}"#,
            r#"{"params": {"name": "echo", "arguments": [1]}}"#,
            r#"{"params": {"name": 5, "arguments": {}}}"#,
            r#"{"params": {"name": "echo"}}"#,
            "{}",
        ] {
            assert_eq!(taken(body), None, "{body}");
        }
    }
}
