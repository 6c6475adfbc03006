import type { LogLevel } from "./answer.ts";
import type { JsonValue } from "../json/json.ts";

/*
 * The protocol between the host and a sandbox process.
 *
 * A frame is four bytes of length (unsigned, little endian) and that many bytes of UTF-8 text. The text is a JSON header on its
 * first line; some types have a JSON body after the line break. No intermediate step parses the body: large tool inputs and results are
 * printed once and parsed once.
 */

/** Bytes of the length before each frame. */
export const FRAME_HEADER_BYTES = 4;

/** The longest list that a frame may carry, of errors, of truncations or of unawaited calls. */
export const MAX_LISTED = 10;

/** From the host: run this script. The body is a `RunBody`. Sent once. */
export interface RunHeader {
  type: "run";
  maxLogBytes: number;
  maxResultBytes: number;
  /** The host ends a sandbox that announces a longer frame, so the sandbox refuses longer tool inputs itself. */
  maxFrameBytes: number;
  /** The id of the first call; each further call has the next. In an ordinary run it is random: code that is not of this run cannot guess it. */
  firstCallId: number;
  /** Eight unsigned 32-bit numbers that `crypto` makes its bytes of. In a repeatable run they are made of its seed. */
  randomKey: readonly number[];
  /** The seed of `Math.random` in a process that has served before, so that no run can predict the numbers of another; as in `ReplayableStart`. */
  seed: readonly number[];
  /** Present where the run must be repeatable: see `ReplayableStart`. */
  replayable?: ReplayableStart;
  /** Set if each call is to say where the script makes it, for a person who is asked about it. */
  notesPlaces?: true;
  /** Set if the process is to serve another run after this script's result: see `ResetFrame`. */
  renew?: Renewal;
}

/** What is made for the next run of the same process: a realm with intrinsics of its own, or a compartment with globals of its own. */
export type Renewal = "realm" | "compartment";

/**
 * From the sandbox, once, after the result of a run with `renew`: all work that the script started has ended. `isClean` means that no
 * code of the script can run again; a new realm or compartment is ready.
 */
export interface ResetFrame {
  type: "reset";
  isClean: boolean;
}

/**
 * What a repeatable run starts from. Its script hears of time from the host alone: the clock stands still but for the `timeMs` of the
 * host's frames, the time zone is UTC, `Math.random` is seeded, and the host keeps the timers. So the same
 * program, the same start and the same frames of the host in the same order are the same run.
 */
export interface ReplayableStart {
  /** What the clock shows when the script starts, in milliseconds since 1970. */
  timeMs: number;
  /** Four unsigned 32-bit numbers, not all of them zero. */
  seed: readonly number[];
}

export interface RunBody {
  code: string;
  /** Whether the program is without the runtime, which the sandbox has (`leaveOutRuntime`). */
  takesRuntime?: boolean;
  /** What the script reads at `globalThis.__codemode_input__`. */
  input: JsonValue;
  /** The idempotency key of the run, which the script reads at `globalThis.__codemode_run__.key`. */
  key: string;
}

/** From the host: the answer to the call with this id. The body is a `ToolReply`. */
export interface ReplyHeader {
  type: "reply";
  id: number;
  /** In a repeatable run: the milliseconds since its start. */
  timeMs?: number;
}

/** From the host, in a repeatable run: the time of the timer with this id has come. */
export interface FireHeader {
  type: "fire";
  id: number;
  timeMs: number;
}

export type HostHeader = RunHeader | ReplyHeader | FireHeader;

/** From the sandbox. `body` is JSON text of the script's making: the host parses it as it would parse a stranger's. */
export type SandboxFrame =
  | { type: "ready" }
  | { type: "log"; level: LogLevel; timeMs: number; message: string; truncated: boolean }
  // With `notesPlaces`, `stack` is where the call is made.
  | { type: "call"; id: number; serverId: string; toolName: string; stack?: string | undefined; body: string }
  // These three only in a repeatable run. `idle`: so many frames after the first have been handled, and the script waits for another.
  // `setMs`: what the script's clock shows, in milliseconds since its start.
  | { type: "timer"; id: number; delayMs: number; setMs: number }
  | { type: "stopTimer"; id: number }
  | { type: "idle"; handled: number }
  | { type: "result"; truncations: Truncation[]; bigInts?: BigInts; unawaited: string[]; body: string }
  | ResetFrame
  | { type: "failure"; errors: ScriptError[] };

/** A place of the result that was cut to fit `maxResultBytes`. */
export interface Truncation {
  /** JSON Pointer into the result; empty for the whole. */
  pointer: string;
  unit: "characters" | "items" | "keys";
  kept: number;
  total: number;
}

/** The BigInts of a result, which JSON has no number for: they became strings. */
export interface BigInts {
  /** JSON Pointers to the first of them; empty for the whole. */
  pointers: string[];
  total: number;
}

/** Why a script failed. */
export type FailureKind = "uncaught" | "unhandled" | "syntax" | "never-settles" | "unserializable";

/** An error of the script, as text. `stack` holds frames of the bundle only; `hint` is the error's own, where it has one. */
export interface ScriptError {
  kind: FailureKind;
  name: string;
  message: string;
  stack: string;
  hint: string;
}

type WithoutBody<Frame> = Frame extends unknown ? Omit<Frame, "body"> : never;

/** Prints the text of a frame. */
export function formatFrame(header: HostHeader | WithoutBody<SandboxFrame>, body?: string): string {
  const line = JSON.stringify(header);
  return body === undefined ? line : `${line}\n${body}`;
}

/** Splits the text of a frame into its header, parsed, and its body. Throws a SyntaxError where the header is no JSON. */
export function splitFrame(text: string): { header: unknown; body: string } {
  const end = text.indexOf("\n");
  return end < 0
    ? { header: JSON.parse(text), body: "" }
    : { header: JSON.parse(text.slice(0, end)), body: text.slice(end + 1) };
}
