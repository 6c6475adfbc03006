import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram, type Verdict } from "../publishing/programs.ts";

/** `npm publish --dry-run` of every package of a repository, where no registry can be reached. */
async function checkRelease(cwd: string): Promise<Verdict> {
  const cache = await mkdtemp(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rm(cache, { recursive: true }));
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: cache };
  return runProgram(resolve("scripts/release.js"), ["--packages"], { cwd, env });
}

test("every package of this repository could be published as it is built, and all places say one version", async () => {
  const { ok, output } = await checkRelease(resolve("."));
  expect(output.replaceAll(/\d+ (?:files|kB)/g, "…")).toBe(
    "@codemode/runtime@0.1.0: …, … packed, … unpacked\ncodemode@0.1.0: …, … packed, … unpacked\n",
  );
  expect(ok).toBe(true);
});

test("a version that was forgotten, a test, a path of this machine and a missing licence stop a release", async () => {
  const root = await mkdtemp(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const path of [
    "package-lock.json",
    "schemas/version.ts",
    "deploy/kustomization.yaml",
    "runtime/guest/README.md",
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(path, join(root, path));
  }
  for (const file of ["LICENSE", "README.md"]) await cp(file, join(root, file));
  const manifest = {
    name: "codemode",
    version: "0.1.0",
    files: ["dist"],
    dependencies: { "@codemode/runtime": "0.1.0" },
  };
  const runtime = { name: "@codemode/runtime", version: "0.1.1" };
  const changelog = await readFile("CHANGELOG.md", "utf8");
  const files = {
    "package.json": JSON.stringify(manifest),
    "runtime/guest/package.json": JSON.stringify(runtime),
    "CHANGELOG.md": changelog.replace(/^## \[0\.1\.0\].*$/m, "## [0.0.9] - 2026-01-01"),
    "dist/cli.test.js": "",
    "dist/cli.js": `const place = "${root}/dist";\n//# sourceMappingURL=cli.js.map\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { ok, output } = await checkRelease(root);
  expect(ok).toBe(false);
  expect(
    output
      .split("\n")
      .filter((line) => line.startsWith("error:"))
      .toSorted(),
  ).toEqual([
    "error: @codemode/runtime: LICENSE is missing",
    `error: codemode: dist/cli.js names ${root}/`,
    "error: codemode: dist/cli.js names a source map",
    "error: codemode: dist/cli.test.js does not belong into a package",
    "error: runtime/guest/package.json says 0.1.1, package.json 0.1.0",
    "error: the newest release in CHANGELOG.md says 0.0.9, package.json 0.1.0",
  ]);
});
