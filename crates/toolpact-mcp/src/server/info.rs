use serde_json::{Value as Json, json};

/// What clients are told about a server.
///
/// ```
/// use toolpact::Registry;
/// use toolpact_mcp::{Server, ServerInfo};
///
/// let mut info = ServerInfo::default();
/// info.name = "orders".to_owned();
/// info.title = Some("Orders of the shop".to_owned());
/// let server = Server::builder(Registry::new()).info(info).build()?;
/// # Ok::<(), toolpact::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The name, for programs: `toolpact` by default.
    pub name: String,
    /// The name, for people.
    pub title: Option<String>,
    /// The version: that of toolpact by default.
    pub version: String,
    /// What clients may tell the model about the tools as a whole.
    pub instructions: Option<String>,
}

impl Default for ServerInfo {
    fn default() -> Self {
        Self {
            name: "toolpact".to_owned(),
            title: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
        }
    }
}

impl ServerInfo {
    /// `serverInfo`.
    pub(super) fn written(&self) -> Json {
        let mut info = json!({"name": self.name, "version": self.version});
        if let Some(title) = &self.title {
            info["title"] = title.as_str().into();
        }
        info
    }

    pub(super) fn add_instructions(&self, result: &mut Json) {
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.as_str().into();
        }
    }
}
