// Makes the Worker of a project: `node deploy/cloudflare/build.js PROJECT OUT`.
// Its scripts are the pinned bundles that `scripts` of the configuration names; its servers are remote ones.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../../dist/engine/load-config.js";
import { cleanInputSchema, cleanSchema, toSchemaDocument } from "../../dist/schemas/json-schema/clean-schema.js";
import { findOperation } from "../../dist/schemas/lock/operations.js";
import { parseLockfile } from "../../dist/schemas/lock/lockfile-text.js";
import { parsePinnedBundle } from "../../dist/schemas/run/pinned-bundle.js";
import { printValidator } from "../../dist/templates/validators/print-validator.js";
import { linkIsolate, linkWorker } from "./link.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const [project, out] = process.argv.slice(2).map((path) => resolve(path));
if (project === undefined || out === undefined) fail("Name a project folder and an output folder.");

const config = await loadConfig({ cwd: project });
const local = config.servers.filter(({ source }) => source.transport === "stdio").map(({ name }) => name);
if (local.length > 0) fail(`A Worker starts no programs: ${local.join(", ")}. Run them behind Streamable HTTP.`);
const files = [...config.scripts.values()].filter(({ file }) => file.endsWith(".json"));
if (files.length === 0) fail('"scripts" of the configuration names no pinned bundle.');

const lockfileText = await readFile(join(project, "codemode.lock.json"), "utf8");
const lockfile = parseLockfile(lockfileText, "codemode.lock.json");
const scripts = {};
const validators = [];
const inputs = {};
const scriptInputs = {};
for (const { name, file } of files) {
  scripts[name] = await readFile(join(project, file), "utf8");
  const { bundle } = parsePinnedBundle(scripts[name], file);
  for (const { serverId, toolName, integrity } of bundle.manifest.tools) {
    const tool = findOperation(lockfile.servers.get(serverId) ?? fail(`${file}: no server "${serverId}"`), toolName);
    if (tool?.integrity !== integrity) fail(`${file}: "${toolName}" of "${serverId}" has changed; bundle it again.`);
    inputs[integrity] ??= addValidator(cleanInputSchema(tool.inputSchema));
  }
  if (bundle.input !== undefined) scriptInputs[name] = addValidator(cleanSchema(bundle.input, "output"));
}

function addValidator(schema) {
  validators.push(printValidator(toSchemaDocument(schema)).source);
  return validators.length - 1;
}

const printTable = (table) =>
  `{${Object.entries(table)
    .map(([key, index]) => `${JSON.stringify(key)}: validator${index}`)
    .join(", ")}}`;
const configFile = JSON.parse(await readFile(config.file, "utf8"));
const virtual = new Map([
  ...validators.map((source, index) => [`codemode:validator-${index}`, source]),
  ["codemode:isolate", await linkIsolate()],
  [
    "codemode:project",
    `${validators.map((_, index) => `import { validateInput as validator${index} } from "codemode:validator-${index}";`).join("\n")}
export const project = {
  config: ${JSON.stringify(configFile)}, lockfile: ${JSON.stringify(lockfileText)}, scripts: ${JSON.stringify(scripts)},
  inputs: ${printTable(inputs)}, scriptInputs: ${printTable(scriptInputs)},
};`,
  ],
]);

await mkdir(out, { recursive: true });
await writeFile(join(out, "worker.js"), await linkWorker(join(here, "worker/host.ts"), virtual));
for (const name of ["wrangler.jsonc", "local.capnp"])
  await writeFile(join(out, name), await readFile(join(here, name)));
console.log(`${Object.keys(scripts).join(", ")} in ${join(basename(out), "worker.js")}`);

function fail(message) {
  console.error(message);
  process.exit(1);
}
