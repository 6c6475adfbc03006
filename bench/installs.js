// Measures what `npm install` brings and how long it takes, in an empty folder: `node bench/installs.js` prints the table of docs/performance.md,
// `--write` puts it there. It needs a build and a registry; each is installed three times, in turns, with an empty cache and with a filled one. Scripts of
// packages do not run: isolated-vm is compiled by some, and codemode has none.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeRegion } from "./write-region.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const TURNS = 3;

const folder = await mkdtemp(join(tmpdir(), "codemode-installs-"));
try {
  const subjects = [
    { name: "codemode, with the server of APIs", packages: await packOwn(join(folder, "own")) },
    { name: "mcporter 0.12.3", packages: ["mcporter@0.12.3"] },
    { name: "Executor 1.5.9", packages: ["executor@1.5.9"] },
    {
      name: "UTCP code-mode 1.2.12, with MCP",
      packages: ["@utcp/code-mode@1.2.12", "@utcp/sdk@1.1.2", "@utcp/mcp@1.1.3"],
    },
  ];
  const results = subjects.map(({ name }) => ({ name, cold: [], warm: [] }));
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [index, { packages }] of subjects.entries()) {
      const cache = join(folder, `cache-${index}`);
      await rm(cache, { recursive: true, force: true });
      results[index].cold.push(await install(packages, cache));
      results[index].warm.push(await install(packages, cache));
    }
  const table = printTable(results);
  process.stdout.write(`${table}\nLoad of the machine at the end: ${loadavg()[0].toFixed(1)}\n`);
  if (process.argv.includes("--write")) await writeRegion("performance.md", "installs", table);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function packOwn(target) {
  await mkdir(target);
  const words = ["pack", "--ignore-scripts", "--pack-destination", target, ".", "./runtime/bindings", "./openapi"];
  await run("npm", words, { cwd: root });
  return (await readdir(target)).map((file) => join(target, file));
}

async function install(packages, cache) {
  const place = join(folder, "project");
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  await writeFile(join(place, "package.json"), '{ "private": true }');
  const begun = performance.now();
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", cache, ...packages], {
    cwd: place,
  });
  const seconds = (performance.now() - begun) / 1_000;
  const { packages: locked } = JSON.parse(await readFile(join(place, "package-lock.json"), "utf8"));
  const count = Object.keys(locked).filter((path) => path !== "" && existsSync(join(place, path))).length;
  return { seconds, count, megabytes: (await sizeOf(join(place, "node_modules"))) / 1e6 };
}

/** What the files take on the disk. */
async function sizeOf(place) {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

function printTable(results) {
  const middle = (list) => list.map(({ seconds }) => seconds).toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const rows = results.map(({ name, cold, warm }) => {
    const [{ count, megabytes }] = cold;
    return `| ${name} | ${count} | ${megabytes.toFixed(0)} | ${middle(cold).toFixed(1)} | ${middle(warm).toFixed(1)} |`;
  });
  return [
    "| | packages | MB | empty cache, s | filled cache, s |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}
