import fc from "fast-check";
import { vi } from "vitest";
import { type Heard, type HeardBefore, Player } from "../../../runtime/sandbox/pool/player.ts";
import type { TimeFrame } from "../../../runtime/sandbox/pool/timekeeper.ts";

/** What a script does when it starts, or hears something. */
type Action = { do: "call" } | { do: "timer"; delayMs: number } | { do: "stop"; at: number };

/** What becomes of a script, by what it has heard so far. */
type Program = readonly (readonly Action[])[];

/** A run that is played: a script, what it has heard before, and what happens to it. */
export interface PlayedCase {
  program: Program;
  history: readonly HeardBefore[];
  after: "live" | "nothing";
  mayFire: boolean;
  /** What the script's clock shows when the run begins, or goes on; not before the end of the history. */
  elapsedMs: number;
  /** By the number of the call: milliseconds until its reply is there. */
  latencies: readonly number[];
  /** How long it takes to keep what is new, one time after the other, in turns of the event loop; 0 where it is kept at once. */
  keptAfter: readonly number[];
  /** Whose turn it is: the sandbox's or the host's. */
  turns: readonly boolean[];
}

/** What came of it: all that the script was sent, what was kept of that, and how it stands at the end. */
export interface Played {
  sent: HeardBefore[];
  kept: HeardBefore[];
  end: string;
}

/** The same with numbers, as a sandbox counts them. */
type Done = { call: number } | { timer: number; delayMs: number } | { stop: number };

const MOST_ACTIONS = 16;

/** A script as its realm runs it: a timer that was stopped does nothing when it fires. */
function startScript(program: Program) {
  const waiting = new Set<number>();
  let [timers, calls, actions, state] = [0, 0, 0, 0];
  const act = (): Done[] =>
    (program[state % program.length] ?? []).flatMap((action): Done[] => {
      actions += 1;
      if (actions > MOST_ACTIONS) return [];
      if (action.do === "call") return [{ call: (calls += 1) }];
      if (action.do === "timer") {
        waiting.add((timers += 1));
        return [{ timer: timers, delayMs: action.delayMs }];
      }
      const stopped = [...waiting][action.at % waiting.size];
      return stopped !== undefined && waiting.delete(stopped) ? [{ stop: stopped }] : [];
    });
  return {
    act,
    hear(heard: HeardBefore) {
      if ("timer" in heard && !waiting.delete(heard.timer)) return [];
      state = state * 3 + ("timer" in heard ? 2 * heard.timer : 2 * heard.call + 1);
      return act();
    },
  };
}

const nameOf = (heard: HeardBefore): string => ("call" in heard ? `call ${heard.call}` : `timer ${heard.timer}`);

/** What is to come of it, one thing after the other. */
export function interpret(played: PlayedCase): Played {
  const { program, history, after, mayFire, elapsedMs } = played;
  const script = startScript(program);
  const came: Played = { sent: [], kept: [], end: "waits" };
  const replies: { call: number; atMs: number }[] = [];
  const early: number[] = [];
  const timers = new Map<number, number>();
  const timersSet = new Set<number>();
  const rest = [...history];
  let [calls, lastMs, hostMs] = [0, 0, elapsedMs];
  const act = (actions: readonly Done[], nowMs: number): void => {
    for (const action of actions) {
      if ("stop" in action) timers.delete(action.stop);
      else if ("timer" in action) {
        timersSet.add(action.timer);
        timers.set(action.timer, nowMs + action.delayMs);
      } else {
        const latencyMs = latencyOf(played, (calls = action.call));
        if (latencyMs === 0) early.push(calls);
        else if (latencyMs !== undefined) replies.push({ call: calls, atMs: hostMs + latencyMs });
      }
    }
  };
  const hear = (heard: HeardBefore, isNew: boolean): void => {
    const timeMs = (lastMs = Math.max(lastMs, heard.timeMs));
    came.sent.push({ ...heard, timeMs });
    if (isNew) came.kept.push({ ...heard, timeMs });
    if ("timer" in heard) timers.delete(heard.timer);
    act(script.hear(heard), isNew ? Math.max(lastMs, hostMs) : lastMs);
  };
  const byDue = (): [number, number][] => [...timers].toSorted(([, one], [, other]) => one - other);
  const isPossible = (heard: HeardBefore): boolean =>
    "call" in heard ? heard.call <= calls : timersSet.has(heard.timer);

  act(script.act(), history.length > 0 || after === "nothing" ? 0 : elapsedMs);
  while (after === "nothing" || rest.length > 0) {
    const at = rest.findIndex(isPossible);
    if (after === "live" && at !== 0) return { ...came, end: `stands still before ${nameOf(rest[0] as HeardBefore)}` };
    const [heard] = at < 0 ? [] : rest.splice(at, 1);
    const [first] = mayFire ? byDue() : [];
    if (heard !== undefined) hear(heard, false);
    else if (first !== undefined) hear({ timeMs: first[1], timer: first[0] }, false);
    else return { ...came, end: "stands still" };
  }
  for (;;) {
    for (let call = early.shift(); call !== undefined; call = early.shift()) hear({ timeMs: hostMs, call }, true);
    const nextMs = Math.min(byDue()[0]?.[1] ?? Infinity, ...replies.map(({ atMs }) => atMs));
    if (nextMs === Infinity) return came;
    hostMs = Math.max(hostMs, nextMs);
    // What happens in the same millisecond is sent before the script can do something about it.
    const fired = byDue().filter(([, dueMs]) => dueMs <= hostMs);
    const arrived = fired.length > 0 ? [] : replies.filter(({ atMs }) => atMs <= hostMs);
    for (const reply of arrived) replies.splice(replies.indexOf(reply), 1);
    for (const [timer] of fired) timers.delete(timer);
    for (const [timer] of fired) hear({ timeMs: hostMs, timer }, true);
    for (const { call } of arrived) hear({ timeMs: hostMs, call }, true);
  }
}

