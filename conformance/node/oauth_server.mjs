// An authorisation server that signs its tokens with a key of its own. Whoever asks is `ada`.
//
// usage: oauth_server.mjs PACKAGE_DIR
//
// Writes its address, and then a line for each token that it has made. Every other token has only the first of the scopes
// that were asked for, as if the user had agreed to no more.

import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.argv[2], "package.json"));
const { OAuth2Server } = await import(pathToFileURL(require.resolve("oauth2-mock-server")));

const server = new OAuth2Server();
await server.issuer.keys.generate("RS256");
let granted = "";
let audience = "";
let asked = 0;
server.service.on("beforeAuthorizeRedirect", (_, request) => {
  const scope = new URL(request.url, "http://localhost").searchParams.get("scope") ?? "";
  asked += 1;
  granted = asked % 2 === 1 ? scope.split(" ")[0] : scope;
});
// Also for the token that says who the user is.
server.service.on("beforeTokenSigning", (token, request) => {
  audience = request.body?.resource;
  Object.assign(token.payload, { aud: audience, sub: "ada", scope: granted });
});
server.service.on("beforeResponse", (response) => {
  response.body.scope = granted;
  console.log(`token ${asked} for ${audience}: ${granted}`);
});
await server.start(0, "localhost");
console.log(server.issuer.url);
