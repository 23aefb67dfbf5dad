// Calls tools of an MCP server with the clients of the TypeScript SDK, which hold results to the
// schemas that the server lists.
//
// usage: mcp_calls.js PACKAGE_DIR SERVER CLIENT_NAME < ["tool", {"name": "tool", "arguments": {…}}, …]
//
// SERVER is an address, or a program that is started with --stdio.
//
// Writes a line for each call: {"client", "version", "tool", "result"}, or "refused" with what the
// client says of the result.

const { createRequire } = require("node:module");
const fs = require("node:fs");
const path = require("node:path");

const [directory, server, name] = process.argv.slice(2);
const packages = createRequire(path.join(directory, "package.json"));

// The first line of the SDK speaks 2025-11-25, the second that and 2026-07-28.
function clients() {
  const first = {
    label: "sdk",
    ...packages("@modelcontextprotocol/sdk/client/index.js"),
    ...packages("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    ...packages("@modelcontextprotocol/sdk/client/stdio.js"),
    options: {},
  };
  // The first line knows requests by their schemas, the second by their names.
  const { ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema } =
    packages("@modelcontextprotocol/sdk/types.js");
  first.requests = [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema];
  const second = {
    label: "client",
    ...packages("@modelcontextprotocol/client"),
    ...packages("@modelcontextprotocol/client/stdio"),
    options: {},
  };
  second.requests = ["elicitation/create", "sampling/createMessage", "roots/list"];
  const pin = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  return [first, second, { ...second, options: pin }];
}

// What the client says when a tool asks its user, its model, and where it works.
const answers = [
  async ({ params }) =>
    params.mode === "url"
      ? { action: "accept" }
      : { action: "accept", content: { name: "Ada", color: "green", ok: true } },
  async () => ({
    role: "assistant",
    content: { type: "text", text: "Good morning!" },
    model: "none",
    stopReason: "endTurn",
  }),
  async () => ({ roots: [{ uri: "file:///work", name: "Work" }] }),
];

async function run(sdk, tools) {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const client = new sdk.Client({ name, version: "1" }, { ...sdk.options, capabilities });
  sdk.requests.forEach((request, place) => client.setRequestHandler(request, answers[place]));
  const transport = server.startsWith("http")
    ? new sdk.StreamableHTTPClientTransport(new URL(server))
    : new sdk.StdioClientTransport({ command: server, args: ["--stdio"] });
  await client.connect(transport);
  const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  // The client learns the schemas from the list.
  await client.listTools();
  for (const entry of tools) {
    const call = typeof entry === "string" ? { name: entry, arguments: {} } : entry;
    const line = { client: sdk.label, version, tool: call.name };
    try {
      line.result = await client.callTool(call);
    } catch (error) {
      line.refused = error.message;
    }
    console.log(JSON.stringify(line));
  }
  await transport.terminateSession?.();
  await client.close();
}

async function main() {
  const tools = JSON.parse(fs.readFileSync(0, "utf8"));
  for (const sdk of clients()) await run(sdk, tools);
}

main();
