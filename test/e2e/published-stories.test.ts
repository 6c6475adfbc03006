import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findNode, NODE_VERSIONS } from "../node-versions/find-node.ts";
import { findDependencies } from "../publishing/installed-packages.ts";
import { packRepository } from "../publishing/pack-repository.ts";
import { type Registry, startRegistry } from "../publishing/registry.ts";
import { FILES, STORIES } from "../publishing/stories.ts";
import { type Finished, whenFinished } from "./finished.ts";
import { writeFiles } from "./run-codemode.ts";

/** Holds what `npm pack` makes, a registry with what the packages list as dependencies and nothing else, and a project for each version of Node. */
let root = "";
let registry: Registry;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "codemode-test-"));
  registry = await startRegistry(join(root, "registry"));
  const [tarballs] = await Promise.all([
    packRepository(join(root, "own"), registry.environment),
    registry.stock(findDependencies(resolve("."))),
  ]);
  const first = join(root, "installed");
  await writeFiles(first, { ...FILES, "package.json": { name: "stories", private: true } });
  const words = ["install", "--save-dev", ...tarballs];
  await promisify(execFile)("npm", words, { cwd: first, env: registry.environment });
  for (const major of NODE_VERSIONS) {
    await cp(first, join(root, major), { recursive: true, verbatimSymlinks: true });
    await mkdir(join(root, `bin-${major}`));
    await symlink(findNode(major), join(root, `bin-${major}/node`));
  }
}, 120_000);
afterAll(async () => {
  await registry.stop();
  await rm(root, { recursive: true });
});

test("npm installs few packages with them: what is linked is not among them", async () => {
  const entries = await readdir(join(root, "installed/node_modules"), { recursive: true });
  const packages = entries.flatMap((path) => /^((?:@[^/]+\/)?[^/.][^/]*)\/package\.json$/.exec(path)?.[1] ?? []);
  expect(packages).toEqual(expect.arrayContaining(["codemode", "@codemode/openapi", "@codemode/runtime", "ts-morph"]));
  expect(packages.filter((name) => /^(?:ses|ajv|zod|yaml|typescript)$|^@modelcontextprotocol/.test(name))).toEqual([]);
  expect(packages.length).toBeLessThanOrEqual(20);
});

/** Types a line on a machine whose account has nothing else of codemode. */
function type(major: string, [program = "", ...args]: readonly string[]): Promise<Finished> {
  const cwd = join(root, major);
  const home = join(root, `home-${major}`);
  const places = [join(root, `bin-${major}`), join(cwd, "node_modules/.bin"), process.env["PATH"] ?? ""];
  const { CODEMODE_TRUST: _trusted, ...inherited } = registry.environment;
  const own = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CACHE_HOME: join(home, "cache") };
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, ...own, PATH: places.join(delimiter) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return whenFinished(child);
}

describe.each(NODE_VERSIONS)("a user with the packed packages on Node %s", (major) => {
  test("has that version", async () => {
    expect((await type(major, ["node", "--version"])).stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  test.each(STORIES)("$title", async ({ words, prints, code = 0 }) => {
    const finished = await type(major, words);
    expect(finished.stdout + finished.stderr).toMatch(prints);
    expect(finished.code).toBe(code);
  });
});
