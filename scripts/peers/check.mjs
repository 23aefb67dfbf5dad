// ajv and zod over the inputs in a folder: `node check.mjs INPUTS`, one JSON object a line.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

import models from "./models.mjs";

const ROUND_MS = 3;
const BUDGET_MS = 400;

function main(inputs) {
  for (const [name, model] of Object.entries(models)) {
    const read = (suffix) => readFileSync(join(inputs, `${name}.${suffix}`));
    const ajv = addFormats(new Ajv2020({ strict: false }));
    const validate = ajv.compile(JSON.parse(read("schema.json")));
    const engines = {
      ajv: (bytes) => validate(JSON.parse(bytes.toString())),
      zod: (bytes) => model.safeParse(JSON.parse(bytes.toString())).success,
    };
    for (const [engine, check] of Object.entries(engines)) {
      const [valid, invalid] = [read("json"), read("invalid.json")];
      if (!check(valid) || check(invalid)) throw new Error(`${engine} is wrong about ${name}`);
      const times = { valid: best(check, valid), invalid: best(check, invalid) };
      const title = `${engine} ${version(engine)}, node ${process.versions.node}`;
      console.log(JSON.stringify({ engine: title, case: name, ...times }));
    }
  }
}

/** Microseconds in the best of many short rounds; the first ones are for the compiler. */
function best(check, bytes) {
  let [repeats, least] = [1, Infinity];
  const end = performance.now() + BUDGET_MS;
  while (performance.now() < end) {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) check(bytes);
    const once = (performance.now() - start) / repeats;
    if (once * repeats > ROUND_MS / 4) least = Math.min(least, once);
    repeats = Math.min(repeats * 2, Math.max(1, Math.floor(ROUND_MS / once)));
  }
  return least * 1000;
}

function version(name) {
  return createRequire(import.meta.url)(`${name}/package.json`).version;
}

main(process.argv[2]);
