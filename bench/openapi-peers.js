// Compares @codemode/openapi with others on the same documents: `node bench/openapi-peers.js` prints the tables of docs/openapi.md,
// `--write` puts them there. It needs a build and `npm ci --prefix test/openapi/documents`, and installs those in bench/openapi-peers.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeRegion } from "./write-region.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const self = fileURLToPath(import.meta.url);
const peers = fileURLToPath(new URL("openapi-peers", import.meta.url));

const EXAMPLES = "node_modules/@readme/oas-examples";
const GITHUB = "test/openapi/documents/node_modules/@octokit/openapi";
const DOCUMENTS = [
  ["GitHub", "github", `${GITHUB}/generated/api.github.com.json`],
  ["Petstore (2.0)", "pets", `${EXAMPLES}/2.0/json/petstore.json`],
];
const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);
/** Of the API of models. */
const MAX_NAME = 64;
const TIMEOUT_MS = 240_000;

const [word, system, document] = process.argv.slice(2);
if (word === "--one") {
  const found = await measureHere(Number(system), Number(document)).catch((error) => ({ error: toLine(error) }));
  console.log(JSON.stringify(found));
  // Some keep timers, and would not end.
  process.exit();
} else {
  if (!existsSync(`${peers}/node_modules`)) {
    spawnSync("npm", ["install", "--no-save", "--ignore-scripts"], { cwd: peers, stdio: ["ignore", 2, 2] });
  }
  const text = await printTables();
  if (word === "--write") await writeRegion("openapi.md", "compared", text);
  else console.log(text);
}

/** One system with one document, in a process of its own: some grow until they end. */
async function measureHere(systemIndex, documentIndex) {
  const { SYSTEMS } = await import("./openapi-peers/systems.js");
  const { countTokens } = await import("./tasks/score/count-tokens.js");
  const [, id, path] = DOCUMENTS[documentIndex];
  const { tools, listed } = await SYSTEMS[systemIndex].open(`${root}${path}`, id);
  const operations = listOperations(JSON.parse(await readFile(`${root}${path}`, "utf8")));
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const plainIds = new Set([...ids].map(plain));
  const names = tools.map(({ name }) => name);
  // A name with its group in front, such as `repos.get`, names the operation too.
  const isPlain = (name) => plainIds.has(plain(name)) || plainIds.has(plain(name.split(".").at(-1)));
  return {
    operations: operations.length,
    tools: tools.length,
    exact: names.filter((name) => ids.has(name)).length,
    usable: names.filter(isPlain).length,
    twice: names.length - new Set(names.map((name) => name.toLowerCase())).size,
    long: names.filter(({ length }) => length > MAX_NAME).length,
    typed: tools.filter(({ isTyped }) => isTyped === true).length,
    asked: tools.filter(({ isTyped }) => isTyped !== undefined).length,
    listed: listed.length,
    bytes: Buffer.byteLength(JSON.stringify({ tools: listed })),
    tokens: countTokens({ tools: listed }),
  };
}

function listOperations({ paths }) {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => (METHODS.has(method) ? [operation] : [])),
  );
}

/** Upper case and signs do not count. */
function plain(name) {
  return name?.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

async function printTables() {
  const { SYSTEMS } = await import("./openapi-peers/systems.js");
  const tables = [];
  for (const [documentIndex, [name, , path]] of DOCUMENTS.entries()) {
    const folder = path
      .split("/")
      .slice(0, path.split("/").indexOf("node_modules") + 3)
      .join("/");
    const { version } = JSON.parse(await readFile(`${root}${folder}/package.json`, "utf8"));
    const rows = [];
    let operations;
    for (const systemIndex of SYSTEMS.keys()) {
      const found = await measure(systemIndex, documentIndex);
      operations ??= found.operations;
      rows.push(`| ${[await label(SYSTEMS[systemIndex]), ...printRow(found)].join(" | ")} |`);
    }
    const head = ["operations", "name is the id", "or the id, spelled differently", "twice", `over ${MAX_NAME}`];
    const columns = [`${name}, ${operations} operations`, ...head, "typed results", "tools listed", "kB", "tokens"];
    tables.push([`| ${columns.join(" | ")} |`, `| --- |${" ---: |".repeat(columns.length - 1)}`, ...rows].join("\n"));
    console.error(`${name} ${version}`);
  }
  return tables.join("\n\n");
}

async function measure(systemIndex, documentIndex) {
  const words = [self, "--one", String(systemIndex), String(documentIndex)];
  const options = { cwd: root, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26, env: { ...process.env, NODE_OPTIONS: "" } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, options);
    return JSON.parse(stdout.trim().split("\n").at(-1));
  } catch (error) {
    return { error: error.killed ? `no answer in ${TIMEOUT_MS / 1000} s` : toLine(error) };
  }
}

/** Some messages are lists of what is wrong. */
function toLine({ message }) {
  const first = /"message": "((?:[^"\\]|\\.)*)"/.exec(message)?.[1]?.replaceAll("\\", "");
  const place = /"path": \[([^\]]*)\]/.exec(message)?.[1]?.replaceAll(/[\s"]+/g, "");
  const line = first === undefined ? message : `${first} (${place})`;
  return line.split("\n")[0].slice(0, 110);
}

async function label({ name, package: packageName }) {
  if (packageName === undefined) return name;
  const { version } = JSON.parse(await readFile(`${peers}/node_modules/${packageName}/package.json`, "utf8"));
  return `${name} ${version}`;
}

function printRow(found) {
  if (found.error !== undefined) return [`none: ${found.error}`, ...Array.from({ length: 8 }, () => "")];
  const { tools, exact, usable, twice, long, typed, asked, listed, bytes, tokens } = found;
  const share = (count, of = tools) => `${Math.floor((100 * count) / of)} %`;
  const number = (value) => value.toLocaleString("en");
  const names = [share(exact), share(usable), number(twice), number(long)];
  return [
    number(tools),
    ...names,
    `${share(typed, asked)}${asked < tools ? ` of ${asked}` : ""}`,
    number(listed),
    number(Math.ceil(bytes / 1000)),
    number(tokens),
  ];
}
