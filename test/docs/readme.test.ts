import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const SOURCES = [
  "README.md",
  "docs/tokens.md",
  "docs/security.md",
  "examples/README.md",
  "generated/memory/tools/search_nodes.d.ts",
];

/** In the form of `npm run bench`. */
const RESULTS = `# Benchmarks

### Cold: from the start of the process to the first byte of the result (load 0.4)

|  | median ms | p25–p75 | ratio | samples |
| --- | ---: | ---: | ---: | ---: |
| codemode run | 411 | 400–420 | 1.00 × | 40 |
| A peer | left out | it does not start | | |

### Seen script, one call (load 0.5)

|  | median ms | p25–p75 | ratio | samples |
| --- | ---: | ---: | ---: | ---: |
| codemode serve | 7.77 | 7.00–8.00 | 1.00 × | 40 |

### Never-seen script, one call (load 0.5)

|  | median ms | p25–p75 | ratio | samples |
| --- | ---: | ---: | ---: | ---: |
| codemode serve | 12.3 | 12.0–13.0 | 1.00 × | 40 |
`;

function writeTables(...words: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/write-readme-tables.js", ...words], {
    encoding: "utf8",
  });
  return { status, stderr };
}

// `node scripts/write-readme-tables.js` brings it up to date.
test("the binding and the numbers of README.md are those of the places that they come from", () => {
  expect(writeTables("--check")).toEqual({ status: 0, stderr: "" });
});

test("a number and a line of the binding that changed are reported", async () => {
  const root = await mkdtemp(join(tmpdir(), "codemode-readme-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of SOURCES) await cp(resolve(file), join(root, file));
  await mkdir(join(root, "bench"));
  await writeFile(join(root, "bench/RESULTS.md"), RESULTS);
  expect(writeTables(root)).toEqual({ status: 0, stderr: "" });
  const written = await readFile(join(root, "README.md"), "utf8");
  expect(written).toMatch(/\| codemode run +\| +411 ms \| +\| +\|/);
  expect(written).toMatch(/\| codemode serve +\| +\| +12\.3 ms \| +7\.77 ms \|/);
  expect(written).not.toContain("A peer");
  expect(writeTables(root, "--check")).toEqual({ status: 0, stderr: "" });

  const change = async (file: string, from: string, to: string): Promise<void> =>
    writeFile(join(root, file), (await readFile(join(root, file), "utf8")).replace(from, to));
  await change("bench/RESULTS.md", "| 12.3 |", "| 12.4 |");
  await change("generated/memory/tools/search_nodes.d.ts", "query: string;", "question: string;");
  const { status, stderr } = writeTables(root, "--check");
  expect(status).toBe(1);
  expect(stderr).toContain("12.3 ms");
  expect(stderr).toContain("  query: string;");
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

test("it is short enough to be read", async () => {
  expect((await readFile("README.md", "utf8")).split("\n").length).toBeLessThan(221);
});
