import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { CLIENT_INFO } from "@codemode/runtime/connections/client-identity";
import { expect, test } from "vitest";
import { SERVERS } from "../e2e/run-codemode.ts";
import { generatedProject, runForJson } from "./plain-node.ts";

const RUNTIME = resolve("runtime/bindings");
const manifest = JSON.parse(readFileSync(join(RUNTIME, "package.json"), "utf8")) as {
  version: string;
  exports: object;
  imports: object;
  dependencies: object;
};

/** The paths of the files that would be published. */
async function listPacked(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd: RUNTIME });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

function targetsOf(target: unknown): string[] {
  if (typeof target === "string") return [target.replace(/^\.\//, "")];
  return Object.values(target as object).flatMap(targetsOf);
}

test("the published package has what its exports name, a licence, a readme, and nothing of the build", async () => {
  const packed = await listPacked();
  const targets = [...targetsOf(manifest.exports), ...targetsOf(manifest.imports)];
  const isPacked = (target: string): boolean => {
    const [start = "", end] = target.split("*");
    return end === undefined
      ? packed.includes(target)
      : packed.some((path) => path.startsWith(start) && path.endsWith(end));
  };
  expect(targets.filter((target) => !isPacked(target))).toEqual([]);
  expect(packed).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  expect(packed.filter((path) => /tsbuildinfo|(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

test("it depends on a parser of events alone, and introduces itself by its version", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["eventsource-parser"]);
  expect(CLIENT_INFO.version).toBe(manifest.version);
});

test("it works by what is published alone, without the rest of codemode", async () => {
  const cwd = await generatedProject({ everything: SERVERS.everything });
  const modules = join(cwd, "node_modules");
  await rm(join(modules, "@codemode/runtime"));
  for (const path of await listPacked()) {
    await cp(join(RUNTIME, path), join(modules, "@codemode/runtime", path));
  }
  await symlink(resolve("node_modules/eventsource-parser"), join(modules, "eventsource-parser"));
  expect(existsSync(join(modules, "codemode"))).toBe(false);
  const printed = await runForJson(
    cwd,
    `import { get_sum } from "@codemode/servers/everything";
     import { SchemaValidationError } from "@codemode/errors";
     const refused = await get_sum({ a: 1 }).catch((error) => error instanceof SchemaValidationError);
     console.log(JSON.stringify([await get_sum({ a: 1, b: 2 }), refused]));`,
  );
  expect(printed).toEqual(["The sum of 1 and 2 is 3.", true]);
});
