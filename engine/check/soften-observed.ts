import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { formatObserved } from "../../schemas/observed/observed-results.ts";
import type { PlacedFinding } from "./find-type-errors.ts";

/**
 * What was observed is no promise: findings that rest on it alone count for less.
 * @param promised the findings if all that was observed is `any`
 */
export function softenObserved(
  findings: readonly PlacedFinding[],
  promised: readonly PlacedFinding[],
): PlacedFinding[] {
  return findings.flatMap((finding) => {
    const { file, start, severity, ifObserved, hint } = finding;
    const isPromised = promised.some(
      (other) => other.severity === "error" && other.file.name === file.name && other.start === start,
    );
    if (isPromised || severity !== "error") return [finding];
    return ifObserved === undefined ? [] : [{ ...finding, severity: ifObserved, hint: `${hint} ${OBSERVED}` }];
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
