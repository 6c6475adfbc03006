import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkIsolate, linkWorker } from "../../deploy/cloudflare/link.js";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { ATTACKS } from "../escape/attacks/all.ts";
import { HELD, judgeAttack, scriptOf } from "../escape/outcome-of.ts";
import { TEST_LIMITS, toBundle } from "../sandbox/realm/run-script.ts";
import { startEchoHttp } from "../servers/echo-http.mjs";
import { CHANGES_ITS_OWN_ISOLATE, STARTS_WITHOUT_EFFECT } from "./own-isolate.ts";
import { type LocalWorkerd, startWorkerd, TOKEN } from "./start-workerd.ts";
import type { TryRequest } from "./try-worker.ts";

const run = promisify(execFile);
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

let workerd: LocalWorkerd;
beforeAll(async () => {
  const isolate = await linkIsolate();
  workerd = await startWorkerd(await linkWorker(fileOf("try-worker.ts"), new Map([["codemode:isolate", isolate]])));
});
afterAll(() => workerd.close());

async function runInIsolate(source: string, options: Partial<TryRequest> = {}): Promise<RunAnswer> {
  const body: TryRequest = { bundle: toBundle(source), limits: TEST_LIMITS, ...options };
  const response = await fetch(workerd.url, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as RunAnswer;
}

test("an attack changes its own isolate at most", { timeout: 300_000 }, async () => {
  const got: string[] = [];
  for (const attack of Object.values(ATTACKS).flat()) {
    const outcome = judgeAttack(attack, await runInIsolate(scriptOf(attack)));
    if (outcome !== HELD) got.push(attack.name);
    // What it changed is not there for the next.
    const next = await runInIsolate("globalThis.__codemode_result__ = [({}).polluted ?? null, [1].map(String)[0]];");
    expect([attack.name, next.result, next.diagnostics]).toEqual([attack.name, [null, "1"], []]);
  }

  expect(got.toSorted()).toEqual([...CHANGES_ITS_OWN_ISOLATE, ...STARTS_WITHOUT_EFFECT].toSorted());
});

test("a script reaches no network, no files and no code from text", async () => {
  const reached = await runInIsolate(`
    const tries = {
      eval: () => (0, eval)("1"),
      Function: () => Function("return 1")(),
      files: async () => (await import("node:fs")).readFileSync("/etc/passwd"),
      sockets: async () => (await import("cloudflare:sockets")).connect("127.0.0.1:1"),
      WebAssembly: () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
      fetch: () => fetch("http://127.0.0.1:1"),
    };
    const got = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try { got[name] = String(await attempt()); } catch { got[name] = "refused"; }
    }
    globalThis.__codemode_result__ = got;`);

  const refused = Object.fromEntries(
    ["eval", "Function", "files", "sockets", "WebAssembly", "fetch"].map((name) => [name, "refused"]),
  );
  expect(reached.result).toEqual(refused);
});

test("an endless wait, an error and a long result end as they do in a process", async () => {
  const waiting = await runInIsolate("await new Promise(() => {});");
  expect(waiting.diagnostics[0]?.message).toContain("nothing can settle");
  const failed = await runInIsolate('\nthrow new TypeError("no");');
  expect(failed.diagnostics[0]).toMatchObject({ code: "UNCAUGHT_EXCEPTION", path: "script.ts:2:7" });
  const cut = await runInIsolate('globalThis.__codemode_result__ = "x".repeat(2000);', {
    limits: { ...TEST_LIMITS, maxResultBytes: 1000 },
  });
  expect(cut.diagnostics[0]?.code).toBe("RESULT_TRUNCATED");
});

test("a pinned bundle runs unchanged, and its calls reach a remote server through every check", async () => {
  const server = await startEchoHttp();
  const folder = await mkdtemp(join(tmpdir(), "codemode-cloudflare-"));
  const codemode = (...words: string[]) =>
    run(process.execPath, [fileOf("../../dist/cli/main.js"), ...words], { cwd: folder });
  const configuration = (policy: object): string =>
    JSON.stringify({ mcpServers: { remote: { type: "http", url: server.url } }, scripts: { job: "job.json" }, policy });
  await writeFile(join(folder, "codemode.config.json"), configuration({}));
  await writeFile(
    join(folder, "job.ts"),
    `import { echo } from "@codemode/servers/remote";
     export const input = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
     const { n } = globalThis.__codemode_input__ as { n: number };
     console.log("number", n);
     export default [await echo({ message: String(n) }), new URL("a", "https://example.com").href];`,
  );
  await codemode("lock");
  await codemode("generate");
  await codemode("bundle", "job.ts", "-o", "job.json");

  const build = async (): Promise<LocalWorkerd> => {
    await run(process.execPath, [fileOf("../../deploy/cloudflare/build.js"), ".", "out"], { cwd: folder });
    return startWorkerd(await readFile(join(folder, "out/worker.js"), "utf8"));
  };
  const post = async (
    at: LocalWorkerd,
    input: JsonValue,
    token: string,
  ): Promise<{ status: number; body: RunAnswer }> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${at.url}/run/job`, { method: "POST", headers, body: JSON.stringify(input) });
    return { status: response.status, body: (await response.json()) as RunAnswer };
  };
  const worker = await build();
  try {
    const { body } = await post(worker, { n: 3 }, TOKEN);
    expect(body.result).toEqual(["3", "https://example.com/a"]);
    expect(body.logs).toMatchObject([{ level: "log", message: "number 3" }]);
    expect(body.toolTrace).toMatchObject([{ serverId: "remote", toolName: "echo", ok: true }]);
    const inSandbox = await codemode("run", "job.json", "--input", '{"n":3}');
    expect(JSON.parse(inSandbox.stdout)).toEqual(body.result);
    expect((await post(worker, { n: "3" }, TOKEN)).body.diagnostics[0]?.code).toBe("INPUT_MISMATCH");
    expect((await post(worker, { n: 3 }, `${TOKEN}.`)).status).toBe(401);
  } finally {
    await worker.close();
  }

  await writeFile(join(folder, "codemode.config.json"), configuration({ deny: ["remote/echo"] }));
  const denying = await build();
  try {
    expect((await post(denying, { n: 3 }, TOKEN)).body.diagnostics[0]?.code).toBe("POLICY_DENIED");
  } finally {
    await denying.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
