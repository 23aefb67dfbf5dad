//! MCP clients that start their servers themselves: where they keep which, and how it is written.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::{Value as Json, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    /// Claude Desktop: claude_desktop_config.json of the user
    ClaudeDesktop,
    /// Claude Code: .mcp.json of the project in the working directory
    ClaudeCode,
    /// Cursor: ~/.cursor/mcp.json
    Cursor,
    /// VS Code: .vscode/mcp.json of the project in the working directory
    Vscode,
    /// Zed: settings.json of the user
    Zed,
}

impl Client {
    /// The file that has the servers of the client.
    pub(super) fn file(self) -> anyhow::Result<PathBuf> {
        Ok(match self {
            Client::ClaudeDesktop => {
                let folder = match cfg!(target_os = "macos") {
                    true => home()?.join("Library/Application Support"),
                    false => settings()?,
                };
                folder.join("Claude").join("claude_desktop_config.json")
            }
            Client::ClaudeCode => PathBuf::from(".mcp.json"),
            Client::Cursor => home()?.join(".cursor").join("mcp.json"),
            Client::Vscode => Path::new(".vscode").join("mcp.json"),
            Client::Zed => {
                let folder = match (cfg!(windows), cfg!(target_os = "macos")) {
                    (true, _) => settings()?.join("Zed"),
                    (_, true) => home()?.join(".config").join("zed"),
                    _ => settings()?.join("zed"),
                };
                folder.join("settings.json")
            }
        })
    }

    /// The key of the object with the servers.
    pub(super) fn servers(self) -> &'static str {
        match self {
            Client::ClaudeDesktop | Client::ClaudeCode | Client::Cursor => "mcpServers",
            Client::Vscode => "servers",
            Client::Zed => "context_servers",
        }
    }

    /// What makes the client start this program. Its working directory can be any, so paths are
    /// absolute.
    pub(super) fn entry(self, program: &Path, config: Option<&Path>) -> anyhow::Result<Json> {
        let mut args = vec!["serve".to_owned(), "--stdio".to_owned()];
        args.extend(config.map(text).transpose()?);
        let mut entry = json!({"command": text(program)?, "args": args});
        if matches!(self, Client::ClaudeCode | Client::Vscode) {
            entry["type"] = "stdio".into();
        }
        Ok(entry)
    }

    /// What is to be done for the client to see it.
    pub(super) fn then(self) -> &'static str {
        match self {
            Client::ClaudeDesktop => "quit Claude Desktop and start it again",
            Client::ClaudeCode => "start `claude` here and approve the server",
            Client::Cursor => "restart Cursor, and switch the server on in its settings",
            Client::Vscode => "open .vscode/mcp.json in VS Code and start the server there",
            Client::Zed => "Zed starts the server by itself",
        }
    }
}

/// The folder of the user.
fn home() -> anyhow::Result<PathBuf> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = std::env::var_os(variable).map(PathBuf::from);
    let home = home.filter(|home| home.is_absolute());
    home.with_context(|| format!("cannot find the client's file: {variable} is not set"))
}

/// The folder with settings of programs.
fn settings() -> anyhow::Result<PathBuf> {
    let variable = match cfg!(windows) {
        true => "APPDATA",
        false => "XDG_CONFIG_HOME",
    };
    let named = std::env::var_os(variable).map(PathBuf::from);
    match named.filter(|folder| folder.is_absolute()) {
        Some(folder) => Ok(folder),
        None if cfg!(windows) => Ok(home()?.join("AppData").join("Roaming")),
        None => Ok(home()?.join(".config")),
    }
}

fn text(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.with_context(|| format!("expected {} to be text in UTF-8", path.display()))
}
