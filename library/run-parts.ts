import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { Access } from "../schemas/access/access.ts";
import type { Diagnostic } from "../schemas/run/answer.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { ApprovalWay, Approve } from "../schemas/run/approval.ts";
import type { Emit, RunEvent } from "../schemas/run/events.ts";
import { approverFor, type CallbackReport, holdAsk, makeCallbackReport, toEmit } from "./callbacks.ts";
import type { EngineOptions, RunOptions, ToolCallOptions } from "./engine-options.ts";
import type { OwnRights } from "./own-rights.ts";
import { personOf } from "./person-of.ts";

/** What a program gives with one run or call. */
type Given = Omit<ToolCallOptions, "limits"> & Pick<RunOptions, "onEvent" | "dryRun">;

/** What one run or call may do, and the program's functions that are called meanwhile: none of them can end it by an exception. */
export interface ProgramRun {
  access: Access;
  caller: RunCaller;
  approve: Approve;
  /** How `approve` asks; absent where the program gives none. */
  approvalBy?: ApprovalWay;
  ask: EngineOptions["ask"];
  emit: Emit<RunEvent> | undefined;
  wantsProgress: boolean;
  report: CallbackReport;
  /** The answer, with what its callbacks have failed with. */
  withFindings<Answer extends { diagnostics: readonly Diagnostic[] }>(answer: Answer): Answer;
}

/** How a run differs from others of the engine. */
interface RunWay {
  access?: Access | undefined;
  /** What a transport knows of its request. */
  extra?: RunCaller["extra"];
  /** Where failures of callbacks are collected; for the run alone unless given. */
  report?: CallbackReport | undefined;
}

/** Makes the parts of each run of an engine. */
export type RunPartsOf = (given: Given, way?: RunWay) => Promise<ProgramRun>;

export function makeRunParts(
  base: Access,
  options: EngineOptions,
  rightsOf: OwnRights,
  note: (line: string) => void,
): RunPartsOf {
  return async ({ context, key, approve = options.approve, ...listeners }, way = {}) => {
    const { access = base, extra, report = makeCallbackReport(note) } = way;
    const person = (): string | undefined => personOf(context, options.userOf, report.onFailed);
    const rights = await rightsOf(access, { context, extra, person, onFailed: report.onFailed });
    const approvalBy = approve === undefined ? undefined : (options.approvalBy ?? "callback");
    const of = key === undefined ? { context } : { context, run: { key } };
    return {
      ...rights,
      approve: approverFor(approve, of, report),
      ...withoutUndefined({ approvalBy }),
      ask: holdAsk(options.ask, report),
      emit: toEmit(listeners, report),
      wantsProgress: (listeners.onCall ?? listeners.onEvent) !== undefined,
      report,
      withFindings(answer) {
        const found = report.findings();
        return found.length === 0 ? answer : { ...answer, diagnostics: [...answer.diagnostics, ...found] };
      },
    };
  };
}
