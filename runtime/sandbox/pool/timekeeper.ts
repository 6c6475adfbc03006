import type { HostHeader, ReplayableStart, SandboxFrame } from "../../../schemas/run/protocol.ts";
import type { Ending } from "./ending-diagnostics.ts";
import type { ForeignCall } from "./tool-call-dispatcher.ts";

/** Timers that may wait at one time, as in the sandbox. */
export const MAX_TIMERS = 10_000;

/** The longest delay that timers have, as in the sandbox: longer ones would fire at once. */
export const MAX_DELAY_MS = 0x7fff_ffff;

/** The frames by which a repeatable run sets its timers and says that it waits. */
export type TimeFrame = Extract<SandboxFrame, { type: "timer" | "stopTimer" | "idle" }>;

/** Decides what the script of a repeatable run hears, in which order, and at what time by its clock. */
export interface Timekeeper {
  readonly start: ReplayableStart;
  /** Called once, before the script starts. */
  begin(wire: RunWire): void;
  /** A call has been passed on. */
  onCall(id: number, call: ForeignCall): void;
  /** The answer to a call is there. */
  onReply(id: number, replyJson: string): void;
  /** False where the sandbox sends what it may not. */
  onFrame(frame: TimeFrame): boolean;
  /** The run has come to this end. */
  close(ending: Ending): void;
}

/** What a timekeeper can do to the run. */
export interface RunWire {
  send(header: HostHeader, body: string): void;
  end(ending: Ending): void;
}
