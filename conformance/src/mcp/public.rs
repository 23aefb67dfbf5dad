//! Public MCP servers, for the tools they list. None of them is given a network or a credential: they list their
//! tools without, and no tool is called.

use super::Server;
use serde_json::json;
use std::io;
use std::path::Path;
use std::process::Command;

/// A server of an installed package.
#[derive(Debug)]
pub struct PublicServer {
    /// What it is called here.
    pub name: &'static str,
    /// The package it is in, as [`crate::suite`] knows it.
    pub suite: &'static str,
    /// The program, as a path in the package.
    program: &'static str,
    args: &'static [&'static str],
    /// What it wants to be set before it starts, by name. The value is no credential.
    wants: &'static [&'static str],
    /// How many tools it lists.
    pub tools: usize,
}

const NODE: &str = "mcp-servers";
const PYTHON: &str = "mcp-servers-python";

/// What stands for a credential.
const NONE: &str = "none";

/// Those that are only asked for their tools, beside [`super::SERVERS`].
pub const PUBLIC: &[PublicServer] = &[
    node(
        "brave-search",
        "@brave/brave-search-mcp-server/dist/index.js",
        &[],
        &["BRAVE_API_KEY"],
        8,
    ),
    node(
        "hubspot",
        "@hubspot/mcp-server/dist/index.js",
        &[],
        &["PRIVATE_APP_ACCESS_TOKEN"],
        21,
    ),
    node(
        "github",
        "@modelcontextprotocol/server-github/dist/index.js",
        &[],
        &["GITHUB_PERSONAL_ACCESS_TOKEN"],
        26,
    ),
    node(
        "gitlab",
        "@modelcontextprotocol/server-gitlab/dist/index.js",
        &[],
        &["GITLAB_PERSONAL_ACCESS_TOKEN"],
        9,
    ),
    node(
        "google-maps",
        "@modelcontextprotocol/server-google-maps/dist/index.js",
        &[],
        &["GOOGLE_MAPS_API_KEY"],
        7,
    ),
    node(
        "sequential-thinking",
        "@modelcontextprotocol/server-sequential-thinking/dist/index.js",
        &[],
        &[],
        1,
    ),
    node(
        "slack",
        "@modelcontextprotocol/server-slack/dist/index.js",
        &[],
        &["SLACK_BOT_TOKEN", "SLACK_TEAM_ID"],
        8,
    ),
    node(
        "notion",
        "@notionhq/notion-mcp-server/bin/cli.mjs",
        &[],
        &["NOTION_TOKEN"],
        24,
    ),
    node("playwright", "@playwright/mcp/cli.js", &[], &[], 25),
    node(
        "sentry",
        "@sentry/mcp-server/dist/index.js",
        &[
            "--access-token=none",
            "--skills=inspect,docs,triage,project-management,seer",
        ],
        &[],
        22,
    ),
    node(
        "twilio",
        "@twilio-alpha/mcp/build/index.js",
        &["AC00000000000000000000000000000000/SK00000000000000000000000000000000:none"],
        &[],
        197,
    ),
    node(
        "context7",
        "@upstash/context7-mcp/dist/index.js",
        &[],
        &[],
        2,
    ),
    node(
        "chrome-devtools",
        "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
        &[],
        &[],
        32,
    ),
    node(
        "exa",
        "exa-mcp-server/dist/stdio.cjs",
        &[],
        &["EXA_API_KEY"],
        2,
    ),
    node(
        "figma",
        "figma-developer-mcp/dist/bin.js",
        &["--stdio"],
        &["FIGMA_API_KEY"],
        2,
    ),
    node(
        "firecrawl",
        "firecrawl-mcp/dist/index.js",
        &[],
        &["FIRECRAWL_API_KEY"],
        26,
    ),
    node(
        "tavily",
        "tavily-mcp/build/index.js",
        &[],
        &["TAVILY_API_KEY"],
        5,
    ),
    python(
        "aws-documentation",
        "awslabs.aws-documentation-mcp-server",
        5,
    ),
    python("duckduckgo", "duckduckgo-mcp-server", 3),
    python("fetch", "mcp-server-fetch", 1),
    python("git", "mcp-server-git", 12),
    python("time", "mcp-server-time", 2),
];

impl PublicServer {
    /// Starts it out of the folder of its package. What it keeps, it keeps in `sandbox`.
    pub fn start(&self, package: &Path, sandbox: &Path) -> io::Result<Server> {
        let mut command = if self.suite == NODE {
            let mut node = Command::new("node");
            node.arg(package.join("node_modules").join(self.program));
            node
        } else {
            let mut python = Command::new("python3");
            // Nothing is written to the package, which other tests read.
            python.arg("-B").arg(package.join("bin").join(self.program));
            python.env("PYTHONPATH", package);
            python
        };
        command
            .args(self.args)
            .current_dir(sandbox)
            .env("HOME", sandbox);
        command.envs(self.wants.iter().map(|name| (*name, NONE)));
        Server::start_command(command, &json!({"roots": {}}))
    }
}

const fn node(
    name: &'static str,
    program: &'static str,
    args: &'static [&'static str],
    wants: &'static [&'static str],
    tools: usize,
) -> PublicServer {
    PublicServer {
        name,
        suite: NODE,
        program,
        args,
        wants,
        tools,
    }
}

const fn python(name: &'static str, program: &'static str, tools: usize) -> PublicServer {
    PublicServer {
        name,
        suite: PYTHON,
        program,
        args: &[],
        wants: &[],
        tools,
    }
}
