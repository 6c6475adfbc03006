import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { probeConfinement } from "../../runtime/sandbox/pool/confinement.ts";
import { listNodeFlags, listV8Flags, parseNodeVersion } from "../../runtime/sandbox/pool/node-flags.ts";
import { ALL_NODE_VERSIONS, findNode } from "../node-versions/find-node.ts";
import { MEMORY, runWithHole } from "./start-with-hole.ts";
import { testOnLinux } from "../platforms/needs.ts";

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  test("a script that has got the guest realm's Function still finds no Node and no loader", async () => {
    const hole = {
      "const feralError = Error;": "const feralError = Error; globalThis.feralFunction = Function;",
      "Function: Function.prototype.constructor": "Function: globalThis.feralFunction",
    };
    const script = `
      const reached = Function("return this")();
      const names = ["process", "require", "fetch", "Buffer", "WebAssembly", "SharedArrayBuffer", "Atomics", "console", "setTimeout",
        "eval", "Function", "WeakRef", "FinalizationRegistry", "Compartment", "ModuleSource", "lockdown", "repairIntrinsics", "hardenIntrinsics",
        "harden", "assert", "getStackString", "HandledPromise", "DisposableStack", "AsyncDisposableStack", "ShadowRealm"];
      let imported;
      try { imported = await Function("return imp" + "ort('node:fs')")(); } catch {}
      globalThis.__codemode_result__ = { isReal: reached !== globalThis, found: names.filter((name) => name in reached), imported: typeof imported };`;

    expect(await runWithHole(version, hole, script)).toMatchObject({
      kind: "result",
      value: { isReal: true, found: [], imported: "undefined" },
    });
  });

  testOnLinux("/proc")(
    "code that has got all of Node still reaches no file, process, thread or network",
    { timeout: 60_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "codemode-layers-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const { launcher } = await probeConfinement();
      const program = join(folder, "attacker.cjs");
      await writeFile(program, attackerProgram((server.address() as { port: number }).port, folder));

      const nodeVersion = parseNodeVersion(`${version}.20.0`);
      const flags = [...listV8Flags(MEMORY, nodeVersion), ...listNodeFlags(nodeVersion, [`${folder}/`])];
      const words = [...launcher, findNode(version), ...flags, program];
      const stdout = await new Promise<string>((resolve) => {
        execFile(words[0] as string, words.slice(1), { env: {}, cwd: "/" }, (_error, text) => resolve(text));
      });

      const reached = JSON.parse(stdout) as Record<string, boolean>;
      const { network, ...others } = reached;
      expect(Object.entries(others).filter(([, isReached]) => isReached)).toEqual([]);
      expect(Object.keys(others)).toHaveLength(8);
      // Without a namespace of its own, a process of Node 20 to 24 can connect: SECURITY.md says so.
      expect(network).toBe(!launcher.includes("--net"));
    },
  );
});

function attackerProgram(port: number, folder: string): string {
  return `
    const ways = {
      "read a file": () => require("node:fs").readFileSync("/etc/passwd").length,
      "list a folder": () => require("node:fs").readdirSync("/").length,
      "read its own environment": () => require("node:fs").readFileSync("/proc/self/environ") && true,
      "write beside itself": () => require("node:fs").writeFileSync(${JSON.stringify(join(folder, "written"))}, "x") ?? true,
      "start a process": () => require("node:child_process").spawnSync("/bin/true").status === 0,
      "start a thread": () => new (require("node:worker_threads").Worker)("1", { eval: true }) && true,
      "open the inspector": () => require("node:inspector").open(0) ?? true,
      "find a variable of the host": () => Object.keys(process.env).length > 0,
    };
    const reached = {};
    for (const [name, way] of Object.entries(ways)) {
      try { reached[name] = Boolean(way()); } catch { reached[name] = false; }
    }
    const socket = require("node:net").connect(${port}, "127.0.0.1");
    const end = (network) => { console.log(JSON.stringify({ ...reached, network })); process.exit(); };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));`;
}
