import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../../runtime/sandbox/pool/run-bundle.ts";
import type { SandboxSource } from "../../../runtime/sandbox/pool/sandbox-engine.ts";
import { handleRead } from "../../../runtime/sandbox/pool/handle-call.ts";
import type { RunAnswer } from "../../../schemas/run/answer.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import { type Bundle, leaveOutRuntime, printRuntimeLine } from "../../../schemas/run/bundle.ts";
import { bundleOf, makeBundleProject, type BundleProject } from "../../engine/bundle/bundle-project.ts";

const LEVELS = ["process", "realm", "compartment"] as const;

let project: BundleProject;

beforeAll(async () => {
  project = await makeBundleProject();
});
afterAll(() => project.remove());

const handleCall = handleRead(async ({ toolName, input }) => {
  if (toolName !== "delete") return { ok: true, value: input };
  const error = { errorClass: "ToolCallError", message: "The tool said no.", hint: "Ask another one." } as const;
  return { ok: false, error };
});

const bundle = async (code: string): Promise<Bundle> => bundleOf(await project.bundle(code));

/** What a program answers that brings its own runtime: the same at each level. */
const withOwnRuntime = new Map<string, Promise<{ program: Bundle; expected: RunAnswer }>>();
async function runWithOwnRuntime(code: string): Promise<{ program: Bundle; expected: RunAnswer }> {
  const program = await bundle(code);
  const other = ofAnotherRuntime(program);
  const expected = await runAt("compartment", other);
  expect(sent.at(-1)).toBe(other.code);
  return { program, expected };
}

/** The same program as a version of codemode with another runtime has made it. */
function ofAnotherRuntime({ code, ...rest }: Bundle): Bundle {
  const lines = code.split("\n");
  lines[1] = `${lines[1]};`;
  return { ...rest, code: lines.join("\n") };
}

/** A source of sandboxes that notes the programs which it sends. */
function noteSent(pool: SandboxPool, sent: string[]): SandboxSource {
  return {
    maxMemoryBytes: pool.maxMemoryBytes,
    async take(trustDomain) {
      const sandbox = await pool.take(trustDomain);
      return {
        ...sandbox,
        send(header, body, onSent) {
          if (header.type === "run") sent.push((JSON.parse(String(body)) as { code: string }).code);
          sandbox.send(header, body, onSent);
        },
      };
    },
  };
}

const CALL = 'import { echo } from "@codemode/servers/everything";\nexport default await echo({ text: "hello" });';

const PROGRAMS: readonly (readonly [name: string, code: string])[] = Object.entries({
  "a call": CALL,
  "an input that does not fit":
    'import { echo } from "@codemode/servers/everything";\nconst text = 5 as never;\nexport default await echo({ text });',
  "an error of a tool": 'import { delete_ } from "@codemode/servers/everything";\n\n  await delete_({});',
  "an error that a script reads":
    'import { echo } from "@codemode/servers/everything";\nimport { SchemaValidationError } from "@codemode/errors";\n' +
    "try { await echo({} as never); } catch (error) {\n" +
    "  console.log(String(error.stack));\n  globalThis.__codemode_result__ = [error instanceof SchemaValidationError, error.pointer];\n}",
  "an error before the first await":
    'import { echo } from "@codemode/servers/everything";\nconsole.log(typeof echo);\nnull.member;',
  "an error in a function":
    'import { echo } from "@codemode/servers/everything";\nfunction fail() {\n  return echo.missing.member;\n}\nfail();',
  "a promise that nothing handles":
    'import { echo } from "@codemode/servers/everything";\nvoid Promise.reject(new TypeError(typeof echo));\nawait 1;',
  "more modules":
    'import * as all from "@codemode/servers/everything";\nimport { specVersion, listServers } from "@codemode/discovery";\n' +
    "console.log(specVersion, Object.keys(all));\nexport default await listServers();",
  "a stack": 'import { echo } from "@codemode/servers/everything";\nconsole.log(echo.name, new Error("here").stack);',
});

const pools = new Map<string, SandboxPool>();
beforeAll(() => {
  for (const level of LEVELS)
    pools.set(level, makeSandboxPool({ reuse: level === "process" ? undefined : { times: 1000, renew: level } }));
});
afterAll(() => Promise.all([...pools.values()].map((pool) => pool.close())));

