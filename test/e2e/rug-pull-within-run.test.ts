import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { DriftPolicy } from "../../schemas/config/config-file.ts";
import { startTurncoatHttp } from "../servers/turncoat-server.mjs";
import { typeCommand } from "./open-commands.ts";
import { makeGeneratedProject, writeFiles } from "./run-codemode.ts";
import { serveScripts } from "./serve-clients.ts";

type Act = "exit" | "forget" | "announce";

/** Calls `work` six times; in the third call the server changes and does what `act` says. */
const script = (act: Act, change = "work") => `
import { work } from "@codemode/servers/jobs";
const seen = [];
for (let n = 1; n <= 6; n += 1) {
  try { seen.push(await work(n === 3 ? { n, act: "${act}", change: "${change}" } : { n })); }
  catch (error) { seen.push(error.name + ": " + error.message); }
}
export default seen;`;

interface Answered {
  answer: RunAnswer;
  code: number | null;
}

type Runner = (code: string) => Promise<Answered>;

async function lockedProject(transport: "stdio" | "http", drift: DriftPolicy): Promise<string> {
  const program = { command: process.execPath, args: [resolve("test/servers/turncoat-server.mjs"), "state"] };
  const cwd = await makeGeneratedProject({ "codemode.config.json": { mcpServers: { jobs: program } } });
  if (transport === "stdio") {
    await writeFiles(cwd, { "codemode.config.json": { mcpServers: { jobs: program }, drift } });
    return cwd;
  }
  // The same tools, so the package is the same.
  const { url, close } = await startTurncoatHttp();
  onTestFinished(close);
  await writeFiles(cwd, { "codemode.config.json": { mcpServers: { jobs: { url } }, drift } });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

const runners: Record<"run" | "serve", (cwd: string) => Promise<Runner>> = {
  run: async (cwd) => async (code) => {
    const { code: exitCode, stdout } = await typeCommand(["run", "--eval", code, "--json"], { cwd });
    return { answer: JSON.parse(stdout) as RunAnswer, code: exitCode };
  },
  serve: async (cwd) => {
    const run = await serveScripts(cwd);
    return async (code) => ({ answer: await run(code), code: null });
  },
};

const drifts = ({ diagnostics }: RunAnswer) => diagnostics.filter(({ code }) => code === "LOCK_DRIFT");
const refused = expect.stringMatching(/^ToolCallError: The server "jobs" differs from the lockfile/);
const itself = (n: number) => `work ${n} as itself`;

/** The third call ends the process without an answer, or is answered before the session is lost. */
const third = (act: Act) => (act === "exit" ? expect.stringMatching(/^ToolCallError: .*broken off/) : itself(3));

/**
 * The way over which a server is connected has no part in what a command makes of a change, nor has the command in how it is noticed. What comes
 * of each change by each policy: `test/host/guard-connections.test.ts`.
 */
const STDIO = { transport: "stdio", act: "exit" } as const;
const HTTP = { transport: "http", act: "forget" } as const;

test.each([
  ["run", STDIO],
  ["serve", HTTP],
] as const)(
  "in `%s`, a server that comes back changed gets no further call of the changed tool with refuse: %j",
  async (command, by) => {
    const run = await runners[command](await lockedProject(by.transport, "refuse"));
    const { answer, code } = await run(script(by.act));
    expect(answer.result).toEqual([itself(1), itself(2), third(by.act), refused, refused, refused]);
    expect(drifts(answer)).toMatchObject([{ severity: "error", message: expect.stringContaining("changed: work") }]);
    if (command === "run") expect(code).toBe(3);
  },
);

test.each([
  ["run", "warn", STDIO],
  ["serve", "refresh", HTTP],
] as const)(
  "in `%s`, a server that comes back changed is named in this answer with %s: %j",
  async (command, drift, by) => {
    const cwd = await lockedProject(by.transport, drift);
    const run = await runners[command](cwd);
    const before = await readFile(join(cwd, "codemode.lock.json"), "utf8");
    const { answer } = await run(script(by.act));
    const others = [4, 5, 6].map((n) => `work ${n} as another`);
    expect(answer.result).toEqual([itself(1), itself(2), third(by.act), ...others]);
    expect(drifts(answer)).toMatchObject([{ severity: "warning", message: expect.stringContaining("changed: work") }]);
    expect(await readFile(join(cwd, "codemode.lock.json"), "utf8"), "the run keeps its lockfile").toBe(before);
  },
);

describe("in the middle of a run", () => {
  test.each(["stdio", "http"] as const)("an announced change is looked at before the next call over %s", async (by) => {
    const run = await runners.run(await lockedProject(by, "refuse"));
    const { answer, code } = await run(script("announce"));
    expect(answer.result).toEqual([itself(1), itself(2), itself(3), refused, refused, refused]);
    expect({ code, drifts: drifts(answer) }).toMatchObject({ code: 3, drifts: [{ severity: "error" }] });
  });

  test("a server that reconnects unchanged is not reported", async () => {
    const run = await runners.run(await lockedProject("http", "refuse"));
    const { answer, code } = await run(script("forget", "none"));
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { diagnostics: [], result: [1, 2, 3, 4, 5, 6].map(itself) },
    });
  });

  test("calls that lose their session together are made once each, and none on the changed tool", async () => {
    const run = await runners.run(await lockedProject("http", "refuse"));
    const { answer } = await run(`
      import { work } from "@codemode/servers/jobs";
      await work({ n: 0, act: "forget", change: "work" });
      export default await Promise.all([1, 2, 3, 4, 5].map((n) => work({ n }).catch((error) => error.name)));`);
    expect(answer.result).toEqual(Array.from({ length: 5 }, () => "ToolCallError"));
    expect(drifts(answer)).toHaveLength(1);
  });
});
