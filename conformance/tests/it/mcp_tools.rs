//! The tools that public MCP servers list, asked live: their schemas are what people meet.

use crate::coverage::Coverage;
use conformance::mcp::{SERVERS, Server};
use conformance::reports;
use std::collections::BTreeMap;
use std::path::Path;
use toolpact_core::json::{Document, Limits, Node, Value};
use toolpact_core::schema::JsonSchema;

/// How many of a hundred schemas must be checked on the fast path.
const FLOOR: usize = 100;

#[test]
fn every_schema_of_a_tool_is_read() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let tools = tools(&package);
    let mut tally = Tally::default();
    for tool in &tools {
        tally.look_at(tool, "inputSchema");
        tally.look_at(tool, "outputSchema");
    }
    let report = tally.report(tools.len());
    reports::write("mcp-tools", &report);
    assert!(tally.refused.is_empty(), "{}", tally.refused.join("\n"));
    assert_eq!(tools.len(), 37);
    let outputs = tools.iter().filter(|t| t.member("outputSchema").is_some());
    assert_eq!(outputs.count(), 24);
    assert!(tally.coverage.percent() >= FLOOR, "{report}");
}

/// A tool as its server lists it.
pub(crate) struct ListedTool {
    pub(crate) server: &'static str,
    pub(crate) tool: Value,
}

impl ListedTool {
    pub(crate) fn member(&self, name: &str) -> Option<Node<'_>> {
        self.tool.root().get(name)
    }
}

/// All tools of all servers, each server started for this and gone afterwards.
pub(crate) fn tools(package: &Path) -> Vec<ListedTool> {
    let mut tools = Vec::new();
    for server in SERVERS {
        let sandbox = tempfile::tempdir().unwrap();
        let mut running = Server::start(package, server, sandbox.path()).unwrap();
        for page in running.list_tools().unwrap() {
            let answer = Value::from_json(page).unwrap();
            let listed = answer.root().get("result").and_then(|r| r.get("tools"));
            tools.extend(listed.unwrap().items().map(|tool| ListedTool {
                server,
                tool: tool.to_value(),
            }));
        }
    }
    tools
}

#[derive(Default)]
struct Tally {
    coverage: Coverage,
    refused: Vec<String>,
    /// How many schemas say in `$schema` that they are of a dialect.
    dialects: BTreeMap<String, usize>,
    /// How many warnings there are about schemas, by code.
    warnings: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn look_at(&mut self, tool: &ListedTool, member: &str) {
        let Some(node) = tool.member(member) else {
            return;
        };
        let name = tool.member("name").and_then(Node::as_str).unwrap();
        let name = format!("{}/{name} {member}", tool.server);
        let dialect = node.get("$schema").and_then(Node::as_str);
        let dialect = dialect.map_or("no `$schema`".to_owned(), |uri| {
            format!("the `$schema` {uri}")
        });
        *self.dialects.entry(dialect).or_default() += 1;
        let document = Document::json(node.text().as_bytes(), &Limits::default());
        let checked = JsonSchema::check_document(&document);
        let Some(schema) = checked.value else {
            self.refused.push(format!("{name}: {}", checked.violations));
            return;
        };
        for warning in &checked.violations {
            *self.warnings.entry(warning.code()).or_default() += 1;
        }
        self.coverage.count(&name, &schema.checker());
    }

    fn report(&self, tools: usize) -> String {
        let servers = SERVERS.len();
        let mut text = format!("MCP tools: {tools} of {servers} public servers\n");
        for (dialect, count) in &self.dialects {
            text += &format!("{count:>6}  schemas with {dialect}\n");
        }
        for (code, count) in &self.warnings {
            text += &format!("{count:>6}  warnings {code}\n");
        }
        text += &format!("{:>6}  schemas refused\n", self.refused.len());
        text + &self.coverage.summary() + &self.coverage.reasons()
    }
}
