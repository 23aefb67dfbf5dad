// What quicktype infers from examples.
//
// usage: infer_quicktype.mjs PACKAGE FOLDER…
//
// In each FOLDER, reads `examples.jsonl` and writes `quicktype.json`; none if quicktype fails, which is
// said on standard error.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [root, ...folders] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(root), "package.json"));
const { InputData, jsonInputForTargetLanguage, quicktype } = require("quicktype-core");

for (const folder of folders) {
  const lines = fs.readFileSync(path.join(folder, "examples.jsonl"), "utf8").trimEnd().split("\n");
  try {
    const input = jsonInputForTargetLanguage("schema");
    await input.addSource({ name: "Value", samples: lines });
    const inputData = new InputData();
    inputData.addInput(input);
    const { lines: schema } = await quicktype({ inputData, lang: "schema" });
    fs.writeFileSync(path.join(folder, "quicktype.json"), schema.join("\n"));
  } catch (error) {
    console.error(`${folder}: ${error.message}`);
  }
}
