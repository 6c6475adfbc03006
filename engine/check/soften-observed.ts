import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { formatObserved } from "../../schemas/observed/observed-results.ts";
import type { PlacedFinding } from "./find-type-errors.ts";

/**
 * What was observed is no promise: a finding that rests on it alone is an error only where the script misspells a name that was seen.
 * @param promised the findings if all that was observed is `any`
 */
export function softenObserved(
  findings: readonly PlacedFinding[],
  promised: readonly PlacedFinding[],
): PlacedFinding[] {
  return findings.map((finding) => {
    const { file, start, severity, isMisspelling = false, hint } = finding;
    const isPromised = promised.some((other) => other.file.name === file.name && other.start === start);
    if (isPromised || severity !== "error") return finding;
    return { ...finding, severity: isMisspelling ? "error" : "warning", hint: `${hint} ${OBSERVED}` };
  });
}

const OBSERVED = "The server does not promise this type: it was observed in results.";

const ANYTHING = formatObserved({ sources: new Map([["0".repeat(16), 1]]), shape: { structured: { any: true } } });

/** The server as if results that were observed had been anything: their type is `any`. */
export function forgetObserved(server: LockedServer): LockedServer {
  return {
    ...server,
    tools: server.tools.map((tool) => (tool.observed === undefined ? tool : { ...tool, observed: ANYTHING })),
  };
}
