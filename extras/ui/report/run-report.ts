import type { Diagnostic, LogEntry } from "../../../schemas/run/answer.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import type { PolicyVerdict } from "../../../schemas/access/policy.ts";

/** What can be looked at of one run. Texts of scripts, servers and tools are in it as they came. */
export interface RunReport {
  /** A run that has just been, or a recording of one. */
  kind: "run" | "recording";
  madeBy: { codemode: string; node: string };
  /** The name of the script, for instance `report.ts`. */
  script: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** From the start of the script to its end, in milliseconds. */
  durationMs: number;
  /** Bundling, connecting and starting a sandbox, in milliseconds; unknown of a recording. */
  preparationMs?: number;
  /** Whether the run is free of errors. */
  isOk: boolean;
  /** Of the whole lockfile; unknown of a recording. */
  lockfileIntegrity?: Integrity;
  /** The servers whose tools the script could call, as they were locked. */
  servers: readonly ReportedServer[];
  /** The tools that the script could call. */
  tools: readonly ReportedTool[];
  /** In the order of their starts. */
  calls: readonly ReportedCall[];
  logs: readonly LogEntry[];
  diagnostics: readonly Diagnostic[];
  /** The script first, then its own modules. */
  sources: readonly ReportedSource[];
  traffic: Traffic;
  /** The JSON text of what the script gave back, cut; only where payloads are wanted. */
  result?: ShownText;
}

export interface ReportedServer {
  id: string;
  integrity: Integrity;
}

export interface ReportedTool {
  serverId: string;
  toolName: string;
  integrity: Integrity;
}

export interface ReportedSource {
  /** As in the paths of diagnostics. */
  name: string;
  text: string;
}

/** One call of a tool; times in milliseconds since the start of the script. */
export interface ReportedCall {
  /** From 1. */
  number: number;
  serverId: string;
  toolName: string;
  startMs: number;
  /** Absent where the run ended before the call did. */
  endMs?: number;
  outcome: CallFate;
  /** The class of the error that the script got, or the kind of the connection's failure. */
  error?: string;
  /** What the policy says of the tool; unknown of a recording. */
  verdict?: PolicyVerdict;
  input: TextSize;
  /** Absent where no output came. */
  output?: TextSize;
  /** Only where payloads are wanted. */
  payloads?: { input: ShownText; output?: ShownText };
}

/**
 * `refused` by the host: the server never heard of it; `skipped` in a dry run; `unfinished` where the run ended before the call
 * did.
 */
export type CallFate = "ok" | "failed" | "refused" | "skipped" | "unfinished";

/** How much a text is, as UTF-8 and for a language model; the tokens are an estimate. */
export interface TextSize {
  bytes: number;
  tokens: number;
}

/** The beginning of a text, and how many bytes were left out after it. */
export interface ShownText {
  text: string;
  bytesLeftOut: number;
}

/** What stayed in the sandbox against what came back. */
export interface Traffic {
  /** What all calls sent. */
  inputs: TextSize;
  /** What all calls gave. */
  outputs: TextSize;
  /** Logs, result, diagnostics and tool trace, as one JSON text. */
  answer: TextSize;
  /** The author's code: the script with its modules. */
  script: TextSize;
}

export const NOTHING: TextSize = { bytes: 0, tokens: 0 };

export function addSizes(left: TextSize, right: TextSize): TextSize {
  return { bytes: left.bytes + right.bytes, tokens: left.tokens + right.tokens };
}
