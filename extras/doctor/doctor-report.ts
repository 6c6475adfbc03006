import type { JsonObject } from "../../schemas/json/json.ts";

/** The format of what `codemode doctor --json` prints; `doctor.schema.json` says the same. */
export const DOCTOR_VERSION = 1;

/** `info` is neither good nor bad; a `warning` costs something; with a `problem` something does not work. */
export type FindingStatus = "ok" | "info" | "warning" | "problem";

/** What was found out about one thing. No text or fact holds the value of a variable or header. */
export interface Finding {
  /** Stays the same from version to version, for programs: `sandbox.network`. */
  id: string;
  /** What was looked at, in a few words. */
  subject: string;
  status: FindingStatus;
  /** What was found, in a line; parts of it may come from a server. */
  found: string;
  /** How to fix it. Every problem and warning has one. */
  hint?: string | undefined;
  /** The same for programs: figures with their unit in the name. */
  facts?: JsonObject | undefined;
}

/** What belongs together. */
export interface DoctorSection {
  id: "caches" | "clients" | "configuration" | "lockfile" | "machine" | "policy" | "run" | "sandbox" | "servers";
  title: string;
  findings: Finding[];
}

/** What `codemode doctor` has found out. */
export interface DoctorReport {
  doctorVersion: typeof DOCTOR_VERSION;
  codemodeVersion: string;
  /** The worst of all findings. */
  status: Exclude<FindingStatus, "info">;
  problems: number;
  warnings: number;
  sections: DoctorSection[];
}

/** How a thing is, and how to fix it. */
export type FoundState = Pick<Finding, "status" | "found" | "hint">;

export const ok = (found: string): FoundState => ({ status: "ok", found });
export const info = (found: string, hint?: string): FoundState => ({ status: "info", found, hint });
export const warning = (found: string, hint: string): FoundState => ({ status: "warning", found, hint });
export const problem = (found: string, hint: string): FoundState => ({ status: "problem", found, hint });

export function toFinding(id: string, subject: string, verdict: FoundState, facts?: JsonObject): Finding {
  return { id, subject, ...verdict, facts };
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A size as people read it: `12.3 MiB`. */
export function printBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const amount = bytes / 1024 ** step;
  return `${step === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[step]}`;
}

/** A time as people read it: `45 ms`, `1.2 s`. */
export function printMilliseconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The first few of many names. */
export function printSome(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
