import { randomUUID } from "node:crypto";
import { jsonBytes } from "../../../runtime/host/observe/observe-call.ts";
import { observeRunByAll } from "../../../runtime/host/observe/observe-by-all.ts";
import type {
  ConsentWay,
  Observer,
  RunEnd,
  RunFacts,
  RunOrigin,
  TraceContext,
} from "../../../runtime/host/observe/observer.ts";
import type { Access } from "../../../schemas/access.ts";
import type { RunAnswer } from "../../../schemas/answer.ts";
import { UserError } from "../../../schemas/user-error.ts";
import type { Host } from "../host.ts";
import type { CallOutcome } from "./call-one-tool.ts";

export interface Observed {
  observer: Observer;
  origin: RunOrigin;
}

/** What a request says for those who observe it alone. */
export interface ObservedRequest {
  access: Access;
  /** How a person is asked, where one is. */
  consentBy?: ConsentWay;
  trace?: TraceContext;
}

/** A host whose runs and calls an observer is told of, from their start to their end; the same host where there is no observer. */
export function withObserver(host: Host, observed: Observed | undefined): Host {
  if (observed === undefined) return host;
  const { observer, origin } = observed;
  const factsOf = ({ access, trace }: ObservedRequest, subject: RunFacts["subject"]): RunFacts => ({
    runId: randomUUID(),
    origin,
    subject,
    ...(access.client === undefined ? {} : { client: access.client }),
    ...(trace === undefined ? {} : { trace }),
  });
  return {
    ...host,
    async run(request) {
      const { script, savedAs } = request;
      const subject = { kind: "script", name: script.name, ...(savedAs === undefined ? {} : { savedAs }) } as const;
      const observation = observer.runStarted?.(factsOf(request, subject));
      if (observation === undefined) return host.run(request);
      const clock = startClock();
      try {
        const own = request.observation;
        const all = own === undefined ? observation : observeRunByAll([own, observation]);
        const answer = await host.run({ ...request, observation: all });
        observation.ended?.(clock(toRunEnd(answer)));
        return answer;
      } catch (error) {
        observation.ended?.(clock(toFailedEnd(error)));
        throw error;
      }
    },
    async callTool(request) {
      const { serverId, toolName } = request;
      const observation = observer.runStarted?.(factsOf(request, { kind: "call", serverId, toolName }));
      if (observation === undefined) return host.callTool(request);
      const clock = startClock();
      try {
        const outcome = await host.callTool({ ...request, observation });
        observation.ended?.(clock(toCallEnd(outcome)));
        return outcome;
      } catch (error) {
        observation.ended?.(clock(toFailedEnd(error)));
        throw error;
      }
    },
  };
}

type UntimedEnd = Omit<RunEnd, "durationMs">;

function startClock(): (end: UntimedEnd) => RunEnd {
  const startedAt = performance.now();
  return (end) => ({ ...end, durationMs: performance.now() - startedAt });
}

function toRunEnd(answer: RunAnswer): UntimedEnd {
  const codes = answer.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return {
    ok: codes.length === 0,
    codes: [...new Set(codes)],
    calls: answer.toolTrace.length,
    answer,
    resultBytes: () => jsonBytes(answer.result),
    logBytes: () => answer.logs.reduce((bytes, { message }) => bytes + Buffer.byteLength(message), 0),
  };
}

function toCallEnd(outcome: CallOutcome): UntimedEnd {
  const codes = outcome.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  const reason = outcome.ok ? [] : [outcome.error.errorClass];
  return {
    ok: outcome.ok && outcome.result["isError"] !== true,
    codes: codes.length > 0 ? [...new Set(codes)] : reason,
    calls: 1,
    resultBytes: () => (outcome.ok ? jsonBytes(outcome.result) : 0),
    logBytes: () => 0,
  };
}

/** What is wrong with this machine or with codemode itself: there is no answer. */
function toFailedEnd(error: unknown): UntimedEnd {
  const code = error instanceof UserError ? error.code : "INTERNAL";
  return { ok: false, codes: [code], calls: 0, resultBytes: () => 0, logBytes: () => 0 };
}
