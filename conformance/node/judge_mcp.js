// Judges exported MCP tools with the clients of the TypeScript SDK: each is given a server that
// lists the tool, and must read it and keep all of it; and both schemas must compile.
//
// usage: judge_mcp.js PACKAGE_DIR DIALECT < exported.json
//
// Writes what ../python/judge_dialect.py writes. Beside "tools" there can be "results", an object
// with what calls of tools by these names answer: then the client calls the tool, and must take it.

const { createRequire } = require("node:module");
const { isDeepStrictEqual } = require("node:util");
const fs = require("node:fs");
const path = require("node:path");

const LATEST = "2026-07-28";

const [directory, dialect] = process.argv.slice(2);
const packages = createRequire(path.join(directory, "package.json"));
const version = dialect.replace(/^mcp-?/, "") || LATEST;

// The first line of the SDK ends with 2025-11-25, the second begins there.
function clients() {
  const first = () => ({
    name: "sdk",
    ...packages("@modelcontextprotocol/sdk/client/index.js"),
    ...packages("@modelcontextprotocol/sdk/inMemory.js"),
    ...packages("@modelcontextprotocol/sdk/validation/ajv"),
    options: {},
  });
  const second = () => ({
    name: "client",
    ...packages("@modelcontextprotocol/client"),
    ...packages("@modelcontextprotocol/client/validators/ajv"),
    options: version === LATEST ? { versionNegotiation: { mode: { pin: version } } } : {},
  });
  if (version === LATEST) return [second()];
  return version < "2025-11-25" ? [first()] : [first(), second()];
}

// What a server of this version answers. An export has the tools only, so the rest is added.
function answers(tool, result) {
  const about = { capabilities: { tools: {} }, serverInfo: { name: "export", version: "1" } };
  const fresh = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  return {
    initialize: { protocolVersion: version, ...about },
    "server/discover": { supportedVersions: [version], ...about, ...fresh },
    "tools/list": { tools: [tool], ...(version === LATEST ? fresh : {}) },
    "tools/call": result,
  };
}

async function connected(sdk, results) {
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  far.onmessage = ({ id, method }) => {
    if (id !== undefined) far.send({ jsonrpc: "2.0", id, result: results[method] });
  };
  await far.start();
  const client = new sdk.Client({ name: "judge", version: "1" }, sdk.options);
  await client.connect(near);
  return client;
}

async function problems(sdk, tool, result) {
  const found = [];
  const attempt = async (what, act) => {
    try {
      await act();
    } catch (error) {
      found.push(`${what}: ${error.message.replace(/\s+/g, " ")}`);
    }
  };
  const client = await connected(sdk, answers(tool, result));
  await attempt("tools/list", async () => {
    const [kept] = (await client.listTools()).tools;
    for (const place of differences(tool, kept)) found.push(`${place}: the SDK does not keep it`);
  });
  if (result) await attempt("tools/call", () => client.callTool({ name: tool.name, arguments: {} }));
  await client.close();
  for (const member of ["inputSchema", "outputSchema"]) {
    const compile = () => new sdk.AjvJsonSchemaValidator().getValidator(tool[member]);
    if (tool[member] !== undefined) await attempt(`/${member}`, compile);
  }
  return found.map((problem) => `${sdk.name}: ${problem}`);
}

// Where what was kept is not what was sent. The order of members is no difference.
function differences(sent, kept, at = "") {
  const open = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!open(sent) || !open(kept)) return isDeepStrictEqual(sent, kept) ? [] : [at];
  const keys = new Set([...Object.keys(sent), ...Object.keys(kept)]);
  return [...keys].flatMap((key) => differences(sent[key], kept[key], `${at}/${key}`));
}

async function main() {
  const { tools, results = {} } = JSON.parse(fs.readFileSync(0, "utf8"));
  const sdks = clients();
  for (const tool of tools) {
    const judged = sdks.map((sdk) => problems(sdk, tool, results[tool.name]));
    const found = (await Promise.all(judged)).flat();
    console.log(JSON.stringify({ tool: tool.name, ok: found.length === 0, problems: found }));
  }
}

main();