/** After how long the reply to a call is there; undefined where it is of the history, or never comes. */
function latencyOf({ history, latencies, after }: PlayedCase, call: number): number | undefined {
  const isNew = after === "live" && !history.some((heard) => "call" in heard && heard.call === call);
  return isNew ? (latencies[call % latencies.length] ?? 0) : undefined;
}

type Frame = TimeFrame | { type: "call"; id: number };

/** What the player makes of it, between a host and a sandbox that take turns in any order. */
export async function play(played: PlayedCase): Promise<Played> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
  try {
    return await playInFakeTime(played);
  } finally {
    vi.useRealTimers();
  }
}

async function playInFakeTime(played: PlayedCase): Promise<Played> {
  const script = startScript(played.program);
  const [sent, kept]: [HeardBefore[], HeardBefore[]] = [[], []];
  const replies: { call: number; atMs: number }[] = [];
  const begunAt = performance.now();
  const elapsed = (): number => played.elapsedMs + Math.round(performance.now() - begunAt);
  const mayKeepLater = played.keptAfter.some((ticks) => ticks > 0);
  let end: string | undefined;
  let [keeps, keeping] = [0, 0];
  const player = new Player({
    ...{ start: { timeMs: 0, seed: [] }, history: played.history, after: played.after, elapsed },
    mayFire: () => played.mayFire,
    keep(heard) {
      kept.push(...heard.map(withoutReply));
      const ticks = played.keptAfter[keeps % played.keptAfter.length] ?? 0;
      keeps += 1;
      return ticks === 0 ? undefined : waitFor(ticks);
    },
    onStandstill: (missing) => void (end = missing ? `stands still before ${nameOf(missing)}` : "stands still"),
  });

  const toHost: Frame[] = [];
  const toScript: HeardBefore[] = [];
  let [handled, announced, scriptMs, turn] = [0, -1, 0, 0];
  const act = (actions: readonly Done[]): void => {
    for (const action of actions) {
      if ("call" in action) toHost.push({ type: "call", id: action.call });
      else if ("stop" in action) toHost.push({ type: "stopTimer", id: action.stop });
      else toHost.push({ type: "timer", id: action.timer, delayMs: action.delayMs, setMs: scriptMs });
    }
  };
  const takeScriptsTurn = (): void => {
    const heard = toScript.shift();
    if (heard === undefined) {
      toHost.push({ type: "idle", handled });
      announced = handled;
      return;
    }
    handled += 1;
    scriptMs = Math.max(scriptMs, heard.timeMs);
    act(script.hear(heard));
  };
  const takeHostsTurn = (frame: Frame): void => {
    if (frame.type !== "call") return void (player.onFrame(frame) || (end = "is broken off"));
    const latencyMs = latencyOf(played, frame.id) ?? 0;
    if (latencyMs === 0) player.onReply(frame.id, "{}");
    else replies.push({ call: frame.id, atMs: elapsed() + latencyMs });
  };
  const waitFor = async (ticks: number): Promise<void> => {
    keeping += 1;
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    keeping -= 1;
  };
  const settle = async (): Promise<void> => {
    for (let quiet = 0; mayKeepLater && quiet < 6; quiet = keeping > 0 ? 0 : quiet + 1) await Promise.resolve();
  };
  const takeTurns = async (): Promise<void> => {
    for (;;) {
      await settle();
      const mayScript = toScript.length > 0 || announced !== handled;
      if (end !== undefined || (!mayScript && toHost.length === 0)) return;
      turn += 1;
      const isScripts = played.turns[turn % played.turns.length] === true || toHost.length === 0;
      if (mayScript && isScripts) takeScriptsTurn();
      else takeHostsTurn(toHost.shift() as Frame);
    }
  };

  player.begin({
    send(header) {
      if (header.type === "run") return;
      const heard = {
        timeMs: header.timeMs ?? -1,
        ...(header.type === "reply" ? { call: header.id } : { timer: header.id }),
      };
      sent.push(heard as HeardBefore);
      toScript.push(heard as HeardBefore);
    },
    end: () => undefined,
  });
  act(script.act());
  while (end === undefined) {
    await takeTurns();
    const before = sent.length;
    vi.advanceTimersByTime(0);
    await settle();
    if (end !== undefined || sent.length > before) continue;
    const arrived = replies.filter(({ atMs }) => atMs <= elapsed());
    for (const reply of arrived) {
      replies.splice(replies.indexOf(reply), 1);
      player.onReply(reply.call, "{}");
    }
    if (arrived.length > 0) continue;
    const restMs = Math.min(player.nextTimer() ?? Infinity, ...replies.map(({ atMs }) => atMs - elapsed()));
    if (restMs === Infinity) end = player.isIdle() && player.isNew() ? "waits" : "does not wait";
    else vi.advanceTimersByTime(restMs);
  }
  player.close({ kind: "cancelled" });
  return { sent, kept, end };
}

