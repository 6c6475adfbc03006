import { clock } from "../../engine/clock.ts";
import { MACHINE } from "../../engine/files.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import type { OwnedRun } from "./kept-runs.ts";

/** The clock of a script, in milliseconds since its start. It is never set. */
export interface ScriptClock {
  elapsed: () => number;
  /** By how much the clock of the machine was set since the run began, as far as this process can say that; 0 where it was not. */
  setByMs: number;
}

/** The clock of a run that this process begins. */
export const newClock = (): ScriptClock => ({ elapsed: clockFrom(0), setByMs: 0 });

/** The clock of a run that another process has begun. Only where that was on another machine the wall clock counts. */
export function clockOf({ run: { start, begunOn }, steps }: OwnedRun): ScriptClock {
  const heardMs = foldRun(steps).heard.at(-1)?.timeMs ?? 0;
  const isHere = begunOn.machine === MACHINE;
  const byWallMs = clock.wall() - start.timeMs;
  const passedMs = isHere ? clock.steady() - begunOn.steadyMs : byWallMs;
  // Of another machine it is known only that less time cannot have passed than the script has seen.
  const leastMs = Math.max(heardMs, passedMs);
  return { elapsed: clockFrom(leastMs), setByMs: isHere || byWallMs < heardMs ? byWallMs - leastMs : 0 };
}

/** By the exact clock of this process; after a sleep of the machine, in which that may stand still, by the machine's. */
function clockFrom(passedMs: number): () => number {
  const [begunMs, hereMs] = [clock.steady(), clock.now()];
  return () => Math.floor(passedMs + Math.max(clock.now() - hereMs, clock.steady() - begunMs - STEADY_UNIT_MS));
}

/** The clock of a machine counts in hundredths of a second. */
const STEADY_UNIT_MS = 10;

/** A clock that is kept right over a network moves by less. */
const LEAST_STEP_MS = 10_000;

/** The warning of a run during which the clock was set; nothing where it was not. */
export function describeClock({ setByMs }: ScriptClock): Diagnostic[] {
  if (Math.abs(setByMs) < LEAST_STEP_MS) return [];
  return [
    {
      severity: "warning",
      code: "CLOCK_CHANGED",
      message: `The clock of the machine was set ${setByMs < 0 ? "back" : "forward"} by ${printSpan(Math.abs(setByMs))} since the run began`,
      hint: "The delays of the script were right. Check the times that it has computed: its clock goes on from the old time.",
    },
  ];
}

const UNITS: [string, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

function printSpan(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, least]) => ms >= least * 1.5) ?? ["second", 1000];
  const count = Math.round(ms / unitMs);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
