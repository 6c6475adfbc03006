import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error -- the script is JavaScript
import { findFunding } from "../../scripts/release/find-funding.js";
// @ts-expect-error -- the script is JavaScript
import { nameAddresses } from "../../scripts/release/name-addresses.js";
// @ts-expect-error -- the script is JavaScript
import { findRepository } from "../../scripts/release/find-repository.js";
import { testOnPosix } from "../platforms/needs.ts";
import { runProgram, type Verdict } from "../publishing/programs.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** Files that say the version, beside files that a test writes; `runtime/bindings` has a README of its own. */
const VERSIONED = [
  "package-lock.json",
  "schemas/version.ts",
  "deploy/kustomization.yaml",
  "runtime/bindings/README.md",
  "openapi/version.ts",
  "openapi/README.md",
  "openapi/LICENSE",
];

/** `npm publish --dry-run` of every package of a repository, where no registry can be reached. */
async function checkRelease(cwd: string): Promise<Verdict> {
  const cache = await makeTestFolder();
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: cache };
  return runProgram(resolve("scripts/release.js"), ["--packages"], { cwd, env });
}

test("every package of this repository could be published as it is built, and all places say one version", async () => {
  const { ok, output } = await checkRelease(resolve("."));
  expect(output.replaceAll(/\d+ (?:files|kB)/g, "…")).toBe(
    ["@codemode/runtime", "@codemode/openapi", "codemode"]
      .map((name) => `${name}@0.1.0: …, … packed, … unpacked\n`)
      .join(""),
  );
  expect(ok).toBe(true);
});

test("a version that was forgotten, a test, a path of this machine, a script of installs and a missing licence stop a release", async () => {
  const root = await makeTestFolder();
  for (const path of VERSIONED) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(path, join(root, path));
  }
  for (const file of ["LICENSE", "README.md"]) await cp(file, join(root, file));
  const manifest = {
    name: "codemode",
    version: "0.1.0",
    files: ["dist"],
    scripts: { prepare: "exit 1" },
    dependencies: { "@codemode/runtime": "0.1.0" },
  };
  const runtime = { name: "@codemode/runtime", version: "0.1.1" };
  const changelog = await readFile("CHANGELOG.md", "utf8");
  const files = {
    "package.json": JSON.stringify(manifest),
    "runtime/bindings/package.json": JSON.stringify(runtime),
    "openapi/package.json": JSON.stringify({ name: "@codemode/openapi", version: "0.1.0", files: ["dist"] }),
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
    'error: codemode: npm asks users of the package about its script "prepare"',
    "error: runtime/bindings/package.json says 0.1.1, package.json 0.1.0",
    "error: the newest release in CHANGELOG.md says 0.0.9, package.json 0.1.0",
  ]);
});

const HOME = "https://github.com/someone/codemode";
const FUNDING = "https://fund.test/codemode";
const WORKFLOW = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "someone/codemode" };

test.each([
  ["nothing", undefined],
  ["its address", HOME],
  ["its address as npm writes it", { type: "git", url: `git+${HOME}.git` }],
  ["its name", "someone/codemode"],
  ["its name with the site", "github:someone/codemode"],
])("where package.json says %s, the repository is the workflow's", (_, written) => {
  expect(findRepository(written, WORKFLOW)).toEqual({ url: `git+${HOME}.git` });
});

test.each([
  ["outside of a workflow", HOME, {}, /publish from GitHub Actions/],
  ["from another repository", "other/codemode", WORKFLOW, /says that its repository is other\/codemode/],
  ["from an address that is none", undefined, { GITHUB_REPOSITORY: "a b/c" }, /is no address of a repository/],
])("nothing is published %s", (_, written, environment, why) => {
  expect(findRepository(written, environment)).toEqual({ problem: expect.stringMatching(why) });
});

test.each([
  ["no address", "", {}],
  ["an address", FUNDING, { url: FUNDING }],
  ["what is no address", "someone", { problem: expect.stringContaining('FUNDING_URL is "someone"') }],
  ["an address without TLS", "http://someone.test", { problem: expect.stringContaining("no https address") }],
])("a workflow may say %s for funding", (_, FUNDING_URL, found) => {
  expect([findFunding({ FUNDING_URL }), findFunding({})]).toEqual([found, {}]);
});

test("a package without an address for funding names none, and its file stays as it was", async () => {
  const root = await makeTestFolder();
  const file = join(root, "package.json");
  await writeFile(file, "{}");
  const putBack: () => void = nameAddresses(root, ["."], { repository: `git+${HOME}.git` });
  expect(Object.keys(JSON.parse(await readFile(file, "utf8")) as object)).toEqual(["repository", "homepage", "bugs"]);
  putBack();
  expect(await readFile(file, "utf8")).toBe("{}");
});

testOnPosix("a program in the place of npm")(
  "all packages are published with the workflow's addresses in them, and the clone stays as it was",
  async () => {
    const root = await makeTaggedClone();
    // npm gives a proof of origin inside of a workflow only: here a program keeps what npm would read.
    const npm = `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const { name, repository, homepage, bugs, funding } = JSON.parse(readFileSync("package.json", "utf8"));
const words = process.argv.slice(2);
if (words.includes("--dry-run")) console.log(JSON.stringify([{ name, version: "0.1.0", files: [{ path: "LICENSE" }, { path: "README.md" }, { path: "package.json" }], size: 1, unpackedSize: 1 }]));
else if (words[0] === "publish") appendFileSync(process.env.PUBLISHED, JSON.stringify({ name, repository, homepage, bugs, funding, words }) + "\\n");
`;
    const bin = join(root, "..", "bin");
    await mkdir(bin);
    await writeFile(join(bin, "npm"), npm, { mode: 0o755 });
    const published = join(root, "..", "published");
    const env = {
      ...process.env,
      ...WORKFLOW,
      FUNDING_URL: FUNDING,
      PATH: `${bin}:${process.env["PATH"]}`,
      PUBLISHED: published,
    };
    const before = await readFile(join(root, "package.json"), "utf8");
    const { ok, output } = await runProgram(resolve("scripts/release.js"), ["--publish"], { cwd: root, env });
    expect(ok, output).toBe(true);
    const words = ["publish", "--ignore-scripts", "--access", "public", "--provenance"];
    const repository = { type: "git", url: `git+${HOME}.git` };
    const pages = { homepage: `${HOME}#readme`, bugs: { url: `${HOME}/issues` }, funding: FUNDING };
    expect(
      (await readFile(published, "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { name: "@codemode/runtime", repository: { ...repository, directory: "runtime/bindings" }, ...pages, words },
      { name: "@codemode/openapi", repository: { ...repository, directory: "openapi" }, ...pages, words },
      { name: "codemode", repository, ...pages, words },
    ]);
    expect(await readFile(join(root, "package.json"), "utf8")).toBe(before);
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" })).toBe("");
  },
);

/** A repository with this one's files that a release reads, tagged with its version. */
async function makeTaggedClone(): Promise<string> {
  const folder = await makeTestFolder();
  const root = join(folder, "clone");
  for (const path of [
    ...VERSIONED,
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "package.json",
    "runtime/bindings/package.json",
    "runtime/bindings/LICENSE",
    "openapi/package.json",
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(path, join(root, path));
  }
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...words], { cwd: root });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "release");
  git("tag", `v${version}`);
  return root;
}
