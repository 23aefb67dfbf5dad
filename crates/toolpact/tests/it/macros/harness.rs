//! What the tests of tools have in common.

use serde_json::Value as Json;
use toolpact::{Registry, Session, define::IntoDefinition};

use crate::world::Place as _;

/// A session with these tools.
pub(super) fn session<T: IntoDefinition>(tools: impl IntoIterator<Item = T>) -> Session {
    let registry = Registry::new();
    registry.place_all(tools).unwrap();
    registry.session().open().unwrap()
}

/// The schema of what a tool takes.
pub(super) fn takes(tool: impl IntoDefinition) -> String {
    let definition = tool.into_definition().unwrap();
    let schema = definition.contract().parameters().to_json_schema();
    let schema: Json = serde_json::from_str(schema.text()).unwrap();
    serde_json::to_string_pretty(&schema).unwrap()
}

/// The name of what it returns.
pub(super) fn returns(tool: impl IntoDefinition) -> String {
    let definition = tool.into_definition().unwrap();
    let contract: Json = serde_json::from_str(&definition.contract().to_json()).unwrap();
    let returns = &contract["returns"];
    let name = returns.get("type").unwrap_or(returns);
    name.as_str().unwrap().to_owned()
}

/// What a call comes to: its content, or its error after a `!`.
pub(super) async fn call(session: &Session, name: &str, args: &str) -> String {
    let call = format!(r#"{{"name":"{name}","args":{args}}}"#);
    let reply = session.call_json(call.as_bytes()).await;
    let reply: Json = serde_json::from_slice(&reply).unwrap();
    match (&reply["content"], &reply["error"]["message"]) {
        (Json::Null, message) => format!("!{}", message.as_str().unwrap()),
        (content, _) => content.to_string(),
    }
}
