// Generates the packages of recorded real servers and says how long it takes and how large they are:
// `node bench/generate.js FOLDER [TIMES] [--naive]`, after a build. The folder holds one JSON file per server with its `serverInfo`
// and `tools`; TIMES puts each server in so often under ids of its own; `--naive` does the same once more with json-schema-to-typescript,
// prettier and ajv's standalone mode as they come. Prints Markdown.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import printStandalone from "ajv/dist/standalone/index.js";
import { compile } from "json-schema-to-typescript";
import { generatePackages } from "../dist/engine/project/emit/generate-packages.js";
import { readLockfile, writeLockfile } from "../dist/engine/project/lockfile-file.js";
import { serverIntegrity, lockedIntegrity } from "../dist/schemas/lock/lock-server.js";
import { toConfig } from "../dist/schemas/config/to-config.js";
import { planServer } from "../dist/templates/plan.js";
import { lockRecordings } from "./lock-recordings.js";

const [recordings, times = "1"] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
if (recordings === undefined) throw new Error("Name the folder of recordings.");

const lockfile = await lockRecordings(recordings, Number(times));
const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
const config = toConfig({ mcpServers: {} }, join(folder, "codemode.config.json"), folder);
try {
  await measurePackages();
  if (process.argv.includes("--naive")) await measureNaive();
} finally {
  await rm(folder, { recursive: true });
}

async function measurePackages() {
  const servers = [...lockfile.servers.values()];
  const tools = servers.flatMap((server) => server.tools);
  console.log(
    `${servers.length} servers, ${tools.length} tools\n\n| step | time | files written |\n| --- | ---: | ---: |`,
  );
  await step("cold: nothing generated before", lockfile);
  // Each figure is the best of several: other load of the machine only adds to it.
  await best("nothing changed", () => lockfile);
  await best("one tool changed", (round) => changeOneTool(`Changed ${round}.`));
  const sizes = await readSizes();
  console.log(`\n| files | bytes | bytes per tool |\n| --- | ---: | ---: |`);
  for (const [kind, bytes] of sizes) {
    console.log(
      `| ${kind} | ${bytes.toLocaleString("en")} | ${Math.round(bytes / tools.length).toLocaleString("en")} |`,
    );
  }
  console.log("\n| degraded tool | why |\n| --- | --- |");
  for (const { serverId, problems } of servers.map(planServer)) {
    for (const { toolName, schema, pointer, message } of problems) {
      console.log(`| ${serverId}/${toolName} | \`${schema}${pointer}\` ${message} |`);
    }
  }
}

async function best(label, lockfileOf) {
  const outcomes = [];
  for (let round = 0; round < 7; round += 1) outcomes.push(await generate(lockfileOf(round)));
  print(label, outcomes.toSorted((left, right) => left.seconds - right.seconds)[0]);
}

async function step(label, locked) {
  print(label, await generate(locked));
}

/** The whole way of `codemode generate`: the lockfile is read and checked, too. */
async function generate(locked) {
  await writeLockfile(config, locked);
  const startedAt = performance.now();
  const change = await generatePackages({ config, lockfile: await readLockfile(config) });
  return { seconds: (performance.now() - startedAt) / 1000, written: change.written.length };
}

function print(label, { seconds, written }) {
  console.log(`| ${label} | ${seconds.toFixed(2)} s | ${written} |`);
}

function changeOneTool(description) {
  const [server] = [...lockfile.servers.values()].toSorted((left, right) => right.tools.length - left.tools.length);
  const changed = { ...server.tools[0], description };
  const tools = [{ ...changed, integrity: lockedIntegrity(changed) }, ...server.tools.slice(1)];
  const other = { ...server, tools, integrity: serverIntegrity({ ...server, tools }) };
  return { servers: new Map([...lockfile.servers, [server.id, other]]) };
}

async function readSizes() {
  const sizes = new Map([
    ["types (.d.ts)", 0],
    ["validators", 0],
    ["bindings", 0],
    ["index, meta, listing", 0],
  ]);
  const entries = await readdir(join(folder, "generated"), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((item) => item.isFile())) {
    const bytes = (await readFile(join(entry.parentPath, entry.name))).length;
    const isTool = entry.parentPath.endsWith("tools");
    const ofTool = entry.name.endsWith(".d.ts")
      ? "types (.d.ts)"
      : entry.name.endsWith(".validator.js")
        ? "validators"
        : "bindings";
    const kind = isTool ? ofTool : "index, meta, listing";
    sizes.set(kind, sizes.get(kind) + bytes);
  }
  return sizes;
}

/** What the libraries give as they come: a draft by `$schema`, default options, input schemas only. */
async function measureNaive() {
  const tools = [...lockfile.servers.values()].flatMap((server) => server.tools);
  const naive = { types: 0, validators: 0, typesMs: 0, validatorsMs: 0, failures: 0 };
  for (const { name, inputSchema } of tools) {
    const schema = JSON.parse(JSON.stringify(inputSchema ?? {}));
    await timed(naive, "types", () =>
      compile(schema, `${name}Input`, { $refOptions: { resolve: { file: false, http: false } } }),
    );
    await timed(naive, "validators", () => {
      const Class = String(inputSchema?.$schema ?? "").includes("draft-07") ? Ajv.default : Ajv2020.default;
      const ajv = new Class({ code: { source: true, esm: true }, logger: false });
      return printStandalone.default(ajv, ajv.compile(inputSchema ?? {}));
    });
  }
  console.log("\n| done naively | time | bytes per tool |\n| --- | ---: | ---: |");
  for (const kind of ["types", "validators"]) {
    const seconds = (naive[`${kind}Ms`] / 1000).toFixed(1);
    console.log(`| ${kind} | ${seconds} s | ${Math.round(naive[kind] / tools.length).toLocaleString("en")} |`);
  }
  console.log(`\n${naive.failures} of ${2 * tools.length} failed.`);
}

async function timed(naive, kind, print) {
  const startedAt = performance.now();
  try {
    naive[kind] += Buffer.byteLength(await print());
  } catch {
    naive.failures += 1;
  }
  naive[`${kind}Ms`] += performance.now() - startedAt;
}
