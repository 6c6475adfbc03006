import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_NODE_VERSIONS, findNode } from "../node-versions/find-node.ts";
import { makeProject, runCodemode, STAND_INS } from "./run-codemode.ts";

/** What a dependency, or Node itself, may look at; each alone or together, none may print to standard output. */
const NOISY = {
  ...{ VERBOSE: "1", DEBUG: "*", TRACE: "1", LOG_LEVEL: "trace", NODE_ENV: "development", FORCE_COLOR: "3" },
  ...{ NODE_DEBUG: "module,net", TSC_NONPOLLING_WATCHER: "1", TSC_WATCHFILE: "UseFsEvents", PINO_LOG: "trace" },
  ...{ NAPI_RS_FORCE_WASI: "", NAPI_RS_ENFORCE_VERSION_CHECK: "1", ROLLUP_WATCH: "true" },
};

const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

test("with any variables, standard output contains the output of the command only", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  const options = { cwd, env: NOISY };
  const script = 'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });';
  // The first one locks and emits, in its own process.
  expect(await runCodemode(["generate"], options)).toMatchObject({ code: 0, stdout: "" });
  expect(await runCodemode(["run", "--eval", script], options)).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
  expect(await runCodemode(["generate", "--check"], options)).toMatchObject({ code: 0, stdout: "" });
  expect(await runCodemode(["lock"], options)).toMatchObject({ code: 0, stdout: "" });
  const served = await runCodemode(["serve"], { ...options, stdin: `${INITIALIZE}\n` });
  const lines = served.stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id?: number }).id)).toContain(1);
});

test("help and version are still printed there", async () => {
  const cwd = await makeProject({});
  expect((await runCodemode(["run", "--help"], { cwd })).stdout).toContain("codemode run");
  expect((await runCodemode(["--version"], { cwd })).stdout).toContain("codemode/");
});

test("no variable brings another native library into the process", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: {} },
    "foreign.cjs": 'require("node:fs").writeFileSync(__dirname + "/loaded", "")',
    "script.ts": "const answer: number = 42; export default answer;",
  });
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: join(cwd, "foreign.cjs") };
  expect(await runCodemode(["bundle", "script.ts", "--out", "script.json"], { cwd, env })).toMatchObject({ code: 0 });
  expect(await runCodemode(["run", "script.ts"], { cwd, env })).toMatchObject({ code: 0, stdout: "42\n" });
  await expect(access(join(cwd, "loaded"))).rejects.toThrow();
});

test.each(ALL_NODE_VERSIONS)("Node %s warns of nothing in what users run", async (major) => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  const node = findNode(major);
  const script = 'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });';
  for (const words of [["generate"], ["run", "--eval", script], ["check", "--eval", script], ["tools"], ["pack"]]) {
    const { code, stderr } = await runCodemode(words, { cwd, node });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/\(node:\d+\)|Warning/);
  }
  const served = await runCodemode(["serve"], { cwd, node, stdin: `${INITIALIZE}\n` });
  expect(served.stderr).not.toMatch(/\(node:\d+\)|Warning/);
});
