import { expect, test } from "vitest";
import { findMoved, targetsOf } from "../../../extras/durable/targets.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { beginRun, makeLedgerProject, startLedger, startProject } from "./start-ledger.ts";

const targetOf = (server: object, env: NodeJS.ProcessEnv = {}) =>
  targetsOf(toConfig({ mcpServers: { s: server as never } }, "codemode.config.json", "/project"), env)["s"];

test("a server is where its calls go: its address, or its program with its arguments", () => {
  const same = (one: object, other: object, env: NodeJS.ProcessEnv = {}, otherEnv = env): boolean =>
    targetOf(one, env) === targetOf(other, otherEnv);
  expect(same({ url: "https://a.example/mcp" }, { url: "https://b.example/mcp" })).toBe(false);
  expect(same({ url: "https://a.example/mcp" }, { url: "https://a.example/other" })).toBe(false);
  expect(same({ url: "https://a.example/mcp?tenant=1" }, { url: "https://a.example/mcp?tenant=2" })).toBe(false);
  const placed = { url: "${BASE}/mcp?key=${API_KEY}", headers: { Authorization: "Bearer ${TOKEN}" } };
  expect(same(placed, placed, { BASE: "https://a.example" }, { BASE: "https://b.example" })).toBe(false);
  // A secret that is replaced makes no other server.
  const [old, next] = [
    { BASE: "https://a.example", API_KEY: "1", TOKEN: "1" },
    { BASE: "https://a.example", API_KEY: "2", TOKEN: "2" },
  ];
  expect(same(placed, placed, old, next)).toBe(true);
  const program = { command: "npx", args: ["-y", "books", "--db", "${DB_URL:-local}", "--token", "${BOOKS_TOKEN}"] };
  expect(same(program, program, { BOOKS_TOKEN: "1" }, { BOOKS_TOKEN: "2" })).toBe(true);
  expect(same(program, program, {}, { DB_URL: "production" })).toBe(false);
  expect(same(program, { ...program, command: "other" })).toBe(false);
  expect(same(program, { ...program, env: { LOG_LEVEL: "debug" } })).toBe(true);
  expect(findMoved({ a: "sha256-1", b: "sha256-2" }, { a: "sha256-1", b: "sha256-3" })).toEqual(["b"]);
  expect(findMoved({ a: "sha256-1" }, {})).toEqual(["a"]);
});

test("a run whose server is at another address goes on when a person says so, and not by itself", async () => {
  const { ledger, project } = await startProject();
  const other = await startLedger();
  const engine = await project.openEngine({ approve: async () => "unavailable" as const });
  const code = `import { pay } from "@codemode/servers/ledger"; export default await pay({ entry: "rent" });`;
  const options = { key: "k", durable: { suspendAfterMs: 50 } };
  const { id, running, runs } = await beginRun(engine, { code }, options);
  await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  await engine.close();
  await running;
  const moved = await project.openEngine(
    { approve: async () => "granted" as const },
    { mcpServers: { ledger: { url: other.url } } },
  );
  const failures: unknown[] = [];
  const later = await moved.durableRuns();
  const stop = later.watch({ onFailure: (error) => failures.push(error) });
  await expect.poll(() => failures.length, { timeout: 15_000 }).toBe(1);
  stop();
  expect(failures).toMatchObject([{ code: "RUN_MOVED", message: expect.stringContaining('"ledger"') }]);
  expect((await moved.run({ code }, options)).diagnostics).toMatchObject([
    { code: "RUN_CONTINUES", message: expect.stringContaining('"ledger"') },
  ]);
  expect([await ledger.booked(), await other.booked()]).toEqual([{}, {}]);
  expect((await later.resume(id)).result).toBe("pay rent");
  expect([await ledger.booked(), await other.booked()]).toEqual([{}, { "pay rent": 1 }]);
});

test("nothing is taken over from a run whose server is elsewhere now, taken back there, or tried again there, unless a person says so", async () => {
  const [ledger, other] = [await startLedger(), await startLedger()];
  const project = await makeLedgerProject(ledger.url, { policy: {} });
  const engine = await project.openEngine();
  const code = `import { book } from "@codemode/servers/ledger"; await book({ entry: "rent" }); throw new Error("no"); export default 0;`;
  const { runId = "" } = await engine.run({ code }, { durable: true });
  await engine.close();
  const moved = await project.openEngine({}, { mcpServers: { ledger: { url: other.url } } });
  const runs = await moved.durableRuns();
  const corrected = { code: code.replace('throw new Error("no");', "") };
  const undo = {
    code: `import { book } from "@codemode/servers/ledger";
    for (const { input } of globalThis.__codemode_input__ as { input: { entry: string } }[]) await book({ entry: "not " + input.entry });
    export default 1;`,
  };
  type MayMove = (servers: readonly string[]) => boolean;
  const ways: ((mayMove?: MayMove) => Promise<{ result: unknown }>)[] = [
    (mayMove) => runs.retry(runId, mayMove && { mayMove }),
    (mayMove) => moved.run(corrected, { durable: { from: runId, ...(mayMove && { mayMove }) } }),
    (mayMove) => moved.run(undo, { durable: { undo: runId, ...(mayMove && { mayMove }) } }),
  ];
  for (const way of ways) {
    const hint = expect.stringContaining("mayMove");
    for (const mayMove of [undefined, () => false])
      await expect(way(mayMove)).rejects.toMatchObject({
        ...{ code: "RUN_MOVED", message: expect.stringContaining('"ledger"') as string, hint },
      });
  }
  expect([await ledger.booked(), await other.booked()]).toEqual([{ "book rent": 1 }, {}]);
  const asked: (readonly string[])[] = [];
  const results = [];
  for (const way of ways) results.push((await way((servers) => asked.push(servers) > 0)).result);
  expect([asked, results]).toEqual([
    [["ledger"], ["ledger"], ["ledger"]],
    [null, 0, 1],
  ]);
  expect([await ledger.booked(), await other.booked()]).toEqual([{ "book rent": 1 }, { "book not rent": 1 }]);
});
