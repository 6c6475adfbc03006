import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeRecorder } from "../../../extras/record/recorder.ts";
import { executeRun } from "../../../runtime/sandbox/pool/execute-run.ts";
import type { Ending } from "../../../runtime/sandbox/pool/ending-diagnostics.ts";
import { findProgramFolder } from "../../../runtime/sandbox/pool/launch-plan.ts";
import { makeRunLog } from "../../../runtime/sandbox/pool/run-log.ts";
import { startSandbox } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import type { Timekeeper } from "../../../runtime/sandbox/pool/timekeeper.ts";
import { makeToolCallDispatcher } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { findNode, ALL_NODE_VERSIONS, type NodeMajor } from "../../node-versions/find-node.ts";
import { TEST_LIMITS, toBundle } from "./run-script.ts";

const SCRIPT = `
  const winter = new Date(2024, 0, 1);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  globalThis.__codemode_result__ = [timeZone, winter.toISOString(), winter.getTimezoneOffset(), String(new Date(0)).slice(16, 33)];
`;

/** Runs the script on a machine in India. */
async function runInIndia(version: NodeMajor, timekeeper?: Timekeeper): Promise<Ending> {
  const sandbox = startSandbox({
    confinement: { launcher: [], prlimit: undefined },
    words: ["/usr/bin/env", "TZ=Asia/Kolkata", findNode(version), join(findProgramFolder(), "boot.cjs"), ""],
    maxMemoryBytes: 128 * 1024 * 1024,
    maxCpuSeconds: 30,
  });
  onTestFinished(() => sandbox.kill());
  await sandbox.ready;
  const log = makeRunLog(10_000, (message) => message, undefined);
  const dispatcher = makeToolCallDispatcher(async () => ({ ok: true, value: null }), 10);
  const bundle = toBundle(SCRIPT);
  return executeRun({
    sandbox,
    bundle,
    input: null,
    limits: TEST_LIMITS,
    log,
    dispatcher,
    signal: undefined,
    timekeeper,
  });
}

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  test("a run has the time zone of its machine", async () => {
    expect(await runInIndia(version)).toMatchObject({
      value: [expect.stringMatching(/^Asia\//), "2023-12-31T18:30:00.000Z", -330, "05:30:00 GMT+0530"],
    });
  });

  test("a recorded run is in UTC, wherever it is recorded", async () => {
    expect(await runInIndia(version, makeRecorder().timekeeper)).toMatchObject({
      value: ["UTC", "2024-01-01T00:00:00.000Z", 0, "00:00:00 GMT+0000"],
    });
  });
});
