import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { formatObserved } from "../../schemas/observed/observed-results.ts";
import type { PlacedFinding } from "./find-type-errors.ts";

/** What tools without a promised type return, and what findings count for that rest on it alone. */
export interface Supposition {
  isOf(tool: LockedTool): boolean;
  /** @param promised the findings if the results of these tools are `any` */
  soften(findings: readonly PlacedFinding[], promised: readonly PlacedFinding[]): PlacedFinding[];
}

/** Nothing is known of the result: one finding says so, and what follows from it would only distract. */
const UNKNOWN: Supposition = {
  isOf: ({ outputSchema, observed }) => outputSchema === undefined && observed === undefined,
  soften(findings, promised) {
    const supposed = findings.filter((finding) => restsOnResults(finding, promised));
    const [first] = supposed;
    return findings
      .filter((finding) => finding === first || !supposed.includes(finding))
      .map((finding) => (finding === first ? { ...finding, severity: "warning" } : finding));
  },
};

/** What was observed is no promise. */
const OBSERVED: Supposition = {
  isOf: ({ observed }) => observed !== undefined,
  soften: (findings, promised) =>
    findings.flatMap((finding) => {
      if (finding.severity !== "error" || !restsOnResults(finding, promised)) return [finding];
      const { ifObserved, hint } = finding;
      return ifObserved === undefined ? [] : [{ ...finding, severity: ifObserved, hint: `${hint} ${NO_PROMISE}` }];
    }),
};

export const SUPPOSITIONS: readonly Supposition[] = [UNKNOWN, OBSERVED];

const NO_PROMISE = "The server does not promise this type: it was observed in results.";

function restsOnResults({ file, start, severity }: PlacedFinding, promised: readonly PlacedFinding[]): boolean {
  return !promised.some(
    (other) => other.severity === severity && other.file.name === file.name && other.start === start,
  );
}

const ANYTHING = formatObserved({ sources: new Map([["0".repeat(16), 1]]), shape: { structured: { any: true } } });

/** The server as if these results had been anything: their type is `any`. */
export function supposeAnything(server: LockedServer, isSupposed: (tool: LockedTool) => boolean): LockedServer {
  return { ...server, tools: server.tools.map((tool) => (isSupposed(tool) ? { ...tool, observed: ANYTHING } : tool)) };
}
