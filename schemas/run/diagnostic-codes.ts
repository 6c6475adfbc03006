import type { DiagnosticCode } from "./answer.ts";

/** What a caller can do: run the same script again, change something first, or do without. */
export type NextStep = "retry" | "fix" | "never";

/** Each code of an answer with the next step that it leaves. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, NextStep>> = {
  APPROVAL_REQUIRED: "fix",
  AUDIT_FAILED: "fix",
  BUNDLE_FAILURE: "never",
  CHECK_INCOMPLETE: "fix",
  DRY_RUN: "never",
  HOST_MEMORY: "retry",
  IMPORT_FAILURE: "fix",
  INPUT_MISMATCH: "fix",
  INVALID_REQUEST: "fix",
  KEY_REUSED: "fix",
  LOCK_DRIFT: "fix",
  MISSING_AWAIT: "fix",
  OUTPUT_MISMATCH: "fix",
  POLICY_DENIED: "never",
  PROJECT_UNTRUSTED: "fix",
  QUEUE_FULL: "retry",
  RATE_LIMITED: "retry",
  REPLAY_DIVERGED: "fix",
  RESULT_MISSING: "fix",
  RESULT_SHAPE_NEW: "never",
  RESULT_TRUNCATED: "fix",
  RESULT_UNSERIALIZABLE: "fix",
  RUN_CANCELLED: "retry",
  RUN_CONTINUES: "never",
  RUN_LOST: "fix",
  SANDBOX_FAILURE: "retry",
  SANDBOX_LIMIT: "fix",
  SCRIPT_UNAVAILABLE: "fix",
  SERVER_UNAVAILABLE: "retry",
  SYNTAX_ERROR: "fix",
  TYPE_ERROR: "fix",
  UNCAUGHT_EXCEPTION: "fix",
  UNHANDLED_REJECTION: "fix",
};
