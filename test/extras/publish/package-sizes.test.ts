import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Figures {
  packages: { name: string; files: number; packed: number; unpacked: number }[];
  bundles: { name: string; bare: number }[];
}

test("of a package with 30 tools, one binding is under 10.4 kB in a page's bundle, its validator aside", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/package-sizes.js", "--json"]);
  const { packages, bundles } = JSON.parse(stdout) as Figures;
  expect(bundles).toHaveLength(30);
  for (const { name, bare } of bundles) {
    expect(bare, name).toBeLessThan(10_400);
    expect(bare, name).toBeGreaterThan(2000);
  }
  // The table of docs/packages.md has these: an accident such as a packed recording would be a multiple of them.
  expect(packages.map(({ name }) => name)).toEqual([
    ...["codemode", "@codemode/runtime", "@codemode/openapi"],
    "a server package of 30 tools",
  ]);
  const [command, runtime, openapi, thirty] = packages.map(({ packed }) => packed);
  expect(command).toBeLessThan(1_700_000);
  expect(runtime).toBeLessThan(125_000);
  expect(openapi).toBeLessThan(300_000);
  expect(thirty).toBeLessThan(60_000);
});
