//! The tool that says what it is told: that of the benchmark of the server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What it is told.
pub(crate) const ARGUMENTS: &str = r#"{"text":"Deliver to the back door, please; the bell is broken.","count":3,"tags":["delivery","door"],"sender":{"name":"Ada Lovelace","member":true}}"#;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Sender {
    name: String,
    member: bool,
}

/// What it says.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Said {
    text: String,
    count: i64,
    tags: Vec<String>,
    sender: Sender,
}

/// Says what it is told.
#[toolpact::tool(read_only)]
pub(crate) async fn echo(text: String, count: i64, tags: Vec<String>, sender: Sender) -> Said {
    std::future::ready(Said {
        text,
        count,
        tags,
        sender,
    })
    .await
}
