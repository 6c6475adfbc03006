import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../engine/run/host.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { shareProject } from "../e2e/share-project.ts";
import { openTestHost } from "../engine/run/open-test-host.ts";

const copyProject = shareProject({
  "codemode.config.json": {
    mcpServers: { trips: { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "trips.json"] } },
    policy: { ask: ["trips/book"] },
  },
  "trips.json": [{ name: "book", inputSchema: { type: "object" } }],
});

/** A host whose sandboxes serve one run after the other, the ids of its sandboxes, and a person who approves every script. */
async function makeReusingHost(): Promise<{ run(code: string): ReturnType<Host["run"]>; pids: number[] }> {
  const pool = makeSandboxPool({ refill: false, reuse: { times: 100, renew: "compartment" } });
  const pids: number[] = [];
  const take: typeof pool.take = async (trustDomain) => {
    const sandbox = await pool.take(trustDomain);
    pids.push(sandbox.pid);
    return sandbox;
  };
  const { config, host } = await openTestHost(await copyProject(), { pool: { ...pool, take } });
  const access = ownAccess(config.policy);
  const approve: Approve = async () => "granted";
  return { run: (code) => host.run({ script: { code, name: "script.ts" }, access, approve }), pids };
}

const BOOK = 'import { book } from "@codemode/servers/trips";';

test("code of an earlier run neither sees what a later one does nor uses its approval", async () => {
  const { run } = await makeReusingHost();
  // Of all that runs share, segments could be changed once.
  const planted = await run(`
    const call = globalThis.__codemode_call__;
    const log = console.log;
    const prototype = Object.getPrototypeOf(new Intl.Segmenter().segment("a"));
    const spy = function () {
      log("it was heard: " + [...this].map(({ segment }) => segment).join(""));
      void call("trips", "book", "{}");
      return { segment: "planted" };
    };
    try { prototype.containing = spy; } catch {}
    try { Object.defineProperty(prototype, "containing", { value: spy }); } catch {}
    export default 1;`);
  expect(planted).toMatchObject({ result: 1, diagnostics: [] });

  const approved = await run(`${BOOK}
    const { segment } = new Intl.Segmenter().segment("private").containing(0);
    if (segment === "nothing") await book({});
    export default segment;`);
  expect(approved).toMatchObject({ result: "p", logs: [], toolTrace: [] });
});

test("a script with an approval shares a process with runs of itself, and never with another script", async () => {
  const { run, pids } = await makeReusingHost();
  await run("export default 1;");
  expect(await run(`${BOOK} export default await book({});`)).toMatchObject({ result: "book {}" });
  await run("export default 2;");
  expect(await run(`${BOOK} export default await book({});`)).toMatchObject({ result: "book {}" });
  expect(await run(`${BOOK} export default [await book({})];`)).toMatchObject({ result: ["book {}"] });
  const [plain, approved, plainAgain, approvedAgain, otherApproved] = pids;
  expect([plainAgain, approvedAgain]).toEqual([plain, approved]);
  expect(new Set([plain, approved, otherApproved]).size).toBe(3);
});
