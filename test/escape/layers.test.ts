import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Ending } from "../../runtime/host/sandbox/conduct-run.ts";
import { probeConfinement } from "../../runtime/host/sandbox/confinement.ts";
import { listNodeFlags, listV8Flags, parseNodeVersion } from "../../runtime/host/sandbox/node-flags.ts";
import { LANGUAGE_GLOBALS } from "../../runtime/sandbox/realm/globals.ts";
import { ALL_NODE_VERSIONS, findNode, type NodeMajor } from "../node-versions/find-node.ts";
import { conductScript, MEMORY, startWithHole } from "./start-with-hole.ts";

/** Runs a script in a sandbox with a hole: see `startWithHole`. */
async function runWithHole(
  version: NodeMajor,
  hole: Record<string, string>,
  script: string,
  holeInBoot: Record<string, string> = {},
): Promise<Ending> {
  return (await conductScript(await startWithHole(version, hole, holeInBoot), script)).ending;
}

/** Gives the script a function of the main realm, made of this text while nothing is frozen yet, that returns a text. */
const fromMainRealm = (code: string): [hole: Record<string, string>, holeInBoot: Record<string, string>] => [
  { "console: makeConsole(log.log)": "console: { ask: () => bridge.ask(), log() {} }" },
  { "useUtc,": `useUtc, ask: ${code},` },
];

/** Everything of the language in the main realm: global objects, what no name leads to, their prototypes and members. */
const LOOSE_INTRINSICS = `(() => {
  const names = ${JSON.stringify(LANGUAGE_GLOBALS)}.concat(
    ["WeakRef", "FinalizationRegistry", "Atomics", "SharedArrayBuffer", "SuppressedError", "DisposableStack", "AsyncDisposableStack"]);
  const hidden = [function* () {}, async function* () {}, async () => {}, (function* () {}).prototype, (async function* () {}).prototype, [].values(), new Map().values(),
    new Set().values(), ""[Symbol.iterator](), "".matchAll(/a/g), new Uint8Array()];
  const isKept = (value) => (typeof value === "function" ? "prototype" in value || value === Proxy : typeof value === "object");
  const roots = new Map(names.filter((name) => isKept(globalThis[name]) && globalThis[name] !== globalThis).map((name) => [name, globalThis[name]]));
  for (const sample of hidden) {
    for (let proto = Object.getPrototypeOf(sample), name = String(sample); proto !== null; proto = Object.getPrototypeOf(proto)) roots.set(name += ".__proto__", proto);
  }
  for (const [name, root] of [...roots]) {
    for (const key of ["prototype", "constructor"]) if (Object(root[key]) === root[key]) roots.set(name + "." + key, root[key]);
  }
  const { isFrozen, isExtensible } = Object, { stringify } = JSON, { ownKeys, getOwnPropertyDescriptor } = Reflect, text = String;
  return () => {
    const loose = [];
    for (const [name, root] of roots) {
      // Node sets the limit of stack traces there.
      if (root === roots.get("Error") ? isExtensible(root) : !isFrozen(root)) loose.push(name);
      for (const key of ownKeys(root)) {
        const { value, get, set } = getOwnPropertyDescriptor(root, key);
        for (const part of [value, get, set]) if (typeof part === "function" && part !== roots.get("Error") && !isFrozen(part)) loose.push(name + "." + text(key));
      }
    }
    return stringify({ roots: roots.size, loose });
  };
})()`;

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

  test("a script that has got a function of the main realm can make no code there and change nothing", async () => {
    const hole = { "console: makeConsole(log.log)": "console: { leak: bridge.send, log() {} }" };
    const script = `
      const MainFunction = console.leak.constructor;
      const MainObject = Object.getPrototypeOf(MainFunction.prototype);
      const attempts = {
        code: () => MainFunction("return process")(),
        pollution: () => { MainObject.polluted = 1; return MainObject.polluted; },
        methods: () => { const before = MainFunction.prototype.call; try { MainFunction.prototype.call = () => 1; } catch {} return MainFunction.prototype.call !== before; },
      };
      const outcome = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try { outcome[name] = attempt() ? "done" : "refused"; } catch { outcome[name] = "refused"; }
      }
      globalThis.__codemode_result__ = { isForeign: MainFunction.prototype !== Object.getPrototypeOf(() => {}), ...outcome };`;

    expect(await runWithHole(version, hole, script)).toMatchObject({
      kind: "result",
      value: { isForeign: true, code: "refused", pollution: "refused", methods: "refused" },
    });
  });

  test("the global object of the main realm has what the language pins, and nothing else", async () => {
    const [hole, holeInBoot] = fromMainRealm(
      "(({ ownKeys }, { stringify }, text, main) => () => stringify(ownKeys(main).map((key) => text(key))))(Reflect, JSON, String, globalThis)",
    );
    const ending = await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();", holeInBoot);
    expect(ending).toMatchObject({ kind: "result" });
    const names = JSON.parse((ending as { value: string }).value) as string[];
    expect(names.toSorted()).toEqual(["Infinity", "NaN", "globalThis", "undefined"]);
  });

  test("every intrinsic of the main realm is frozen", async () => {
    const [hole, holeInBoot] = fromMainRealm(LOOSE_INTRINSICS);
    const ending = await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();", holeInBoot);
    expect(ending).toMatchObject({ kind: "result" });
    const { roots, loose } = JSON.parse((ending as { value: string }).value) as { roots: number; loose: string[] };
    expect(loose).toEqual([]);
    expect(roots).toBeGreaterThan(100);
  });

  test(
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
