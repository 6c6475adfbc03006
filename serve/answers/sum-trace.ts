import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { TraceMode } from "../../schemas/config/serve-settings.ts";
import type { ToolTraceEntry } from "../../schemas/run/answer.ts";

/** A model pays for each entry. */
const MOST_ENTRIES = 20;

/**
 * The trace of a run as an agent gets it. Totals have an entry for each tool, and one for each kind of failure of a tool, which come first;
 * beyond 20 entries the others are one entry, of the tool `*`.
 */
export function sumTrace(calls: readonly ToolTraceEntry[], mode: TraceMode): ToolTraceEntry[] {
  if (mode === "none") return [];
  if (mode === "calls" || (mode === "auto" && calls.length <= MOST_ENTRIES)) return [...calls];
  const totals = new Map<string, ToolTraceEntry>();
  for (const call of calls) {
    const key = JSON.stringify([call.serverId, call.toolName, call.ok, call.error ?? ""]);
    const known = totals.get(key);
    totals.set(key, known === undefined ? call : addUp(known, call));
  }
  const sorted = [...totals.values()].toSorted(
    (left, right) => Number(left.ok) - Number(right.ok) || countOf(right) - countOf(left),
  );
  if (sorted.length <= MOST_ENTRIES) return sorted;
  const others = sorted.slice(MOST_ENTRIES - 1);
  const failed = others.filter(({ ok }) => !ok).reduce((count, entry) => count + countOf(entry), 0);
  return [
    ...sorted.slice(0, MOST_ENTRIES - 1),
    {
      ...others.reduce(addUp),
      ...{ serverId: "*", toolName: "*", ok: failed === 0 },
      ...withoutUndefined({ error: failed > 0 ? `${failed} of them failed` : undefined }),
    },
  ];
}

function addUp(total: ToolTraceEntry, entry: ToolTraceEntry): ToolTraceEntry {
  const durationMs = total.durationMs + entry.durationMs;
  return { ...total, calls: countOf(total) + countOf(entry), durationMs };
}

function countOf({ calls = 1 }: ToolTraceEntry): number {
  return calls;
}
