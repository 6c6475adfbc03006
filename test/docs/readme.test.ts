import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { describeSaving } from "../../schemas/text/token-saving.ts";
import { planSteps } from "./page-steps.ts";
import { makeTestFolder } from "../make-test-folder.ts";

const SOURCES = ["README.md", "docs/generator.md", "examples/README.md", "generated/memory/tools/search_nodes.d.ts"];

/** In the form of `npm run bench`. */
const RESULTS = JSON.stringify({
  sections: [
    {
      tables: [
        toTable("start.cold", [
          { name: "codemode run", values: { ms: { value: 411 } } },
          { name: "A peer", error: "it does not start" },
        ]),
        toTable("warm.seen", [{ name: "codemode serve, process", values: { ms: { value: 7.77 } } }]),
        toTable("warm.new", [{ name: "codemode serve, process", values: { ms: { value: 12.34 } } }]),
      ],
    },
  ],
});

function toTable(id: string, rows: object[]): object {
  return { id, columns: [{ key: "ms", unit: "ms" }], rows };
}

function writeTables(...words: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/write-readme-tables.js", ...words], {
    encoding: "utf8",
  });
  return { status, stderr };
}

// `node scripts/write-readme-tables.js` brings it up to date.
test("tables and quoted figures of the pages are those of the places that they come from", () => {
  expect(writeTables("--check")).toEqual({ status: 0, stderr: "" });
});

test("a number, a quoted figure and a line of the binding that changed are reported", async () => {
  const root = await makeTestFolder();
  for (const file of SOURCES) await cp(resolve(file), join(root, file));
  await mkdir(join(root, "bench"));
  await writeFile(join(root, "bench/results.json"), RESULTS);
  const quoting = (id: string, text: string): string =>
    `A new script takes <!-- bench: ${id} -->${text}<!-- /bench --> ms.\n`;
  const id = "warm.new.codemode-serve-process.ms";
  await writeFile(join(root, "docs/compared.md"), "<!-- table: compared -->\n\n<!-- end of table -->\n");
  await writeFile(join(root, "SECURITY.md"), quoting(id, ""));
  expect(writeTables(root)).toEqual({ status: 0, stderr: "" });
  const written = await readFile(join(root, "docs/compared.md"), "utf8");
  expect(written).toMatch(/\| from nothing to a first result, ms +\| +411 \| +– \|/);
  expect(written).toMatch(/\| a new script with one call, ms +\| +12\.3 \| +– \|/);
  expect(written).toMatch(/\| a script seen before, ms +\| +7\.77 \| +– \|/);
  expect(written).not.toContain("A peer");
  expect(await readFile(join(root, "SECURITY.md"), "utf8")).toBe(quoting(id, "12"));
  expect(writeTables(root, "--check")).toEqual({ status: 0, stderr: "" });

  const change = async (file: string, from: string, to: string): Promise<void> =>
    writeFile(join(root, file), (await readFile(join(root, file), "utf8")).replace(from, to));
  await change("bench/results.json", "12.34", "13.4");
  await change("generated/memory/tools/search_nodes.d.ts", "query: string;", "question: string;");
  const { status, stderr } = writeTables(root, "--check");
  expect(status).toBe(1);
  expect(stderr).toContain("12.3 |");
  expect(stderr).toContain(quoting(id, "12"));
  expect(stderr).toContain("  query: string;");

  await writeFile(join(root, "SECURITY.md"), quoting("warm.new.gone.ms", "5"));
  expect(writeTables(root)).toEqual({
    status: 1,
    stderr: 'SECURITY.md: The figure "warm.new.gone.ms" is quoted, and bench/results.json has none of this name.\n',
  });
});

// `node scripts/draw-comparison.js` brings it up to date.
test("the picture of docs/performance.md shows the results", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/draw-comparison.js", "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the picture says in words what it shows, and has colours for light and dark", async () => {
  const page = await readFile("README.md", "utf8");
  const [, path = "", alternative = ""] = /<img src="([^"]+)" alt="([^"]+)"/.exec(page) ?? [];
  expect(alternative.length).toBeGreaterThan(100);
  const picture = await readFile(path, "utf8");
  expect(picture).toMatch(/role="img" aria-labelledby="title description"/);
  expect(picture).toMatch(/<title id="title">[^<]+<\/title>\s+<desc id="description">[^<]{100,}<\/desc>/);
  expect(picture).toContain("@media (prefers-color-scheme: dark)");
  expect(picture).not.toMatch(/href|<script|url\(/);
});

/** What cmd.exe or PowerShell reads in another way than sh: comments, patterns, lines that go on, variables, and commands of a POSIX system. */
const ONE_SHELL = /[#*|<>$`%^]|\\$|&&|^\w+=|^(?:cat|cp|echo|export|ls|mkdir|rm|touch)\b/;

test.each(["README.md", "docs/start.md"])("what a reader of %s types runs in every shell", async (page) => {
  const lines = planSteps(await readFile(page, "utf8")).flatMap((step) =>
    step.kind === "command" ? step.command.split("\n") : [],
  );
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => ONE_SHELL.test(line))).toEqual([]);
});

test.each(["README.md", "docs/getting-started.md"])("%s names the files that `npm pack` makes", async (page) => {
  const named = (await readFile(page, "utf8")).match(/[\w.-]+\.tgz/g)?.toSorted();
  const packages = await Promise.all(
    [".", "openapi", "runtime/bindings"].map(async (folder) => readFile(join(folder, "package.json"), "utf8")),
  );
  const made = packages
    .map((text) => JSON.parse(text) as { name: string; version: string })
    .map(({ name, version }) => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  expect(named).toEqual(made.toSorted());
});

// Both columns of tokens, and the file of the script, are there to count again; `node scripts/run-examples.js --write` measures them.
test.each(["README.md", "examples/README.md"])(
  "what %s says that a script saves counts the script too",
  async (page) => {
    const lines = (await readFile(page, "utf8")).split("\n").filter((line) => /^\| \[[\w./-]+\]\(/.test(line));
    const rows = lines.map((line) => line.split(" | ").map((cell) => cell.replace(/[|,]/g, "").trim()));
    const counted = rows.filter((cells) => / (?:less|more)$/.test(cells.at(-1) ?? ""));
    expect(counted.length).toBeGreaterThan(2);
    for (const cells of counted) {
      const [name = ""] = /(?<=^\[)[^\]]+/.exec(cells[0] ?? "") ?? [];
      const [calls, script, answer] = cells.slice(-4, -1).map(Number);
      const source = await readFile(join("examples", name.replace(/\.json$/, ".ts")), "utf8");
      expect([name, script]).toEqual([name, encode(source).length]);
      const saving = describeSaving({ calls: Number(calls), script: Number(script), answer: Number(answer) });
      expect([name, saving.percent]).toEqual([name, cells.at(-1)]);
    }
  },
);

test("it is short enough to be read", async () => {
  expect((await readFile("README.md", "utf8")).split("\n").length).toBeLessThan(131);
});
