// Installs the packages of a lock file with npm. The lock pins the version and the hash of each of
// them, and is pinned itself.
//
// usage: npm_locked.js NAME VERSION SHA256 FOLDER DESTINATION [FILE…]
//
// With files, which are paths below node_modules, only these are kept, each under its path.
//
// After a change of FOLDER/package.json, this makes the lock anew:
//   npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved
// Without the addresses in it, npm asks the registry that the user's machine is set up for.

const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

function fail(message) {
  console.error(message);
  process.exit(1);
}

function keep(files, destination) {
  const modules = path.join(destination, "node_modules");
  for (const file of files) {
    const kept = path.join(destination, file);
    fs.mkdirSync(path.dirname(kept), { recursive: true });
    fs.renameSync(path.join(modules, file), kept);
  }
  fs.rmSync(modules, { recursive: true });
}

const [name, version, sha256, folder, destination, ...files] = process.argv.slice(2);
for (const file of ["package.json", "package-lock.json"]) {
  fs.copyFileSync(path.join(__dirname, folder, file), path.join(destination, file));
}
const lock = fs.readFileSync(path.join(destination, "package-lock.json"));
const actual = createHash("sha256").update(lock).digest("hex");
if (actual !== sha256) fail(`the lock of ${folder} has the hash ${actual}, not ${sha256}`);
// None of the packages' code is run.
const args = ["ci", "--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund"];
const npm = spawnSync("npm", args, { cwd: destination, stdio: ["ignore", "ignore", "inherit"] });
if (npm.status !== 0) fail(`npm did not deliver ${name} ${version} and what it needs`);
if (files.length > 0) keep(files, destination);
