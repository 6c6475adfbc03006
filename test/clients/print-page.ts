import type { Outcome } from "./read-outcome.ts";
import type { ScenarioName } from "./scenarios.ts";

/** The last outcomes of one client. */
export interface ClientResult {
  id: string;
  version: string;
  /** Of the last run, as `2026-11-22`. */
  date: string;
  outcomes: Partial<Record<ScenarioName, Outcome>>;
}

export const PAGE_PARTS: Readonly<Record<string, (results: readonly ClientResult[]) => string>> = {};
