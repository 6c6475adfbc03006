import type { QueueState, TurnedAwayFacts } from "../../schemas/run/observer.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { makeRateLimiter, type RateLimiter } from "./rate-limit.ts";
import { makeRunQueue } from "./run-queue.ts";

/** Decides who may run now. One for all clients of a process. */
export interface Admission {
  /** Counts the run, then waits for its turn. */
  enter(client: string, options: EnterOptions): Promise<Admitted | Refused>;
  /** Of the queue. */
  state(): QueueState;
}

export interface EnterOptions {
  signal: AbortSignal;
  /** A run that was counted when it came first. */
  isResumed: boolean;
}

/** An admitted caller must leave. */
export interface Admitted {
  kind: "admitted";
  leave(): void;
}

export interface Refused {
  kind: "refused";
  diagnostic: Diagnostic & { code: TurnedAwayFacts["code"] };
}

/** @param limiter counts the runs of each client; those of this process unless given */
export function makeAdmission(
  { queue, rateLimit }: Pick<ServeSettings, "queue" | "rateLimit">,
  limiter: RateLimiter = makeRateLimiter(rateLimit),
): Admission {
  const runQueue = makeRunQueue(queue);
  return {
    state: runQueue.state,
    async enter(client, { signal, isResumed }) {
      const seconds = isResumed ? 0 : await limiter.take(client);
      if (seconds > 0) return refuse("RATE_LIMITED", "This client has reached its rate limit.", seconds);
      const turn = await runQueue.enter(client, signal);
      switch (turn.kind) {
        case "running":
          return { kind: "admitted", leave: turn.leave };
        case "full":
          return refuse("QUEUE_FULL", "Too many scripts are waiting to run.", turn.retryAfterSeconds);
        case "cancelled":
          return { kind: "refused", diagnostic: CANCELLED };
      }
    },
  };
}

const CANCELLED: Refused["diagnostic"] = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled before it started.",
};

function refuse(code: "RATE_LIMITED" | "QUEUE_FULL", message: string, seconds: number): Refused {
  const hint = `The script did not run. Try again in ${seconds} s.`;
  return { kind: "refused", diagnostic: { severity: "error", code, message, hint } };
}
