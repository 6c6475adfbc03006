import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type ConfigFile, openProject } from "codemode";
import { makeTestFolder } from "../../make-test-folder.ts";

const SUSPEND_AFTER_MS = 60;

/** The project of the examples, whose every call is asked about. */
async function openExamples(approve: () => Promise<"granted">) {
  const state = await makeTestFolder();
  const written = JSON.parse(await readFile("codemode.config.json", "utf8")) as ConfigFile;
  const memory = { ...written.mcpServers?.["memory"], env: { MEMORY_FILE_PATH: join(state, "memory.jsonl") } };
  const config = {
    ...written,
    mcpServers: { ...written.mcpServers, memory },
    policy: { askEach: ["*"] },
  } as ConfigFile;
  const env = { ...process.env, XDG_STATE_HOME: state };
  const project = await openProject({ cwd: resolve("."), config, env });
  const engine = await project.openEngine({ approve, script: { file: "examples/join-two-servers.ts" } });
  onTestFinished(() => engine.close());
  return engine;
}

test("an example that is suspended at each of its calls in turn gives the bytes of one that never was", async () => {
  let calls = 0;
  let suspendedAt = 0;
  const engine = await openExamples(async () => {
    calls += 1;
    // sleeps: a built program with a clock of its own gives the sandbox back meanwhile
    if (calls === suspendedAt) await delay(8 * SUSPEND_AFTER_MS);
    return "granted";
  });
  const script = { file: "examples/join-two-servers.ts" };
  const plain = await engine.run(script);
  expect(plain.diagnostics).toEqual([]);
  const total = calls;
  expect(total).toBeGreaterThan(8);
  const runs = await engine.durableRuns();
  const bytes = ({ logs, result, toolTrace }: typeof plain): string =>
    JSON.stringify([logs.map(({ message }) => message), result, toolTrace.map((call) => ({ ...call, durationMs: 0 }))]);
  for (suspendedAt = 1; suspendedAt <= total; suspendedAt += 1) {
    calls = 0;
    const answer = await engine.run(script, { durable: { suspendAfterMs: SUSPEND_AFTER_MS } });
    expect(bytes(answer)).toBe(bytes(plain));
    const kinds = (await runs.steps(answer.runId ?? "")).map(({ kind }) => kind);
    expect(kinds).toContain("suspended");
    expect(kinds.filter((kind) => kind === "sent")).toHaveLength(total);
  }
}, 120_000);
