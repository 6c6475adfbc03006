import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { randomUUID } from "node:crypto";
import { jsonBytes } from "../../runtime/host/observe/observe-call.ts";
import { observeRunByAll } from "../../runtime/host/observe/observe-by-all.ts";
import type {
  ConsentWay,
  Observer,
  RunEnd,
  RunFacts,
  RunObservation,
  RunOrigin,
  TraceContext,
} from "../../schemas/run/observer.ts";
import type { Access } from "../../schemas/access/access.ts";
import { type Diagnostic, type DiagnosticCode, errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Host } from "./host.ts";
import { withRunKey } from "../../runtime/host/run-key.ts";
import type { CallOutcome } from "../../runtime/host/call-one-tool.ts";

export interface Observed {
  observer: Observer;
  origin: RunOrigin;
}

/** What a request says for those who observe it alone. */
export interface ObservedRequest {
  access: Access;
  /** How a person is asked, where one is. */
  consentBy?: ConsentWay | undefined;
  trace?: TraceContext | undefined;
  key?: string | undefined;
}

/** A host that reports runs and calls to an observer, from start to end. */
export function withObserver(host: Host, { observer, origin }: Observed): Host {
  const factsOf = ({ access, trace, key }: ObservedRequest, subject: RunFacts["subject"]): RunFacts => ({
    runId: randomUUID(),
    origin,
    subject,
    client: access.client,
    trace,
    key,
  });
  return {
    ...host,
    async run(request) {
      const { script, savedAs } = request;
      const subject = { kind: "script", name: script.name, ...withoutUndefined({ savedAs }) } as const;
      const keyed = withRunKey(request);
      const observation = observer.runStarted?.(factsOf(keyed, subject));
      if (observation === undefined) return host.run(request);
      const own = request.observation;
      const all = own === undefined ? observation : observeRunByAll([own, observation]);
      return reportEnd(observation, toRunEnd, () => host.run({ ...keyed, observation: all }));
    },
    async callTool(request) {
      const { serverId, toolName } = request;
      const observation = observer.runStarted?.(factsOf(request, { kind: "call", serverId, toolName }));
      if (observation === undefined) return host.callTool(request);
      return reportEnd(observation, toCallEnd, () => host.callTool({ ...request, observation }));
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
