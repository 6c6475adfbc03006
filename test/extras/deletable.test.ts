import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const CORE = ["schemas", "templates", "runtime", "engine", "serve", "library", "cli", "openapi"];
const EXTRAS = (await readdir("extras", { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "codemode-core-"));
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard", ...CORE, "extras", "test", "scripts"], {
    maxBuffer: 1e8,
  });
  // Of the golden files, servers of tests read the recordings.
  const files = stdout.split("\n").filter((file) => file !== "" && !/^test\/golden\/(?!cases\/)/.test(file));
  const tops = ["package.json", "tsconfig.json", "tsconfig.base.json", "vitest.config.ts"];
  // Sources keep their times, and `dist` comes with them: the compiler looks only at what a deletion changes.
  for (const file of [...files, ...tops]) {
    await cp(file, join(clone, file), { preserveTimestamps: true }).catch(unlessDeleted);
  }
  for (const output of ["dist", "runtime/bindings/dist", "openapi/dist"]) {
    await cp(output, join(clone, output), { recursive: true, preserveTimestamps: true });
  }
  await rm(join(clone, "dist/program"), { recursive: true });
  await symlink(resolve("node_modules"), join(clone, "node_modules"));
}, 120_000);

afterAll(() => rm(clone, { recursive: true, force: true }));

/** Deletes an extra as its maintainer does: the folder, and its lines in the two lists of projects. */
async function deleteExtra(name: string): Promise<void> {
  await rm(join(clone, "extras", name), { recursive: true });
  await rm(join(clone, "dist/extras", name), { recursive: true });
  for (const list of ["tsconfig.json", "test/tsconfig.json"]) {
    const file = join(clone, list);
    const { references, ...rest } = JSON.parse(await readFile(file, "utf8")) as { references: { path: string }[] };
    const isLeft = ({ path }: { path: string }): boolean => /extras\/(\w+)/.exec(path)?.[1] !== name;
    await writeFile(file, JSON.stringify({ ...rest, references: references.filter(isLeft) }));
  }
}

async function compile(): Promise<string> {
  const tsc = join(clone, "node_modules/typescript/bin/tsc");
  return run(process.execPath, [tsc, "-b"], { cwd: clone }).then(
    () => "compiles",
    (error: { stdout: string }) => error.stdout,
  );
}

async function start(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const main = join(clone, "dist/cli/main.js");
  return run(process.execPath, [main, "--cwd", clone, ...args]).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
}

function unlessDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

describe.sequential("a clone without one extra after the other", () => {
  test.each(EXTRAS)("extras/%s compiles", async (name) => {
    await deleteExtra(name);
    expect(await compile()).toBe("compiles");
  });

  test("any extra passes the tests of the core", async () => {
    expect(await readdir(join(clone, "extras"))).toEqual([]);
    const vitest = join(clone, "node_modules/vitest/vitest.mjs");
    const { stdout } = await run(
      process.execPath,
      [
        vitest,
        "run",
        "--project=fast",
        "--maxWorkers=1",
        "test/host/make-",
        "test/host/live-lock",
        "test/engine/run",
        "test/e2e/policy",
      ],
      { cwd: clone, env: { ...process.env, CI: "true" } },
    );
    expect(stdout).toContain("test/e2e/policy.test.ts");
  }, 240_000);

  test("any extra says so where one is asked for", async () => {
    const { stderr, code } = await start("doctor");
    expect(code).toBe(2);
    expect(stderr).toContain('This build of codemode does not have the extra "doctor".');
  });
});