function withoutReply(heard: Heard): HeardBefore {
  return "timer" in heard ? heard : { timeMs: heard.timeMs, call: heard.call };
}

const ms = fc.integer({ min: 0, max: 40 });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constant<Action>({ do: "call" }),
  ms.map((delayMs): Action => ({ do: "timer", delayMs })),
  fc.nat(5).map((at): Action => ({ do: "stop", at })),
);
const program: fc.Arbitrary<Program> = fc.array(fc.array(action, { maxLength: 3 }), { minLength: 1, maxLength: 6 });
const latencies = fc.array(ms, { minLength: 1, maxLength: 5 });

/** What a script has heard that ran before. */
export const heardOf = (of: Program, replyAfter: readonly number[]): HeardBefore[] =>
  interpret({ program: of, history: [], after: "live", ...NO_HISTORY, latencies: replyAfter }).sent;

const NO_HISTORY = { mayFire: true, elapsedMs: 0, keptAfter: [0], turns: [true] };

/** Any events at all, each once. */
const anyHistory = fc
  .uniqueArray(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 }), fc.nat(100)), {
    selector: ([isCall, id]) => `${isCall} ${id}`,
    maxLength: 6,
  })
  .map((events) =>
    events
      .toSorted(([, , one], [, , other]) => one - other)
      .map(([isCall, id, timeMs]): HeardBefore => (isCall ? { timeMs, call: id } : { timeMs, timer: id })),
  );

/** A run of the same script, of another one, or none that ever was; up to any event of it. */
const historyOf = (own: Program): fc.Arbitrary<HeardBefore[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(latencies, fc.nat(20)).map(([after, cut]) => heardOf(own, after).slice(0, cut)) },
    fc.tuple(program, latencies, fc.nat(20)).map(([other, after, cut]) => heardOf(other, after).slice(0, cut)),
    anyHistory,
  );

export const playedCase: fc.Arbitrary<PlayedCase> = program.chain((own) =>
  historyOf(own).chain((history) =>
    fc.record({
      program: fc.constant(own),
      history: fc.constant(history),
      after: fc.constantFrom("live", "nothing"),
      mayFire: fc.boolean(),
      elapsedMs: fc.nat(100).map((gapMs) => gapMs + (history.at(-1)?.timeMs ?? 0)),
      latencies,
      keptAfter: fc.oneof(fc.constant([0]), fc.array(fc.nat(9), { minLength: 1, maxLength: 4 })),
      turns: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    }),
  ),
);
