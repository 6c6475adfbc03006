// Counts what agents pay for tool lists: `node bench/tokens.js FOLDER`, where FOLDER holds recorded tool lists, one server in
// each JSON file. It needs a build, and prints the table of docs/tokens.md; with `--write` it writes that file.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { present } from "../dist/serve/present.js";
import { printInstructions } from "../dist/serve/print-instructions.js";
import { DEFAULTS } from "../dist/schemas/config/config-file.js";
import { toServeSettings } from "../dist/schemas/config/serve-settings.js";
import { lockRecordings } from "./lock-recordings.js";

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
if (folder === undefined) throw new Error("Name the folder of recordings.");

/** The columns of the tables: their titles, and what a row has there. Each server alone has no column of what hardly differs between servers. */
const COLUMNS = [
  ["server", ({ label }) => label],
  ["package", ({ version }) => version],
  ["tools", ({ tools }) => printNumber(tools)],
  ["raw", ({ raw }) => printNumber(raw)],
  ["`run`", ({ run }) => printNumber(run)],
  ["less", ({ run, raw }) => `${(100 * (1 - run / raw)).toFixed(run < raw / 100 ? 2 : 0)} %`],
  ["`search`", ({ search }) => printNumber(search)],
  ["`files`", ({ files }) => printNumber(files)],
  ["signatures of all", ({ all }) => printNumber(all)],
];
const OF_ALL_ALONE = new Set(["package", "`search`", "`files`"]);

const recordings = await readRecordings(folder);
const locked = await lockRecordings(folder);
const rows = await Promise.all(recordings.map((recording) => measure(recording.id, [recording])));
const three = recordings.filter(({ id }) => ["notion", "playwright", "chrome-devtools"].includes(id));
const text = printPage(
  [await measure("all of them", recordings), await measure("Notion, Playwright and Chrome DevTools", three)],
  rows,
);
if (process.argv.includes("--write")) await writeFile(new URL("../docs/tokens.md", import.meta.url), text);
else process.stdout.write(text);

async function readRecordings(path) {
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { package: packageName, version, tools } = JSON.parse(await readFile(join(path, name), "utf8"));
      return { id: name.slice(0, -".json".length), packageName, version, tools };
    }),
  );
}

async function measure(label, servers) {
  const lockfile = { servers: new Map(servers.map(({ id }) => [id, locked.servers.get(id)])) };
  const tools = servers.flatMap((server) => server.tools);
  const row = {
    label,
    version: servers.length === 1 ? printPackage(servers[0]) : `${servers.length} servers`,
    tools: tools.length,
  };
  row.raw = countTokens({ tools });
  for (const surface of ["run", "search", "files"]) {
    const list = await presentOne(lockfile, { surface }).surface.listTools();
    row[surface] = countTokens({ tools: list });
  }
  row.all = countTokens({ tools: await presentOne(lockfile, { typesBudget: 10_000_000 }).surface.listTools() });
  row.instructions = countTokens(printInstructions(DEFAULTS.limits, toServeSettings(), lockfile));
  return row;
}

function printPackage({ packageName, version }) {
  return typeof packageName === "string" ? `${packageName}@${version}` : "";
}

function presentOne(lockfile, entry) {
  return present(
    { lockfile: () => lockfile, limits: DEFAULTS.limits, savedScripts: async () => [], refresh: async () => undefined },
    toServeSettings(entry),
  );
}

function countTokens(value) {
  const options = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
  return encode(typeof value === "string" ? value : JSON.stringify(value), options).length;
}

function printPage(totals, perServer) {
  const instructions = Math.max(...totals.map((row) => row.instructions));
  return `# What tool lists cost

Tokens that an agent's context holds before it has done anything: the answer of \`tools/list\` as JSON on the wire, counted with the tokenizer o200k_base. "Raw" is the list of the servers themselves. The last column is \`run\` with all signatures; the columns before it are the
three surfaces. Instructions are not counted; codemode's take at most ${instructions} tokens.

The lists are for a client with every capability: server-everything
lists 19 tools for it and 15 for codemode, which declares neither roots nor sampling.

${printTable(totals)}

Each server alone:

${printTable(
  perServer,
  COLUMNS.filter(([title]) => !OF_ALL_ALONE.has(title)),
)}

The lists were recorded from the servers' npm packages in November 2026. \`npm run build && node bench/tokens.js FOLDER --write\`
makes this page again from a folder of recordings (one JSON file for each server, with \`serverInfo\` and \`tools\`).
`;
}

function printTable(rows, columns = COLUMNS) {
  const heading = columns.map(([title]) => title);
  const cells = rows.map((row) => columns.map(([, print]) => print(row)));
  const isText = (column) => ["server", "package"].includes(heading[column]);
  const widths = heading.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(" | ")} |`;
  const rule = widths.map((width, column) => (isText(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(heading), `| ${rule.join(" | ")} |`, ...cells.map(line)].join("\n");
}

function printNumber(value) {
  return value.toLocaleString("en");
}
