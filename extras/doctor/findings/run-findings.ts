import type { Finding } from "../doctor-report.ts";
import type { RunFacts } from "../probes/probe-run.ts";
import { printMilliseconds } from "./print-amounts.ts";

export function evaluateRun(facts: RunFacts): Finding[] {
  if (!facts.ok) {
    const { step, failure, hint } = facts;
    return [{ id: `run.${step}`, status: "problem", subject: `a script's ${step}`, found: failure, hint }];
  }
  const { bundleMs, readyMs, runMs } = facts;
  const found = `bundled in ${printMilliseconds(bundleMs)}, sandbox ready in ${printMilliseconds(readyMs)}, run in ${printMilliseconds(runMs)}`;
  const [bundle, ready, run] = [bundleMs, readyMs, runMs].map((milliseconds) => Math.round(10 * milliseconds) / 10);
  return [
    {
      id: "run.script",
      status: "ok",
      subject: "a script",
      found,
      facts: { bundleMs: bundle ?? 0, readyMs: ready ?? 0, runMs: run ?? 0 },
    },
  ];
}