const sent: string[] = [];
async function runAt(level: (typeof LEVELS)[number], program: Bundle): Promise<RunAnswer> {
  const pool = pools.get(level);
  if (pool === undefined) throw new Error(`There is no pool of the level ${level}.`);
  const limits = { ...DEFAULTS.limits, timeoutMs: 5_000 };
  return runBundle(program, { pool: noteSent(pool, sent), handleCall, limits, trustDomain: "tests" });
}

describe.each(LEVELS)("at level %s", (level) => {
  const run = (program: Bundle): Promise<RunAnswer> => runAt(level, program);
  const withoutTimes = ({ logs, toolTrace, ...answer }: RunAnswer) => ({
    ...answer,
    logs: logs.map(({ message }) => message),
    toolTrace: toolTrace.map(({ serverId, toolName, ok }) => ({ serverId, toolName, ok })),
  });

  test.each(PROGRAMS)(
    "%s: a program with its own runtime has the same answer, places and stacks too",
    async (_name, code) => {
      const known = withOwnRuntime.get(code) ?? runWithOwnRuntime(code);
      withOwnRuntime.set(code, known);
      const { program, expected } = await known;
      const answer = await run(program);
      expect(sent.at(-1)?.length).toBeLessThan(program.code.length - 9_000);
      expect(withoutTimes(answer)).toEqual(withoutTimes(expected));
    },
  );

  test("a script finds nothing of another on what the runtime has given to it", async () => {
    const program = await bundle(`
      import { echo } from "@codemode/servers/everything";
      import * as errors from "@codemode/errors";
      import { contentOf } from "@codemode/results";
      import { listServers } from "@codemode/discovery";

      const own = [echo, contentOf, listServers, ...Object.values(errors)];
      const parts = new Set<object>();
      const collect = (value: unknown) => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null || parts.has(value)) return;
        parts.add(value);
        for (const key of Reflect.ownKeys(value)) collect(Reflect.getOwnPropertyDescriptor(value, key)?.value);
        collect(Object.getPrototypeOf(value));
      };
      own.forEach(collect);
      const found = [...parts].filter((part) => "left" in part).length;
      const left = [...parts].filter((part) => Reflect.set(part, "left", 1) || Reflect.defineProperty(part, "left", { value: 1 }));
      const open = own.filter((part) => !Object.isFrozen(part)).length;
      export default { found, left: left.length, open, isLarge: parts.size > 20 };
    `);
    const expected = { found: 0, left: 0, open: 0, isLarge: true };
    expect((await run(program)).result).toEqual(expected);
    expect((await run(program)).result).toEqual(expected);
  });

  test("a script reaches no global object but its own through the runtime", async () => {
    const program = await bundle(`
      import { echo } from "@codemode/servers/everything";
      import { CodemodeError } from "@codemode/errors";

      const functions = [echo, CodemodeError, Object.getPrototypeOf(CodemodeError), echo.constructor];
      const made = functions.map((one) => {
        try { return one.constructor("return globalThis")() === globalThis ? "own" : "another"; } catch { return "none"; }
      });
      export default [...made, Object.getPrototypeOf(CodemodeError) === Error];
    `);
    expect((await run(program)).result).toEqual(["none", "none", "none", "none", true]);
  });

  test("a pinned text that only looks like a program fails as a script does", async () => {
    const program = await bundle(CALL);
    const [start, runtime] = program.code.split("\n");
    const middle = "return 1; }) }); 5 + ((x) => { (function () {";
    const code = [start, runtime, middle, ...program.code.split("\n").slice(-2)].join("\n");
    const answer = await run({ ...program, code });
    expect(sent.at(-1)).not.toContain(runtime);
    expect(answer).toMatchObject({ result: null, diagnostics: [{ severity: "error", code: "UNCAUGHT_EXCEPTION" }] });
  });
});

test("only the very runtime of the sandbox is left out", async () => {
  const { code } = await bundle(CALL);
  const [, line = ""] = code.split("\n");
  const left = leaveOutRuntime(code, line);
  expect(left).toContain('("use strict"'.slice(1));
  expect(left).not.toContain(line);
  expect(left?.split("\n").slice(2, -3)).toEqual(code.split("\n").slice(2, -2));
  expect(leaveOutRuntime(code, printRuntimeLine("{}"))).toBeUndefined();
  expect(leaveOutRuntime(code, line.slice(0, -1))).toBeUndefined();
  expect(leaveOutRuntime(`${code} `, line)).toBeUndefined();
  expect(leaveOutRuntime(` ${code}`, line)).toBeUndefined();
});
