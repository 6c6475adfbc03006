import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { check } from "../examples/lib/check.ts";
// @ts-expect-error -- scripts are JavaScript
import { EXAMPLES } from "../scripts/examples/list-examples.js";
import { parsePinnedBundle } from "../schemas/run/pinned-bundle.ts";
import { writePrograms } from "./docs/offline-programs.ts";

const run = promisify(execFile);
const PINNED = "examples/pinned-in-ci/report.json";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-examples-"));
  await writePrograms(folder);
  // Links the package that the program in plain Node imports.
  await run(process.execPath, ["dist/cli/main.js", "generate"]);
});
afterAll(() => rm(folder, { recursive: true }));

// `node scripts/run-examples.js --write` brings the page up to date.
test.each(EXAMPLES as { name: string }[])(
  "$name does what it shows, and the page tells what stayed in its sandbox",
  async ({ name }) => {
    const { stdout } = await run(process.execPath, ["scripts/run-examples.js", name]);
    const [header, row] = readTable(stdout);
    const [headerOfPage, ...rows] = readTable(await readFile("examples/README.md", "utf8"));
    expect(header).toEqual(headerOfPage);
    expect(rows.find(([, link]) => link === row?.[1])).toEqual(row);
    expect(rows).toHaveLength(EXAMPLES.length);
  },
);

test("the page names every program", async () => {
  const page = await readFile("examples/README.md", "utf8");
  const files = await readdir("examples", { recursive: true, withFileTypes: true });
  const programs = files
    .filter(({ parentPath }) => !/generated|node_modules/.test(parentPath))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(?:ts|js)$/.test(entry.name) && entry.parentPath !== "examples/lib")
    .map((entry) => join(entry.parentPath, entry.name).slice("examples/".length));
  expect(programs.length).toBeGreaterThan(5);
  expect(programs.filter((program) => !page.includes(`(${program})`))).toEqual([]);
});

test("an example that goes wrong ends with an exit code of 1, and says why", () => {
  const input = JSON.stringify({ packages: ["fast-uri"] });
  const args = ["dist/cli/main.js", "run", PINNED, "--frozen", "--input", input];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringContaining('[{"name":"fast-uri","licence":"BSD-3-Clause"}]')]);
  expect(() => check(false, "sums are right")).toThrow("This example does not do what it shows: sums are right");
});

interface Workflow {
  permissions: unknown;
  jobs: { [name: string]: { steps: { name?: string; if?: string; uses?: string; run?: string }[] } };
}

test("the steps of the workflow work in the order in which it has them", async () => {
  const { jobs, permissions } = parse(await readFile("examples/pinned-in-ci/workflow.yml", "utf8")) as Workflow;
  expect(permissions).toEqual({ contents: "read" });
  const steps = Object.values(jobs).flatMap(({ steps }) => steps);
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual(
    [],
  );
  const summary = join(folder, "summary.md");
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, GITHUB_STEP_SUMMARY: summary };
  const commands = steps.flatMap(({ run: command }) => command ?? []).filter((command) => command !== "npm ci");
  expect(commands).toHaveLength(2);
  for (const command of commands) await run("bash", ["-e", "-c", command], { env });
  expect(await readFile(summary, "utf8")).toMatch(/"name": "ses",\s+"licence": "Apache-2.0"/);
});

test("the pinned script is the one that stands beside it, for the tools that are locked", async () => {
  const fresh = join(folder, "report.json");
  await run(process.execPath, ["dist/cli/main.js", "bundle", "examples/pinned-in-ci/report.ts", "-o", fresh]);
  const [pinned, renewed] = await Promise.all(
    [PINNED, fresh].map(async (file) => parsePinnedBundle(await readFile(file, "utf8"), file)),
  );
  expect(pinned?.bundle.manifest).toEqual(renewed?.bundle.manifest);
  const source = await readFile("examples/pinned-in-ci/report.ts", "utf8");
  expect(pinned?.bundle.map.sourcesContent).toContain(source);
});

/** The cells of a Markdown table, without padding. */
function readTable(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}
