//! The tool that says what it is told: that of the benchmark of the server. It can look for orders in a shop first.

use std::path::Path;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::{Call, Registry, Session, ToolError};
use toolpact_shop::Shop;

use crate::Result;

static SHOP: OnceLock<Session> = OnceLock::new();

const SEARCH: &str = r#"{"name":"search_orders","args":{"filter":{"status":"paid"},"per_page":5}}"#;

/// From now on, the tool looks for orders first.
pub(crate) fn open_shop(directory: &Path) -> Result<()> {
    let shop = Shop::options().orders(5000).open(&directory.join("shop"))?;
    let registry = Registry::new();
    shop.register(&registry)?;
    let session = registry.session().open()?;
    SHOP.set(session).map_err(|_| "a second shop")?;
    Ok(())
}

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
pub(crate) async fn echo(
    text: String,
    count: i64,
    tags: Vec<String>,
    sender: Sender,
) -> Result<Said, ToolError> {
    if let Some(shop) = SHOP.get() {
        let call = Call::from_json(SEARCH).map_err(ToolError::internal)?;
        let found = shop.call(call.json_only()).await;
        if let Some(error) = found.error() {
            return Err(ToolError::internal(error.message()));
        }
    }
    Ok(Said {
        text,
        count,
        tags,
        sender,
    })
}
