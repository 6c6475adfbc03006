import { randomUUID } from "node:crypto";
import { joinSinks, jsonBytes } from "../../runtime/host/observe.ts";
import type { CallOutcome, CallRequest } from "../../runtime/host/call-one-tool.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, type DiagnosticCode, errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
import type { Observer, RunEnd, RunFacts, RunObservation, RunOrigin } from "../../schemas/run/observer.ts";
import type { RunLayer, RunRequest } from "./host.ts";
import { withRunId } from "./with-run-id.ts";

/** Reports runs and calls to an observer, from start to end. */
export function observeRuns(observer: Observer, origin: RunOrigin): RunLayer {
  const start = (
    request: (RunRequest | CallRequest) & { runId: () => string },
    subject: RunFacts["subject"],
  ): RunObservation | undefined =>
    observer.runStarted?.({
      runId: request.runId(),
      origin,
      subject,
      client: request.access.client,
      trace: request.trace,
      key: "key" in request ? request.key : undefined,
    });
  return {
    run: (run) => async (asked) => {
      const request = withRunId({ ...asked, key: asked.key ?? randomUUID() });
      const { script, savedAs } = request;
      const observed = start(request, { kind: "script", name: script.name, ...withoutUndefined({ savedAs }) });
      if (observed === undefined) return run(request);
      return reportEnd(observed, toRunEnd, () => run({ ...request, sink: joinSinks([request.sink, observed]) }));
    },
    callTool: (call) => async (asked) => {
      const request = withRunId(asked);
      const { serverId, toolName } = request;
      const observed = start(request, { kind: "call", serverId, toolName });
      if (observed === undefined) return call(request);
      return reportEnd(observed, toCallEnd, () => call({ ...request, sink: joinSinks([request.sink, observed]) }));
    },
  };
}

type UntimedEnd = Omit<RunEnd, "durationMs">;

/** Does what is observed, and tells how it ended and how long it took. */
async function reportEnd<Outcome>(
  observation: RunObservation,
  toEnd: (outcome: Outcome) => UntimedEnd,
  perform: () => Promise<Outcome>,
): Promise<Outcome> {
  const startedAt = performance.now();
  const end = (untimed: UntimedEnd): void =>
    observation.ended?.({ ...untimed, durationMs: performance.now() - startedAt });
  try {
    const outcome = await perform();
    end(toEnd(outcome));
    return outcome;
  } catch (error) {
    end(toFailedEnd(error));
    throw error;
  }
}

function toRunEnd(answer: RunAnswer): UntimedEnd {
  const codes = errorCodesOf(answer);
  return {
    ok: codes.length === 0,
    codes,
    calls: answer.toolTrace.length,
    answer,
    resultBytes: () => jsonBytes(answer.result),
    logBytes: () => answer.logs.reduce((bytes, { message }) => bytes + Buffer.byteLength(message), 0),
  };
}

function toCallEnd(outcome: CallOutcome): UntimedEnd {
  const codes = errorCodesOf(outcome);
  const reason = outcome.ok ? [] : [outcome.error.errorClass];
  return {
    ok: outcome.ok && outcome.result["isError"] !== true,
    codes: codes.length > 0 ? codes : reason,
    calls: 1,
    resultBytes: () => (outcome.ok ? jsonBytes(outcome.result) : 0),
    logBytes: () => 0,
  };
}

/** Each code once. */
function errorCodesOf({ diagnostics }: { diagnostics: readonly Diagnostic[] }): DiagnosticCode[] {
  return [...new Set(errorsOf(diagnostics).map(({ code }) => code))];
}

/** What is wrong with this machine or with codemode itself: there is no answer. */
function toFailedEnd(error: unknown): UntimedEnd {
  const code = error instanceof CodemodeError ? error.code : "INTERNAL";
  return { ok: false, codes: [code], calls: 0, resultBytes: () => 0, logBytes: () => 0 };
}
