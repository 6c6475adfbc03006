import type { JsonObject } from "../../schemas/json/json.ts";

/** The format of what `codemode doctor --json` prints; `doctor.schema.json` says the same. */
export const DOCTOR_VERSION = 1;

/** `info` is neither good nor bad; a `warning` costs something; with a `problem` something does not work. */
export type FindingStatus = "ok" | "info" | "warning" | "problem";

/** What was found out about one thing. No text or fact holds the value of a variable or header. */
export interface Finding {
  /** Stays the same from version to version, for programs: `sandbox.network`. */
  id: string;
  status: FindingStatus;
  /** What was looked at, in a few words. */
  subject: string;
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
