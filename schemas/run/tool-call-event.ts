import type { ToolCall } from "../lock/tools.ts";
import type { ToolTraceEntry } from "./answer.ts";
import { oneLine } from "../json/escape-invisible.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/**
 * The start or the end of a tool call, as it happens, and in between what its server reports; without input and output, as in the trace.
 * `number` counts the calls of a run from 1.
 */
export type ToolCallEvent =
  | { kind: "started"; serverId: string; toolName: string; number: number }
  | ({ serverId: string; toolName: string; number: number } & CallSign)
  | { kind: "ended"; entry: ToolTraceEntry; number: number };

/** What a server says while it works on a call, on one line: its own words. A log message may belong to another call of the same person. */
export type CallSign =
  /** Increases with each report of a call. */
  | { kind: "progress"; progress: number; total?: number; message?: string }
  | { kind: "log"; level: ServerLogLevel; text: string };

/** Those of MCP. */
export type ServerLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export type OnCallSign = (sign: CallSign) => void;

/** A call of a dry run: admitted, and not made. */
export interface SkippedCall extends ToolCall {
  /** Counts the skipped calls of a run, from 1. */
  number: number;
  /** A person would be asked about this call. */
  asks?: true;
}

/** Asks for a dry run. */
export interface DryRunRequest {
  /** Called for each call that a real run would make. */
  onSkipped?: (call: SkippedCall) => void;
}

/** What a call reports of its progress, in words: `3 of 10, reading pages`. */
export function describeProgress({ progress, total, message }: CallSign & { kind: "progress" }): string {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? amount : `${amount}, ${message}`;
}

/** Of the input, in UTF-16 units. */
const MAX_LENGTH = 2000;

/** One line for a call that a dry run did not make. The script decides what is in it: it is of bounded length, and cannot move the cursor. */
export function printSkippedCall({ number, serverId, toolName, input, asks }: SkippedCall): string {
  const json = toSourceLiteral(input);
  const shown = json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}… (${json.length - MAX_LENGTH} more)` : json;
  return `not called (${number}${asks ? ", asks first" : ""}): ${oneLine(`${serverId}/${toolName}`)} ${shown}`;
}

/**
 * What was done about a difference: `refreshed`: the lockfile has followed it; `pending`: it waits for a person; `accepted`: a person has
 * accepted these tools; `warned`: it was named; `refused`: a run was stopped.
 */
export type DriftHandling = "refreshed" | "pending" | "accepted" | "warned" | "refused";

/** What happens to servers. Codes are our own words; names of tools are the servers'. */
export type ServerEvent = ServerChangeEvent & {
  /** The client that the server runs for alone; absent where it is shared. */
  client?: string | undefined;
};

type ServerChangeEvent =
  | {
      kind: "connected";
      serverId: string;
      transport: "stdio" | "http" | "sse" | "program";
      durationMs: number;
      /** How often it was connected before by this host: more than 0 is a restart. */
      restarts: number;
    }
  /**
   * It could not be started or reached. The code is a `ConnectionErrorKind`, or the code of a `CodemodeError`; the reason is for the operator: one masked line, which may
   * have the last words of its program, and paths of this machine.
   */
  | { kind: "unreachable"; serverId: string; code: string; reason: string; durationMs: number }
  /** It has ended by itself, after so long. */
  | { kind: "disconnected"; serverId: string; code: string; afterMs: number }
  /** It has sent a log message: its own words, on one line and of bounded length. */
  | { kind: "logged"; serverId: string; level: ServerLogLevel; text: string }
  /** It differs from the lockfile: reported once per difference. */
  | {
      kind: "drifted";
      serverId: string;
      handling: DriftHandling;
      toolsAdded: readonly string[];
      toolsRemoved: readonly string[];
      toolsChanged: readonly string[];
    };

export type OnServerEvent = (event: ServerEvent) => void;
