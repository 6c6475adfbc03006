import { createHash } from "node:crypto";
import { readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import auditSchema from "../../schemas/audit.schema.json" with { type: "json" };
import { bearer, connectModern, until } from "../serve/http/start-http.ts";
import { makeProject } from "./run-codemode.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { testOnPosix } from "../platforms/needs.ts";

type Line = Record<string, unknown>;

/** What only scripts, tools and their callers may see. */
const PRIVATE = /private|alice-token|bob-token|upstream-secret/;

/** Ends a line, turns a text around, and would look like a line of ours. */
const FORGERY = '\n{"level":"error","msg":"forged"}\r\n{"event":"run.started","client":"forged"}\u2028\u202e\u001b[2J';
const HOSTILE_NAME = `look${FORGERY}`;

const inputSchema = { type: "object" };
const TOOLS = [
  { name: "quote", inputSchema },
  { name: "book", inputSchema },
  { name: HOSTILE_NAME, inputSchema, "x-answer": { isError: true, content: [{ type: "text", text: FORGERY }] } },
];

async function makeAudited(audit: object): Promise<string> {
  return makeProject({
    "codemode.config.json": {
      mcpServers: {
        trips: {
          command: process.execPath,
          args: [resolve("test/servers/file-server.mjs"), "trips.json"],
          env: { API_TOKEN: "upstream-secret" },
        },
      },
      policy: { deny: ["trips/book"] },
      serve: { clients: { alice: { token: "alice-token" }, bob: { token: "bob-token" } } },
      audit: { file: "audit.jsonl", ...audit },
    },
    "trips.json": TOOLS,
  });
}

const parseLines = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

const readAudit = async (cwd: string, name = "audit.jsonl"): Promise<Line[]> =>
  parseLines(await readFile(join(cwd, name), "utf8"));

testOnPosix("modes of files")(
  "two clients are distinguishable in log and audit log, and neither contains their data",
  async () => {
    const cwd = await makeAudited({});
    const { url, child, lines, ended } = await serveOverHttp(cwd, {}, ["--log-level", "debug"]);
    const run = async (token: string, code: string): Promise<Line> => {
      const client = await connectModern(url, token);
      const result = await client.callTool({ name: "codemode.run", arguments: { code } });
      return result.structuredContent as Line;
    };

    const reading = `import * as trips from "@codemode/servers/trips";
    console.log(${JSON.stringify(`private log ${FORGERY}`)});
    await trips[Object.keys(trips).find((name) => name.startsWith("look"))]({}).catch(() => undefined);
    export default await trips.quote({ to: "private argument" });`;
    expect(await run("alice-token", reading)).toMatchObject({ result: 'quote {"to":"private argument"}' });
    const failing = `throw new Error(${JSON.stringify(`private error ${FORGERY}`)});`;
    expect(await run("bob-token", failing)).toMatchObject({ diagnostics: [{ code: "UNCAUGHT_EXCEPTION" }] });
    expect((await fetch(url, { method: "POST", headers: bearer("private-guess"), body: "{}" })).status).toBe(401);
    child.kill("SIGINT");
    expect(await ended).toBe(0);

    const log = parseLines(lines.join("\n"));
    expect(lines.join("\n")).not.toMatch(PRIVATE);
    expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([]);
    expect(log.filter(({ msg }) => msg === "forged")).toEqual([]);
    const runs = log.filter(({ msg }) => String(msg).startsWith("run ended"));
    expect(runs).toMatchObject([
      { level: "info", client: "alice", origin: "serve-http", script: "script.ts", ok: true, calls: 2 },
      { level: "info", client: "bob", ok: false, codes: ["UNCAUGHT_EXCEPTION"], calls: 0 },
    ]);
    const [ofAlice, ofBob] = runs.map(({ runId }) => runId);
    expect(ofAlice).not.toBe(ofBob);
    expect(log.filter(({ call, runId }) => call !== undefined && runId === ofAlice)).toMatchObject([
      { client: "alice", tool: `trips/${HOSTILE_NAME}`, outcome: "tool_error" },
      { client: "alice", tool: "trips/quote", outcome: "ok" },
    ]);

    const audit = await readAudit(cwd);
    const text = await readFile(join(cwd, "audit.jsonl"), "utf8");
    expect(text).not.toMatch(PRIVATE);
    expect(text).not.toMatch(/[^\n\x20-\x7e]/);
    expect((await stat(join(cwd, "audit.jsonl"))).mode & 0o777).toBe(0o600);
    const isLine = new Ajv({ formats: { "date-time": true }, strictTypes: false }).compile(auditSchema);
    expect(audit.filter((line) => !isLine(line))).toEqual([]);
    expect(audit.filter(({ runId }) => runId === ofBob).map(({ event }) => event)).toEqual([
      "run.started",
      "run.reviewed",
      "run.ended",
    ]);

    const lockfile = await readFile(join(cwd, "codemode.lock.json"));
    const digest = `sha256-${createHash("sha256").update(lockfile).digest("base64")}`;
    const integrity = expect.stringMatching(/^sha256-/);
    expect(audit.filter(({ runId }) => runId === ofAlice)).toMatchObject([
      { event: "run.started", client: "alice", origin: "serve-http", kind: "script", script: "script.ts" },
      {
        event: "run.reviewed",
        verdict: "allowed",
        bundle: integrity,
        lockfile: digest,
        tools: [{ verdict: "allow" }, { toolName: "quote", serverId: "trips", integrity, verdict: "allow" }],
      },
      { event: "call.started", call: 1, toolName: HOSTILE_NAME, verdict: "allow", inputBytes: 2 },
      { event: "call.ended", call: 1, outcome: "tool_error" },
      { event: "call.started", call: 2, serverId: "trips", toolName: "quote", integrity, inputBytes: 25 },
      { event: "call.ended", call: 2, outcome: "ok", resultBytes: expect.any(Number) },
      { event: "run.ended", ok: true, codes: [], calls: 2, limits: [], bundle: integrity },
    ]);
    expect(audit.some((line) => "input" in line || "result" in line)).toBe(false);
  },
);

test("with audit.required nothing runs that cannot be recorded, and a log that was moved away is created again", async () => {
  const cwd = await makeAudited({ required: true, payloads: "all", redact: ["pin"] });
  const { url, lines } = await serveOverHttp(cwd);
  const client = await connectModern(url, "alice-token");
  const run = async (code: string): Promise<Line> =>
    (await client.callTool({ name: "codemode.run", arguments: { code } })).structuredContent as Line;
  const QUOTE = 'import { quote } from "@codemode/servers/trips";';
  const file = join(cwd, "audit.jsonl");

  // What is known as a secret is in no payload, wherever it comes from.
  const asking = `${QUOTE} export default await quote({ pin: "4711-0815", text: "upstream-secret, alice-token, hello" });`;
  expect(await run(asking)).toMatchObject({ result: expect.stringContaining("hello") });
  const text = await readFile(file, "utf8");
  expect(text).toContain(", hello");
  expect(text).not.toMatch(/4711|upstream-secret|alice-token/);

  await rename(file, `${file}.1`);
  expect(await run("export default 1;")).toMatchObject({ result: 1 });
  expect((await readAudit(cwd)).map(({ event }) => event)).toEqual(["run.started", "run.reviewed", "run.ended"]);

  // A run that is under way makes no further call.
  const looping = run(`${QUOTE} for (;;) { await quote({}); await new Promise((done) => setTimeout(done, 20)); }`);
  const countCalls = async () => (await readAudit(cwd)).filter(({ event }) => event === "call.ended").length;
  while ((await countCalls()) < 2) await new Promise((done) => setTimeout(done, 20));
  // In one step: the log would be created again between two.
  await symlink(cwd, `${file}.link`);
  await rename(`${file}.link`, file);
  expect(await looping).toMatchObject({ result: null, diagnostics: [{ code: "AUDIT_FAILED" }] });
  // And none begins, until the log can be written again.
  expect(await run("export default 2;")).toMatchObject({ result: null, diagnostics: [{ code: "AUDIT_FAILED" }] });
  await until(() => lines.some((line) => line.includes("The audit log audit.jsonl cannot be written")));
  await rm(file);
  expect(await run("export default 3;")).toMatchObject({ result: 3 });
});
