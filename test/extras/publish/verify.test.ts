import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../../cli/run-cli.ts";
import { formatTarball } from "../../../extras/publish/format-tarball.ts";
import { parseTarball } from "../../../extras/publish/packed-package.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { formatLockfile } from "../../../schemas/lock/lockfile-text.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { GENERATOR_VERSION } from "../../../templates/generated-package.ts";
import { printBom } from "../../../extras/publish/package/print-bom.ts";
import { lockedServer, type RawTool } from "../../templates/lockfile-of.ts";
import { isBom, isStatement } from "./supply-chain-schemas.ts";
import { type Finished, makeProject } from "../../e2e/run-codemode.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const ECHO: RawTool = {
  name: "echo",
  description: "Says it again",
  inputSchema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
};
const PING: RawTool = { name: "ping", inputSchema: { type: "object" } };
const INTEGRITY = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;

/** Packs releases of one server, one after the other, and gives the folder of the tarballs. */
async function packReleases(...releases: (readonly RawTool[])[]): Promise<string> {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { demo: { command: "server" } } },
    "package.json": { license: "MIT", author: "Acme" },
  });
  for (const tools of releases) {
    await writeFile(
      join(cwd, "codemode.lock.json"),
      formatLockfile({ servers: new Map([["demo", lockedServer("demo", tools)]]) }),
    );
    expect((await run("pack", "--scope", "@acme", "--cwd", cwd)).code).toBe(0);
  }
  return join(cwd, "packages");
}

/** The command without a process of its own. */
async function run(...args: string[]): Promise<Finished> {
  const finished: Finished = { code: null, stdout: "", stderr: "" };
  finished.code = await runCli(args, {
    result: (text) => (finished.stdout += `${text}\n`),
    note: (text) => (finished.stderr += `${text}\n`),
  });
  return finished;
}

const FIRST = "acme-demo-tools-1.0.0.tgz";

async function makeFolder(): Promise<string> {
  const folder = await makeTestFolder();
  return folder;
}

/** Writes the package with other files than it was packed with. */
async function repack(tarball: string, change: (files: Map<string, string>) => void): Promise<string> {
  const files = await parseTarball(await readFile(tarball));
  change(files);
  const changed = join(await makeFolder(), basename(tarball));
  await writeFile(
    changed,
    await formatTarball([...files].map(([path, text]) => ({ path, content: Buffer.from(text) }))),
  );
  return changed;
}

test("a tarball verifies without its project, in any folder", async () => {
  const elsewhere = await makeFolder();
  await cp(join(await packReleases([ECHO]), FIRST), join(elsewhere, "renamed.tgz"));
  const verified = await run("pack", "--verify", join(elsewhere, "renamed.tgz"));
  expect(verified.stderr).toMatch(
    /^@acme\/demo-tools 1\.0\.0: 14 files, byte for byte what codemode packs from its lock entry of "demo", sha256-\S+=\n$/,
  );
  expect(verified.code).toBe(0);
});

test("every release verifies beside the one before; alone, its changelog cannot be compared", async () => {
  const packages = await packReleases([ECHO], [ECHO, PING], [PING]);
  const tarballs = (await readdir(packages)).filter((file) => file.endsWith(".tgz"));
  expect(tarballs).toHaveLength(3);
  for (const file of tarballs) {
    expect(await run("pack", "--verify", join(packages, file)), file).toMatchObject({ code: 0 });
  }
  const alone = join(await makeFolder(), "acme-demo-tools-2.0.0.tgz");
  await cp(join(packages, basename(alone)), alone);
  const unsure = await run("pack", "--verify", alone);
  expect(unsure).toMatchObject({ code: 0, stderr: expect.stringContaining("CHANGELOG.md was not compared") as string });
  const previous = join(packages, "acme-demo-tools-1.1.0.tgz");
  const sure = await run("pack", "--verify", alone, "--previous", previous);
  expect(sure.code).toBe(0);
  expect(sure.stderr).not.toContain("CHANGELOG.md");
});

test("one changed byte in any file is named, with its line", async () => {
  const tarball = join(await packReleases([ECHO]), FIRST);
  const paths = [...(await parseTarball(await readFile(tarball))).keys()];
  for (const path of paths) {
    const changed = await repack(tarball, (files) => {
      const text = files.get(path) ?? "";
      // The name of the server's program is no part of its integrity; everything that is made of it is compared.
      const at =
        path === "package.json"
          ? text.indexOf("sideEffects")
          : path === "codemode.lock.json"
            ? text.indexOf("Says")
            : 20;
      files.set(path, `${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`);
    });
    const refused = await run("pack", "--verify", changed);
    expect(refused.code, path).toBeGreaterThan(0);
    expect(refused.stderr, path).toContain(path);
  }
});

