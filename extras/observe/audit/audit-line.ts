import type { Integrity } from "../../../schemas/lock/integrity.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { PolicyVerdict } from "../../../schemas/access/policy.ts";
import type { DriftHandling } from "../../../schemas/run/events.ts";

/** One line of the audit log; `audit.schema.json` says the same. Names are the clients', the servers' and the scripts': hostile text. */
export type AuditLine = { v: 1; time: string } & AuditEvent;

export type AuditEvent =
  | AuditedStart
  | AuditedReview
  | AuditedCall
  | AuditedCallReview
  | AuditedCallEnd
  | AuditedQuestion
  | AuditedEnd
  | { event: "access.refused"; place: string; token: string; from?: string | undefined; count: number }
  | { event: "run.turned-away"; client?: string | undefined; code: string }
  | {
      event: "server.drifted";
      serverId: string;
      handling: DriftHandling;
      toolsAdded: readonly string[];
      toolsRemoved: readonly string[];
      toolsChanged: readonly string[];
    };

/** A request to run something. */
export interface AuditedStart {
  event: "run.started";
  runId: string;
  origin: string;
  /** Of `serve.clients`. */
  client?: string | undefined;
  /** Who runs codemode, where it is no client. */
  user?: string | undefined;
  kind: "script" | "call";
  script?: string | undefined;
  /** The name of the script in the configuration. */
  savedAs?: string | undefined;
  serverId?: string | undefined;
  toolName?: string | undefined;
  /** Of the W3C trace that the request was part of. */
  traceId?: string | undefined;
  /** The idempotency key of a script's run. */
  key?: string | undefined;
}

/** It is decided whether it may. */
export interface AuditedReview {
  event: "run.reviewed";
  runId: string;
  /** SHA-256 of the code that runs; absent for a single call. */
  bundle?: Integrity | undefined;
  /** SHA-256 of the lockfile. */
  lockfile?: Integrity | undefined;
  verdict: string;
  approvalBy?: string | undefined;
  /** The name under which a person has answered, where there is one. */
  approvalName?: string | undefined;
  tools: readonly { serverId: string; toolName: string; integrity: Integrity; verdict: PolicyVerdict }[];
}

/** A call is about to be checked and made. */
export interface AuditedCall {
  event: "call.started";
  runId: string;
  call: number;
  serverId: string;
  toolName: string;
  integrity?: Integrity | undefined;
  verdict?: PolicyVerdict | undefined;
  inputBytes: number;
  /** Only where payloads are asked for, and it is not too long. */
  input?: JsonValue | undefined;
}

/** A person has decided about one call, or could not be asked. */
export interface AuditedCallReview {
  event: "call.reviewed";
  runId: string;
  call: number;
  serverId: string;
  toolName: string;
  /** SHA-256 over the tool, its definition and the input that was shown. */
  shown: Integrity;
  verdict: string;
  approvalBy?: string | undefined;
  /** The name under which a person has answered, where there is one. */
  approvalName?: string | undefined;
  /** What a changed call was made with; only where payloads are asked for, and it is not too long. */
  input?: JsonValue | undefined;
}

export interface AuditedCallEnd {
  event: "call.ended";
  runId: string;
  call: number;
  outcome: string;
  code?: string | undefined;
  rpcCode?: number | undefined;
  durationMs: number;
  resultBytes: number;
  result?: JsonValue | undefined;
}

/** A server has asked a person something; neither the question nor the answer is here. */
export interface AuditedQuestion {
  event: "question.ended";
  runId: string;
  serverId: string;
  mode: "form" | "url";
  outcome: string;
}

export interface AuditedEnd {
  event: "run.ended";
  runId: string;
  ok: boolean;
  codes: readonly string[];
  /** Present where it was bundled. */
  bundle?: Integrity | undefined;
  durationMs: number;
  calls: number;
  limits: readonly string[];
}
