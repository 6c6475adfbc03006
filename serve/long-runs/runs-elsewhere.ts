import { clock, delay } from "../../engine/clock.ts";
import { AWAY_MS } from "../../engine/while-away.ts";
import { mayPass } from "../../schemas/passing-error.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { ToolCallResult } from "../surface.ts";
import { CANCEL_MS, type LongRunOptions } from "./long-runs.ts";
import type { LongRuns, RunNews, RunState, WaitingRequest } from "./runs.ts";

/** A run that this process does not have, or no longer. */
export interface RunElsewhere extends RunState {
  readonly ended?: { at: number; result: ToolCallResult } | undefined;
  /** It does not go on before a person has seen to it: no request waits for it. */
  readonly isLeft?: boolean;
}

/** Where the runs of one client are that this process does not have. Each rejects with a `CodemodeError` where they cannot be looked at now. */
export interface RunSource {
  /** Undefined where the session has none of that id. */
  find(id: string, session: string): Promise<RunElsewhere | undefined>;
  cancel(id: string): Promise<void>;
}

type Waiting = Pick<LongRunOptions, "detachAfterMs">;

const LOOK_EVERY_MS = 250;

/** The runs of one client in this process and in a source, which is polled while a request waits for a run. */
export function withRunsElsewhere(local: LongRuns, source: RunSource, { detachAfterMs }: Waiting): LongRuns {
  let isLettingGo = false;

  const attend = async (id: string, request: WaitingRequest, waitMs = detachAfterMs): Promise<RunNews> => {
    let seenAt = clock.now();
    const until = waitMs === 0 || request.waitsForEnd === true ? Infinity : seenAt + waitMs;
    for (;;) {
      const look = source.find(id, request.session).then((found) => {
        seenAt = clock.now();
        return found;
      });
      const found = await look.catch((error: unknown) => describeAway(id, error));
      if (found === undefined) return { kind: "lost" };
      const { ended, findings } = found;
      if (ended !== undefined) return { kind: "ended", result: ended.result };
      const isGone = request.signal.aborted;
      if (isGone || isLettingGo || found.isLeft === true || clock.now() > Math.min(until, seenAt + AWAY_MS))
        return { kind: "continues", id, logs: [], findings };
      await delay(LOOK_EVERY_MS, { signal: request.signal });
    }
  };
  const elsewhere = async (news: Promise<RunNews>, follow: () => Promise<RunNews>): Promise<RunNews> => {
    const here = await news;
    return here.kind === "lost" ? follow() : here;
  };
  return {
    ...local,
    wait: (id, request) => elsewhere(local.wait(id, request), () => attend(id, request)),
    reply: (id, number, reply, request) =>
      elsewhere(local.reply(id, number, reply, request), () => attend(id, request)),
    cancel: (id, request) =>
      elsewhere(local.cancel(id, request), async () => {
        const found = await source.find(id, request.session);
        if (found !== undefined && found.ended === undefined) await source.cancel(id);
        return attend(id, request, Math.max(detachAfterMs, CANCEL_MS));
      }),
    look: async (id, session) => (await local.look(id, session)) ?? source.find(id, session),
    async end(id) {
      await local.end(id);
      await source.cancel(id);
    },
    letGo() {
      isLettingGo = true;
      local.letGo();
    },
  };
}

/** The runs cannot be looked at now, which says nothing of this one: it goes on meanwhile. */
function describeAway(id: string, error: unknown): RunElsewhere {
  if (!(error instanceof CodemodeError)) throw error;
  // What its store refuses is for an operator to see to: no request waits for that.
  const isLeft = !mayPass(error);
  const hint = "Call with the runId again in a minute. Do not run the script again: it may go on.";
  const message = `The runs cannot be looked at now: ${error.code}.`;
  const findings = [{ severity: "info", code: "RUN_CONTINUES", message, hint } as const];
  return { id, begunAt: 0, isCancelled: false, isLeft, findings };
}