test("files that do not belong to it, missing ones and another archive are differences", async () => {
  const tarball = join(await packReleases([ECHO]), FIRST);
  const changed = await repack(tarball, (files) => {
    files.set("postinstall.js", "evil()");
    files.delete("README.md");
  });
  const refused = await run("pack", "--verify", changed);
  expect(refused.stderr).toContain("  README.md is missing\n  postinstall.js does not belong to it\n");
  expect(refused.stderr).toContain(
    "error: @acme/demo-tools 1.0.0 is not what this codemode packs from its lock entry.",
  );
  expect(refused.code).toBe(1);

  const reordered = await repack(tarball, (files) => {
    const [[path, text] = ["", ""]] = files;
    files.delete(path);
    files.set(path, text);
  });
  const other = await run("pack", "--verify", reordered);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("the archive around them is not") as string });
});

test("a package of another generator says so", async () => {
  const tarball = join(await packReleases([ECHO]), FIRST);
  for (const [generator, words] of [
    ['"generatorVersion": "1"', "generator 1"],
    ['"before": "1"', "a generator that it does not name"],
  ] as const) {
    const older = await repack(tarball, (files) => {
      const text = files.get("package.json") ?? "";
      files.set("package.json", text.replace(`"generatorVersion": "${GENERATOR_VERSION}"`, generator));
    });
    const refused = await run("pack", "--verify", older);
    expect(refused.stderr).toContain(`it was made by ${words}; this codemode has generator ${GENERATOR_VERSION}`);
    expect(refused.code).toBe(1);
  }
});

test("what is no package of codemode is refused in one line", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "x.tgz"), "no tarball");
  const refused = await run("pack", "--verify", join(folder, "x.tgz"));
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: x\.tgz: it is not the tarball/) as string,
  });
  const mixed = await run("pack", "--verify", join(folder, "x.tgz"), "--name", "y");
  expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining("--previous") as string });
});

test("the statement beside a tarball holds for its bytes, and verifies with it", async () => {
  const packages = await packReleases([ECHO]);
  const path = join(packages, FIRST.replace(".tgz", ".intoto.json"));
  const text = await readFile(path, "utf8");
  expect(isStatement(JSON.parse(text)), JSON.stringify(isStatement.errors)).toBe(true);
  await writeFile(path, text.replace('"codemode": "0.1.0"', '"codemode": "0.1.9"'));
  expect(await run("pack", "--verify", join(packages, FIRST))).toMatchObject({ code: 0 });
  await writeFile(path, text.replace(/"sha256": "./, '"sha256": "x'));
  expect(await run("pack", "--verify", join(packages, FIRST))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("acme-demo-tools-1.0.0.intoto.json differs") as string,
  });
});

function bomOf(server: LockedServer): JsonObject {
  const identity = { name: "@acme/demo-tools", version: "1.0.0", inherited: { license: "MIT" } };
  return JSON.parse(printBom(identity, server)) as JsonObject;
}

const SOURCES: [string, Partial<LockedServer>, JsonObject][] = [
  ["a program", {}, { name: "demo", type: "application", scope: "excluded" }],
  [
    "a package of npm",
    {
      source: {
        ...{ transport: "stdio", command: "npx", args: ["-y", "@scope/server"], env: [] },
        package: { name: "@scope/server", version: "4.5.6", floats: true, integrity: INTEGRITY },
      },
    },
    { purl: "pkg:npm/%40scope/server@4.5.6", hashes: [{ alg: "SHA-512", content: "07".repeat(64) }] },
  ],
];

test.each(SOURCES)("the bill of materials names %s and is valid CycloneDX", (_what, source, component) => {
  const bom = bomOf({ ...lockedServer("demo", [ECHO]), ...source });
  expect(bom).toMatchObject({ components: [{ name: "@codemode/runtime" }, component] });
  expect(isBom(bom), JSON.stringify(isBom.errors)).toBe(true);
});

test("the bill of materials names the address of a remote server and is valid CycloneDX", () => {
  const url = "https://mcp.example.com/mcp";
  const bom = bomOf({ ...lockedServer("demo", [ECHO]), source: { transport: "http", url, headers: [] } });
  expect(bom).toMatchObject({ services: [{ name: "demo", endpoints: [url] }] });
  expect(isBom(bom), JSON.stringify(isBom.errors)).toBe(true);
});
