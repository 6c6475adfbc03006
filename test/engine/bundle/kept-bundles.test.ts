import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { BundledScript, ScriptSource } from "../../../engine/bundle/bundle-script.ts";
import { openKeptBundles, readBuild } from "../../../engine/bundle/process/bundler.ts";
import { makeBundleProject } from "./bundle-project.ts";
import { testOnPosix } from "../../platforms/needs.ts";

const ECHO: ScriptSource = {
  name: "script.ts",
  code: `import { echo } from "@codemode/servers/everything"; export default await echo({ text: "a" });`,
};

/** A project in which the bundle of `ECHO` has been kept, in a cache of its own. */
async function setUp({ maxBytes = 1e6 } = {}) {
  const home = mkdtempSync(join(tmpdir(), "codemode-kept-"));
  vi.stubEnv("XDG_CACHE_HOME", home);
  const project = await makeBundleProject();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
    project.remove();
  });
  const { generatedFolder, lockfile } = project;
  const options = { generatedFolder, lockfile };
  const kept = openKeptBundles("build-1", { maxBytes });
  const bundled = await bundle(ECHO);
  kept.keep(ECHO, options, bundled);
  const folder = join(home, "codemode/bundles");
  return {
    ...project,
    kept,
    options,
    bundled,
    bundle,
    files: () => readdirSync(folder).map((name) => join(folder, name)),
  };

  async function bundle({ code, name }: ScriptSource, isFile = false): Promise<BundledScript> {
    const outcome = await project.bundle(code, isFile ? name : undefined);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics));
    return outcome;
  }
}

testOnPosix("modes of files")(
  "another process finds the bundle of the same script, in a file for its user alone",
  async () => {
    const { bundled, options, files } = await setUp();
    expect(openKeptBundles("build-1").find({ ...ECHO }, options)).toEqual(bundled);
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  },
);

test("another script, lockfile, folder or build has no bundle there", async () => {
  const { kept, options } = await setUp();
  expect(kept.find({ ...ECHO, code: `${ECHO.code} ` }, options)).toBeUndefined();
  expect(kept.find({ ...ECHO, name: "other.ts" }, options)).toBeUndefined();
  expect(kept.find(ECHO, { ...options, generatedFolder: "/elsewhere" })).toBeUndefined();
  const [[id, server] = []] = options.lockfile.servers;
  if (id === undefined || server === undefined) throw new Error("The project has no server.");
  const replaced = (change: object) => ({
    servers: new Map([...options.lockfile.servers, [id, { ...server, ...change }]]),
  });
  expect(
    kept.find(ECHO, { ...options, lockfile: replaced({ integrity: `sha256-${"A".repeat(43)}=` }) }),
  ).toBeUndefined();
  expect(kept.find(ECHO, { ...options, lockfile: replaced({ isPartial: true }) })).toBeUndefined();
  expect(kept.find(ECHO, { ...options, resultIds: ["a"] })).toBeUndefined();
  expect(openKeptBundles("build-2").find(ECHO, options)).toBeUndefined();
  expect(openKeptBundles(undefined).find(ECHO, options)).toBeUndefined();
});

test.each(["everything/tools/echo.js", "everything/tools.json"])(
  "a bundle is not found when %s is no longer what it was made from",
  async (path) => {
    const { kept, options } = await setUp();
    const file = join(options.generatedFolder, path);
    const text = readFileSync(file);
    appendFileSync(file, "\n");
    expect(kept.find(ECHO, options)).toBeUndefined();
    writeFileSync(file, text);
    expect(kept.find(ECHO, options)).toBeDefined();
    rmSync(file);
    expect(kept.find(ECHO, options)).toBeUndefined();
  },
);

test.each<[how: string, damage: (file: string) => void]>([
  ["cut off", (file) => truncateSync(file, 100)],
  ["empty", (file) => truncateSync(file, 0)],
  ["changed", (file) => writeFileSync(file, readFileSync(file, "utf8").replace("echo", "ecco"))],
  ["writable for others", (file) => chmodSync(file, 0o666)],
])("a file that is %s is no bundle, and is replaced", async (_how, damage) => {
  const { kept, options, bundled, files } = await setUp();
  for (const file of files()) damage(file);
  expect(kept.find(ECHO, options)).toBeUndefined();
  kept.keep(ECHO, options, bundled);
  expect(kept.find(ECHO, options)).toEqual(bundled);
});

test("a script with files beside it is not kept", async () => {
  const { kept, options, bundle, write, files } = await setUp();
  write({ "other.ts": "export const other = 1;" });
  const script = { name: "script.ts", code: `import { other } from "./other.ts"; export default other;` };
  kept.keep(script, options, await bundle(script, true));
  expect(files()).toHaveLength(1);
});

test("the bundles that were used last stay", async () => {
  const { kept, options, bundle, files, bundled } = await setUp({ maxBytes: 50_000 });
  const scripts = Array.from({ length: 8 }, (_, index) => ({ ...ECHO, code: `${ECHO.code} // ${index}` }));
  for (const script of scripts) kept.keep(script, options, await bundle(script));
  expect(kept.find(ECHO, options)).toBeUndefined();
  expect(kept.find(scripts.at(-1) as ScriptSource, options)).toBeDefined();
  const bytes = files().reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeGreaterThan(JSON.stringify(bundled).length);
  expect(bytes).toBeLessThanOrEqual(50_000);
});

test("the output of the compiler alone names no build", async () => {
  expect(readBuild(new URL("../../../engine/bundle/process/main.ts", import.meta.url))).toBeUndefined();
});
