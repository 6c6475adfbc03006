import type { HostEvents, QueueState, TurnedAwayCode } from "../../schemas/run/events.ts";
import { type Diagnostic, failedAnswer } from "../../schemas/run/answer.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { makeRateLimiter, type RateLimiter } from "./rate-limit.ts";
import { makeFairQueue } from "../../schemas/fair-queue.ts";
import { makePlaces } from "../../schemas/places.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { ServedView, SurfaceCall } from "../surface.ts";

/** Decides who may run now. One for all clients of a process. */
export type Admission = ReturnType<typeof makeAdmission>;

interface Refused {
  kind: "refused";
  diagnostic: Diagnostic & { code: TurnedAwayCode };
}

/** @param limiter counts the runs of each client; those of this process unless given */
export function makeAdmission(
  { queue, rateLimit }: Pick<ServeSettings, "queue" | "rateLimit">,
  limiter: RateLimiter = makeRateLimiter(rateLimit),
) {
  const runQueue = makeRunQueue(queue);
  const takePlace = makePlaces();
  return {
    /** Of the queue. */
    state: runQueue.state,
    /** A run waits for a person without a sandbox, in memory alone. Gives what ends that; undefined where too many wait already. */
    rest: (client: string): (() => void) | undefined => takePlace(client, MOST_RESTING),
    /** Counts the run, unless it was counted when it came first, and waits for its turn. An admitted caller must leave. */
    async enter(
      client: string,
      { signal, isResumed = false }: { signal: AbortSignal; isResumed?: boolean },
    ): Promise<{ kind: "admitted"; leave(): void } | Refused> {
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

const MOST_RESTING = { all: 200, ofClient: 100 };

const CANCELLED: Refused["diagnostic"] = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled before it started.",
};

function refuse(code: "RATE_LIMITED" | "QUEUE_FULL", message: string, seconds: number): Refused {
  const hint = `The script did not run. Try again in ${seconds} s.`;
  return { kind: "refused", diagnostic: { severity: "error", code, message, hint } };
}

/** Gives out the turns to run, of all clients together. */

/** What came of waiting. A run must call `leave` when it ends. */
export type Turn =
  | { kind: "running"; leave(): void }
  | { kind: "full"; retryAfterSeconds: number }
  | { kind: "cancelled" };

type Settle = (turn: Turn) => void;

/** A guess for as long as nothing has run. */
const FIRST_RUN_MS = 1000;
const MAX_RETRY_SECONDS = 60;

/**
 * Makes a bounded queue that is fair between clients, who take turns. Where the queue is full, the client with the longest line loses the
 * last place of it to a client with a shorter one.
 *
 * @param now milliseconds, from any fixed point
 */
export function makeRunQueue(
  { maxRunning, maxWaiting }: ServeSettings["queue"],
  now: () => number = performance.now.bind(performance),
) {
  const waiting = makeFairQueue<Settle>();
  let running = 0;
  let averageMs = FIRST_RUN_MS;

  const full = (): Turn => {
    const seconds = Math.ceil((averageMs * (waiting.size + 1)) / maxRunning / 1000);
    return { kind: "full", retryAfterSeconds: Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS) };
  };

  const start = (): Turn => {
    running += 1;
    const startedAt = now();
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      running -= 1;
      averageMs = 0.8 * averageMs + 0.2 * (now() - startedAt);
      serveNext();
    };
    return { kind: "running", leave };
  };

  const serveNext = (): void => {
    if (running < maxRunning) waiting.take()?.(start());
  };

  /** True where another client had more than its share of the queue. */
  const makePlace = (client: string): boolean => {
    const longest = waiting.longest();
    if (longest === undefined || longest.length <= waiting.countOf(client) + 1) return false;
    waiting.remove(longest.key, longest.last);
    longest.last(full());
    return true;
  };

  return {
    state: (): QueueState => ({ running, waiting: waiting.size }),
    /** Waits for a turn. A signal that is aborted gives up the place in the queue. */
    async enter(client: string, signal: AbortSignal): Promise<Turn> {
      if (signal.aborted) return { kind: "cancelled" };
      if (running >= maxRunning && waiting.size >= maxWaiting && !makePlace(client)) return full();
      return new Promise<Turn>((resolve) => {
        const giveUp = (): void => {
          waiting.remove(client, settle);
          resolve({ kind: "cancelled" });
        };
        const settle: Settle = (turn) => {
          signal.removeEventListener("abort", giveUp);
          resolve(turn);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.add(client, settle);
        serveNext();
      });
    },
  };
}

/**
 * The view whose runs and tool calls wait for their turn. A refusal is an answer like any other.
 *
 * @param client whose allowance is used and whose line is waited in
 */
export function admitView(view: ServedView, admission: Admission, client: string, events?: HostEvents): ServedView {
  const enter = async ({ signal, emitRequest }: SurfaceCall) => {
    const entry = await admission.enter(client, { signal });
    if (entry.kind === "refused") {
      const { code } = entry.diagnostic;
      events?.emit({ type: "run-turned-away", code, client: client === "" ? undefined : client });
      emitRequest?.({ type: "request-failed", code });
    } else emitRequest?.({ type: "request-admitted" });
    return entry;
  };
  return {
    ...view,
    async run(request, call) {
      const entry = await enter(call);
      if (entry.kind === "refused") return failedAnswer([entry.diagnostic]);
      let place = entry;
      /** A run without a sandbox takes no place of another one. */
      const onSuspended = async (isSuspended: boolean): Promise<void> => {
        if (isSuspended) return place.leave();
        const next = await admission.enter(client, { signal: call.signal, isResumed: true });
        if (next.kind === "admitted") place = next;
      };
      /** As long as a person is asked before the script runs. */
      const resting =
        (ask: Approve): Approve =>
        async (asked, inRun) => {
          if (inRun !== undefined) return ask(asked, inRun);
          const stop = admission.rest(client);
          if (stop === undefined) return "unavailable";
          await onSuspended(true);
          return ask(asked).finally(async () => {
            stop();
            await onSuspended(false);
          });
        };
      const { approve, askOperator } = call;
      const own = { approve: resting(approve), askOperator: askOperator && resting(askOperator) };
      try {
        const answer = await view.run(request, { ...call, ...own, onSuspended });
        const failure = answer.diagnostics.find(({ severity }) => severity === "error");
        if (failure !== undefined) call.emitRequest?.({ type: "request-failed", code: failure.code });
        return answer;
      } finally {
        place.leave();
      }
    },
    async callTool(serverId, toolName, input, call) {
      const entry = await enter(call);
      if (entry.kind === "refused") {
        const { code, message, hint = "" } = entry.diagnostic;
        return { content: [{ type: "text", text: `${code}: ${message} ${hint}`.trimEnd() }], isError: true };
      }
      try {
        return await view.callTool(serverId, toolName, input, call);
      } finally {
        entry.leave();
      }
    },
  };
}
