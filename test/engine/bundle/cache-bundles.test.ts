import { renameSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { bundleScript, type ScriptSource } from "../../../engine/bundle/bundle-script.ts";
import { cacheBundles } from "../../../engine/bundle/process/bundler.ts";
import { accessOf, visibleLockfile } from "../../../schemas/access/access.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { bundleOf, diagnosticsOf, makeBundleProject } from "./bundle-project.ts";

const ECHO: ScriptSource = {
  name: "script.ts",
  code: `import { echo } from "@codemode/servers/everything"; export default await echo({ text: "a" });`,
};

async function setUp({ maxBytes = 1e6 } = {}) {
  const project = await makeBundleProject();
  onTestFinished(() => project.remove());
  const bundled: string[] = [];
  const bundler = cacheBundles(
    {
      bundle(script, options) {
        bundled.push(script.code);
        return bundleScript(script, options);
      },
    },
    { maxBytes },
  );
  const { generatedFolder } = project;
  return {
    ...project,
    /** The code of each script that had to be bundled. */
    bundled,
    bundle: (script: ScriptSource, lockfile: Lockfile = project.lockfile) =>
      bundler.bundle(script, { generatedFolder, lockfile }),
  };
}

test("a script that was bundled before is not bundled again", async () => {
  const { bundle, bundled } = await setUp();
  const first = bundleOf(await bundle(ECHO));
  expect(bundleOf(await bundle({ ...ECHO }))).toBe(first);
  expect(bundled).toHaveLength(1);
});

test("other code, or another name in diagnostics, is another script", async () => {
  const { bundle, bundled } = await setUp();
  await bundle(ECHO);
  await bundle({ ...ECHO, code: ECHO.code.replace('"a"', '"b"') });
  const { map } = bundleOf(await bundle({ ...ECHO, name: "other.ts" }));
  expect(map.sources).toContain("other.ts");
  expect(bundled).toHaveLength(3);
});

test("a lockfile that has changed gives another bundle, or none", async () => {
  const { bundle, bundled, lockfile } = await setUp();
  bundleOf(await bundle(ECHO));
  const everything = lockfile.servers.get("everything");
  if (everything === undefined) throw new Error("The project has no such server.");
  const changed = { ...everything, integrity: `sha256-${"A".repeat(43)}=` as const };
  const servers = new Map([...lockfile.servers, ["everything", changed] as const]);
  expect(diagnosticsOf(await bundle(ECHO, { servers }))).toMatchObject([{ code: "LOCK_DRIFT" }]);
  bundleOf(await bundle(ECHO));
  expect(bundled).toHaveLength(2);
});

test("a client gets no bundle with hidden tools, even if another client's is cached", async () => {
  const { bundle, lockfile } = await setUp();
  bundleOf(await bundle(ECHO));
  const client = {
    name: "guest",
    token: "secret",
    servers: ["*"],
    policy: { deny: ["everything/echo"] },
    mayApprove: false,
  };
  const access = accessOf({ kind: "http", client }, { policy: DEFAULTS.policy, serve: {} });
  const visible = visibleLockfile(lockfile, access);
  expect(diagnosticsOf(await bundle(ECHO, visible))).toMatchObject([{ code: "IMPORT_FAILURE" }]);
  expect(diagnosticsOf(await bundle(ECHO, visible))).toMatchObject([{ code: "IMPORT_FAILURE" }]);
});

test("a script is bundled each time when it reads a file beside it", async () => {
  const { bundle, folder, write } = await setUp();
  const script = { name: "main.ts", folder, code: `import { label } from "./label.ts"; export default label;` };
  write({ "label.ts": `export const label = "before";` });
  expect(bundleOf(await bundle(script)).code).toContain("before");
  write({ "label.ts": `export const label = "after";` });
  expect(bundleOf(await bundle(script)).code).toContain("after");
});

test("a file beside a script counts where nothing of it is left in the bundle", async () => {
  const { bundle, folder, write } = await setUp();
  const script = { name: "main.ts", folder, code: `import "./setup.ts"; export default 1;` };
  write({ "setup.ts": `export {};` });
  bundleOf(await bundle(script));
  write({ "setup.ts": `console.log("now");` });
  expect(bundleOf(await bundle(script)).code).toContain("now");
});

test("what failed is tried again", async () => {
  const { bundle, generatedFolder } = await setUp();
  renameSync(generatedFolder, `${generatedFolder}-later`);
  expect(diagnosticsOf(await bundle(ECHO))).toMatchObject([{ code: "LOCK_DRIFT" }]);
  renameSync(`${generatedFolder}-later`, generatedFolder);
  bundleOf(await bundle(ECHO));
});

test("what was not used for longest is forgotten when there is too much", async () => {
  const scripts = ["a", "b", "c"].map((letter) => ({
    name: "script.ts",
    code: `export default "${letter.repeat(10_000)}";`,
  }));
  const [first, second, third] = scripts as [ScriptSource, ScriptSource, ScriptSource];
  const { bundle, bundled } = await setUp({ maxBytes: 150_000 });
  for (const script of [first, second, first, third]) await bundle(script);
  bundled.length = 0;
  await bundle(first);
  expect(bundled).toEqual([]);
  await bundle(second);
  expect(bundled).toEqual([second.code]);
});

test("a bundle that is larger than all that may be kept takes the place of no other", async () => {
  const { bundle, bundled } = await setUp({ maxBytes: 150_000 });
  await bundle(ECHO);
  await bundle({ name: "script.ts", code: `export default "${"a".repeat(100_000)}";` });
  bundled.length = 0;
  await bundle(ECHO);
  expect(bundled).toEqual([]);
});

test("what an earlier process has kept is not bundled, and later found in memory", async () => {
  const { generatedFolder, lockfile, bundle, bundled } = await setUp();
  const first = await bundle(ECHO);
  if (!first.ok) throw new Error("It was not bundled.");
  let reads = 0;
  const kept = { find: () => ((reads += 1), first), keep: () => expect.unreachable() };
  const later = cacheBundles({ bundle: () => expect.unreachable() }, { kept });
  for (const script of [ECHO, { ...ECHO }]) {
    expect(bundleOf(await later.bundle(script, { generatedFolder, lockfile }))).toBe(first.bundle);
  }
  expect([reads, bundled.length]).toEqual([1, 1]);
});
