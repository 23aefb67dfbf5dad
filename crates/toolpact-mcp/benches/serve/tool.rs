//! The tool that says what it is told, as one would write it for each of the two.

use std::borrow::Cow;

use rmcp::ErrorData;
use rmcp::handler::server::router::tool::{SyncTool, ToolBase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::servers::Plain;

/// What it is told.
pub(crate) const ARGUMENTS: &str = r#"{"text":"Deliver to the back door, please; the bell is broken.","count":3,"tags":["delivery","door"],"sender":{"name":"Ada Lovelace","member":true}}"#;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Sender {
    name: String,
    member: bool,
}

/// What it says, and on rmcp alone what it takes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Said {
    text: String,
    count: i64,
    tags: Vec<String>,
    sender: Sender,
}

/// The usual kind of tool, which cannot block its caller.
pub(crate) mod usual {
    use super::{Said, Sender};

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
}

/// One that promises to be quick.
pub(crate) mod inline {
    use super::{Said, Sender};

    /// Says what it is told.
    #[toolpact::tool(read_only, inline)]
    pub(crate) fn echo(text: String, count: i64, tags: Vec<String>, sender: Sender) -> Said {
        Said {
            text,
            count,
            tags,
            sender,
        }
    }
}

/// The same without toolpact.
pub(crate) struct Echo;

impl ToolBase for Echo {
    type Parameter = Said;
    type Output = Said;
    type Error = ErrorData;

    fn name() -> Cow<'static, str> {
        "echo".into()
    }

    fn description() -> Option<Cow<'static, str>> {
        Some("Says what it is told.".into())
    }
}

impl SyncTool<Plain> for Echo {
    fn invoke(_: &Plain, said: Said) -> Result<Said, ErrorData> {
        Ok(said)
    }
}
