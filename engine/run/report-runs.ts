import { randomUUID } from "node:crypto";
import { jsonBytes } from "../../runtime/host/json-bytes.ts";
import type { CallOutcome, CallRequest } from "../../runtime/host/call-one-tool.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, type DiagnosticCode, errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
import { makeEmit } from "../../schemas/run/call-back.ts";
import type { Emit, HostEvents, RunEnd, RunEvent, RunFacts, RunOrigin } from "../../schemas/run/events.ts";
import type { RunLayer, RunRequest } from "./host.ts";
import { withRunId } from "./with-run-id.ts";

/** Emits the start and the end of each run and call to its own listener, and with all that happens between them to the listeners of the host. */
export function reportRuns(events: HostEvents | undefined, origin: RunOrigin): RunLayer {
  const report = async <Request extends RunRequest | CallRequest, Outcome>(
    asked: Request,
    subject: RunFacts["subject"],
    toEnd: (outcome: Outcome) => UntimedEnd,
    perform: (request: Request) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const own = asked.emit && whatIsNew(asked.emit);
    if (events === undefined && own === undefined) return perform(asked);
    const request = withRunId(asked);
    const { access, trace } = request;
    const key = "key" in request ? request.key : undefined;
    const run: RunFacts = { runId: request.runId(), origin, subject, client: access.client, trace, key };
    const tell = events?.open();
    const ofHost = tell && ((event: RunEvent) => tell({ ...event, run }));
    const emit = makeEmit<RunEvent>([
      ["emit", own],
      ["observers", ofHost],
    ]);
    const { tracing } = events ?? {};
    const enterCall = tracing && ((number: number) => tracing.enter(run, number));
    return withEnds(emit, toEnd, () => perform({ ...request, emit, enterCall }));
  };
  return {
    run: (run) => async (asked) => {
      const { script, savedAs, key = randomUUID() } = asked;
      const subject = { kind: "script", name: script.name, ...withoutUndefined({ savedAs }) } as const;
      return report({ ...asked, key }, subject, toRunEnd, run);
    },
    callTool: (call) => async (asked) => {
      const { serverId, toolName } = asked;
      return report(asked, { kind: "call", serverId, toolName }, toCallEnd, call);
    },
  };
}

/** The listener of a run has had what is replayed when it happened. */
function whatIsNew(emit: Emit<RunEvent>): Emit<RunEvent> {
  return (event) => {
    if (!("isReplayed" in event)) emit(event);
  };
}

type UntimedEnd = Omit<RunEnd, "durationMs">;

/** Does what is reported, and tells how it ended and how long it took. */
async function withEnds<Outcome>(
  emit: Emit<RunEvent> | undefined,
  toEnd: (outcome: Outcome) => UntimedEnd,
  perform: () => Promise<Outcome>,
): Promise<Outcome> {
  emit?.({ type: "run-started" });
  const startedAt = performance.now();
  const end = (untimed: UntimedEnd): void =>
    emit?.({ type: "run-ended", ...untimed, durationMs: performance.now() - startedAt });
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
