import { expect, test } from "vitest";
import type { Log } from "../../../engine/log/log.ts";
import { logEvents } from "../../../extras/observe/log/log-events.ts";

test.each([
  [{ ok: true, codes: [] }, "info", "run ended: ok"],
  [{ ok: false, codes: ["APPROVAL_REQUIRED"] }, "info", "run ended: not begun, it needs an approval"],
  [{ ok: false, codes: ["APPROVAL_REQUIRED", "IMPORT_FAILURE"] }, "info", "run ended: failed"],
  [{ ok: false, codes: ["SANDBOX_START"] }, "error", "run ended: failed"],
])("the line of a run that ended with %j says how", async (end, level, message) => {
  const lines: [string, string][] = [];
  const write = (name: string) => (text: string) => void lines.push([name, text]);
  const log: Log = {
    ...{ error: write("error"), warn: write("warn"), info: write("info"), debug: write("debug") },
    isEnabled: () => false,
  };
  const run = {
    runId: "1",
    origin: "serve-stdio",
    client: "ada",
    subject: { kind: "script", name: "a.ts" },
  } as const;
  const hear = logEvents(log);
  hear({ type: "run-started", run });
  hear({ type: "run-ended", run, ...end, durationMs: 1, calls: 0, resultBytes: () => 0, logBytes: () => 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual([[level, message]]);
});
