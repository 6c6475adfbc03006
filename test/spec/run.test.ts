import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import { handleRead } from "../../runtime/sandbox/pool/handle-call.ts";
import { failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { DEFAULTS, type RunLimits } from "../../schemas/config/config-file.ts";
import { COMMAND, LEVEL } from "../sandbox/realm/isolation-under-test.ts";
import { makeBundleProject, type BundleProject } from "../engine/bundle/bundle-project.ts";

let project: BundleProject;
let pool: SandboxPool;

beforeAll(async () => {
  project = await makeBundleProject();
  pool = makeSandboxPool({ reuse: LEVEL.reuse, command: COMMAND });
});
afterAll(async () => {
  await pool.close();
  project.remove();
});

const handleCall = handleRead(async ({ toolName, input }) => {
  if (toolName !== "delete") return { ok: true, value: input };
  return {
    ok: false,
    error: { errorClass: "ToolCallError", message: "The tool said no.", hint: "Ask another one." },
  };
});

/** Runs code as `codemode.run` does: bundled with the bindings that it uses, then in a sandbox. */
async function run(code: string, limits: Partial<RunLimits> = {}): Promise<RunAnswer> {
  const outcome = await project.bundle(code);
  if (!outcome.ok) return failedAnswer(outcome.diagnostics);
  const { trustDomain } = LEVEL;
  return runBundle(outcome.bundle, {
    ...{ pool, handleCall, trustDomain },
    limits: { ...DEFAULTS.limits, timeoutMs: 5_000, ...limits },
  });
}

describe("a failing script gets an answer [3.3.4/always-answer] [3.3/fields]", () => {
  test.each([
    ["a syntax error", "const a = 1;\nconst b = = 2;", "SYNTAX_ERROR", "script.ts:2:11"],
    [
      "an uncaught error",
      "type A = string;\nconst a: A = null as never;\na.length;",
      "UNCAUGHT_EXCEPTION",
      "script.ts:3:3",
    ],
    ["an unhandled rejection", 'Promise.reject(\n  new Error("x"));', "UNHANDLED_REJECTION", "script.ts:2:3"],
  ])("%s [3.3.4/diagnostic] [3.3.4/null-result]", async (_name, code, diagnosticCode, path) => {
    expect(await run(code)).toEqual({
      logs: [],
      result: null,
      diagnostics: [
        {
          severity: "error",
          code: diagnosticCode,
          message: expect.any(String),
          path: expect.stringContaining(path),
          hint: expect.any(String),
        },
      ],
      toolTrace: [],
    });
  });
});

describe("bindings", () => {
  test("are called by a script as functions, and their errors are caught as errors [11/bindings]", async () => {
    const code = `import { echo, delete_ } from "@codemode/servers/everything";
import { ToolCallError } from "@codemode/errors";
const { text } = await echo({ text: "hello" }) as { text: string };
const caught = await delete_({}).catch((error: unknown) => error);
export default [text, caught instanceof ToolCallError, (caught as ToolCallError).hint];`;
    expect(await run(code)).toMatchObject({
      result: ["hello", true, "Ask another one."],
      diagnostics: [],
      toolTrace: [
        { serverId: "everything", toolName: "echo", ok: true },
        { serverId: "everything", toolName: "delete", ok: false },
      ],
    });
  });

  test("whose errors are not caught end the run at the line of the call, with the error's class and hint", async () => {
    const code = `import { delete_ } from "@codemode/servers/everything";\n\nawait delete_({});`;
    expect(await run(code)).toMatchObject({
      result: null,
      diagnostics: [
        {
          code: "UNCAUGHT_EXCEPTION",
          errorClass: "ToolCallError",
          hint: "Ask another one.",
          path: expect.stringMatching(/^script\.ts:3:/),
        },
      ],
    });
  });

  test("that are not awaited are named in a warning, or in an error when they fail", async () => {
    const imports = 'import { delete_, echo } from "@codemode/servers/everything";\n';
    expect(await run(`${imports}echo({ text: "a" });`)).toMatchObject({
      diagnostics: [
        { severity: "warning", code: "MISSING_AWAIT", message: expect.stringContaining("everything/echo") },
      ],
    });
    expect(await run(`${imports}delete_({});`)).toMatchObject({
      diagnostics: [{ severity: "error", code: "UNHANDLED_REJECTION", errorClass: "ToolCallError" }],
    });
  });

  test("cannot be changed by a script [11/bindings]", async () => {
    const changing = (change: string): string => `import * as everything from "@codemode/servers/everything";
const all = everything as any, before = everything.echo, fake = () => "fake";
try { ${change} } catch {}
export default everything.echo === before && all.echo === before;`;
    const changes = [
      'Object.defineProperty(everything, "echo", { value: fake });',
      "all.echo = fake;",
      "delete all.echo;",
      "[all.echo] = [fake];",
      'Reflect.set(everything, "echo", fake);',
      "Object.setPrototypeOf(everything, { echo: fake });",
    ];
    for (const change of changes) expect(await run(changing(change)), change).toMatchObject({ result: true });
  });

  test("that are assigned to by name are refused before anything runs [11/bindings]", async () => {
    const assignments = [
      "everything.echo = fake",
      "[everything.echo] = [fake]",
      "everything.echo ||= fake",
      "delete everything.echo",
    ];
    for (const assignment of assignments) {
      const code = `import * as everything from "@codemode/servers/everything";
const fake = () => "fake", before = everything.echo;
${assignment};
export default everything.echo === before;`;
      const { result, diagnostics } = await run(code);
      expect(result, assignment).not.toBe(false);
      expect(diagnostics, assignment).toMatchObject([
        { severity: "error", path: expect.stringMatching(/^script\.ts:3:/) },
      ]);
    }
  });
});

describe("the world outside [3.4/side-effects]", () => {
  test("cannot be reached over the network, by none of the ways of Node [3.4/network]", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ways = {
      [`await globalThis.fetch("${url}");`]: "UNCAUGHT_EXCEPTION",
      [`new globalThis.WebSocket("${url.replace("http", "ws")}");`]: "UNCAUGHT_EXCEPTION",
      [`await fetch("${url}");`]: "TYPE_ERROR",
      [`new XMLHttpRequest().open("GET", "${url}");`]: "TYPE_ERROR",
      [`new WebSocket("${url.replace("http", "ws")}");`]: "TYPE_ERROR",
      [`new EventSource("${url}");`]: "TYPE_ERROR",
      [`navigator.sendBeacon("${url}");`]: "TYPE_ERROR",
      [`process.binding("tcp_wrap");`]: "TYPE_ERROR",
      [`require("node:http").get("${url}");`]: "IMPORT_FAILURE",
      [`await import("${url}");`]: "IMPORT_FAILURE",
    };
    const codes = await Promise.all(
      Object.keys(ways).map(async (way) => [way, (await run(way)).diagnostics[0]?.code] as const),
    );
    await new Promise((resolve) => server.close(resolve));

    expect(Object.fromEntries(codes)).toEqual(ways);
    expect(requests).toBe(0);
  });

  test("holds no prototype that a script could pollute [11/pollution] [11/bindings]", async () => {
    const code =
      "for (const target of [Object.prototype, Array.prototype, Function.prototype, globalThis.__codemode_call__]) {\n" +
      "  try { (target as any).polluted = 1; } catch {}\n}\nexport default ({} as any).polluted ?? 'clean';";
    expect(await run(code)).toMatchObject({ result: "clean" });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("SECURITY.md speaks of every layer", async () => {
  const written = await readFile("SECURITY.md", "utf8");
  for (const layer of ["Compartment", "vm context", "main realm", "permission", "namespace", "prlimit", "host"])
    expect(written).toContain(layer);
});
