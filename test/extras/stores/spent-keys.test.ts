import { expect, test } from "vitest";
import type { RunInside } from "../../../serve/long-runs/runs.ts";
import { makeMemoryStore } from "../../../serve/store/run-store.ts";
import type { ToolCallResult } from "../../../serve/surface.ts";
import { toRunResult } from "../../../serve/surfaces/run-tool.ts";
import { type Diagnostic, failedAnswer } from "../../../schemas/run/answer.ts";
import { aRequest, DONE, startReplica } from "./start-replica.ts";

const found = (code: Diagnostic["code"], severity: Diagnostic["severity"] = "error"): Diagnostic => ({
  ...{ severity, code, message: `It says e.g. ${code}.` },
});
const failed = (...diagnostics: Diagnostic[]): ToolCallResult => toRunResult(failedAnswer(diagnostics));
const calling = (inside: RunInside, kind: string): void =>
  inside.stream.callEvent({ kind, serverId: "notes", toolName: "write", number: 1 } as never);

test.each<[string, ToolCallResult, boolean]>([
  ["waits for a person", { resultType: "input_required", content: [] } as unknown as ToolCallResult, true],
  ["is to be tried again", failed(found("LOCK_DRIFT", "warning"), found("RUN_CANCELLED")), true],
  ["needs an approval", failed(found("APPROVAL_REQUIRED")), true],
  ["says that it needed none", failed(found("APPROVAL_REQUIRED", "info"), found("UNCAUGHT_EXCEPTION")), false],
  ["warns of what is to be tried again", failed(found("RUN_CANCELLED", "warning")), false],
  ["has failed by its own fault", failed(found("UNCAUGHT_EXCEPTION")), false],
  ["has nothing to say", { content: [] }, false],
])("the key of a run that %s is free again: %j", async (_name, result, isFree) => {
  const runs = await startReplica(makeMemoryStore());
  const first = await runs.begin(async (inside) => {
    calling(inside, "ended");
    return result;
  }, aRequest("job"));
  expect(first).toEqual({ kind: "ended", result });
  const again = await runs.begin(async () => DONE, aRequest("job"));
  expect(again).toEqual({ kind: "ended", result: isFree ? DONE : result });
});

test("a run that has called and has nothing to say keeps its result", async () => {
  const runs = await startReplica(makeMemoryStore());
  const result: ToolCallResult = { content: [] };
  const first = await runs.begin(async (inside) => {
    calling(inside, "started");
    return result;
  }, aRequest("job"));
  expect(first).toEqual({ kind: "ended", result });
});

test("a run that has called and is to be tried again is spent; its other findings stay", async () => {
  const runs = await startReplica(makeMemoryStore());
  const drift = found("LOCK_DRIFT", "warning");
  const first = await runs.begin(async (inside) => {
    calling(inside, "started");
    return failed(drift, found("RUN_CANCELLED"));
  }, aRequest("job"));
  const spent = {
    code: "RUN_LOST",
    message: expect.stringMatching(/^It says e\.g\. RUN_CANCELLED \(RUN_CANCELLED\); it had/),
  };
  const structuredContent = { diagnostics: [drift, spent] };
  expect(first).toMatchObject({ kind: "ended", result: { structuredContent } });
});
