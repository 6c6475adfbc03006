import { randomUUID } from "node:crypto";
import { jsonBytes } from "../../runtime/host/json-bytes.ts";
import type { Requester } from "../../runtime/host/run.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, type DiagnosticCode, errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
import { makeEmit } from "../../schemas/run/call-back.ts";
import type { Emit, HostEvents, RunEnd, RunEvent, RunFacts, RunOrigin } from "../../schemas/run/events.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { CallOutcome, Host, RunRequest } from "./host.ts";
import { runIdOf } from "./keep-caller-context.ts";

/** Who hears of the runs of a host. */
interface Heard {
  /** Undefined where no one listens. */
  events: HostEvents | undefined;
  origin: RunOrigin;
}

/** Runs a script, and emits its start and its end to its own listener, and with all that happens between them to the listeners of the host. */
export function reportRun(heard: Heard, asked: RunRequest, run: Host["run"]): Promise<RunAnswer> {
  const { script, savedAs, key = randomUUID() } = asked;
  const subject = { kind: "script", name: script.name, ...withoutUndefined({ savedAs }) } as const;
  return report(heard, { ...asked, key }, subject, toRunEnd, run);
}

/** The same for a call without a script. */
export function reportCallRun(
  heard: Heard,
  asked: ToolCall & Requester,
  callTool: Host["callTool"],
): Promise<CallOutcome> {
  const { serverId, toolName } = asked;
  return report(heard, asked, { kind: "call", serverId, toolName }, toCallEnd, callTool);
}

async function report<Request extends Requester & { key?: string | undefined }, Outcome>(
  { events, origin }: Heard,
  asked: Request,
  subject: RunFacts["subject"],
  toEnd: (outcome: Outcome) => UntimedEnd,
  perform: (request: Request) => Promise<Outcome>,
): Promise<Outcome> {
  const own = asked.emit && whatIsNew(asked.emit);
  if (events === undefined && own === undefined) return perform(asked);
  const id = runIdOf(asked);
  const { access, trace, key } = asked;
  const run: RunFacts = { runId: id, origin, subject, client: access.client, trace, key };
  const tell = events?.open();
  const ofHost = tell && ((event: RunEvent) => tell({ ...event, run }));
  const emit = makeEmit<RunEvent>([
    ["emit", own],
    ["observers", ofHost],
  ]);
  const { tracing } = events ?? {};
  const enterCall = tracing && ((number: number) => tracing.enter(run, number));
  return withEnds(emit, toEnd, () => perform({ ...asked, runId: () => id, emit, enterCall }));
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
