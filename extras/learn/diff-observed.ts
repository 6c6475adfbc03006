import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { countResults, observedOf } from "../../schemas/observed/observed-results.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Change, makeChange, pointerStep } from "../../schemas/diff/change.ts";
import { compareSchemas } from "../../schemas/diff/compare-schemas.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";

/**
 * Lists what was learned of results from `before` to `after`, sorted by server id. Changes are of class `observed`: no integrity covers
 * them, and they refuse no run.
 */
export function diffObserved(before: Lockfile, after: Lockfile): ServerChange[] {
  const ids = [...after.servers.keys()].filter((id) => before.servers.has(id)).toSorted(byCodeUnits);
  return ids.flatMap((serverId) => {
    const old = new Map(before.servers.get(serverId)?.tools.map((tool) => [tool.name, tool]));
    const pairs = (after.servers.get(serverId)?.tools ?? []).map((tool) => [old.get(tool.name), tool] as const);
    const changed = pairs.filter(([one, other]) => JSON.stringify(one?.observed) !== JSON.stringify(other.observed));
    if (changed.length === 0) return [];
    return [
      {
        ...{ serverId, kind: "changed", severity: "observed", toolsAdded: [], toolsRemoved: [] },
        toolsChanged: changed.map(([, { name }]) => name),
        changes: changed.flatMap(([one, other]) => compareObserved(one, other)),
      } satisfies ServerChange,
    ];
  });
}

function compareObserved(before: LockedTool | undefined, after: LockedTool): Change[] {
  const pointer = `/tools${pointerStep(after.name)}/observed`;
  const [old, now] = [before?.observed, after.observed];
  if (old === undefined || now === undefined) {
    const verb = old === undefined ? `observed in ${results(after)}` : "forgotten";
    const change = makeChange(
      "observed",
      pointer,
      `shape of results ${verb}`,
      withoutSources(old),
      withoutSources(now),
    );
    return [change, ...emptyLists(now, pointer)];
  }
  const shapes = (["json", "structured"] as const).flatMap((key) => {
    const [one, other] = [ownValue(old, key), ownValue(now, key)];
    if (one === undefined && other === undefined) return [];
    return compareSchemas(one, other, `${pointer}/${key}`, "output").map(
      ({ summary, pointer: at, before: was, after: is }) => makeChange("observed", at, summary, was, is),
    );
  });
  const others = (["blocks", "text"] as const)
    .filter((key) => JSON.stringify(ownValue(old, key)) !== JSON.stringify(ownValue(now, key)))
    .map((key) =>
      makeChange("observed", `${pointer}/${key}`, OTHER_FORMS[key], ownValue(old, key), ownValue(now, key)),
    );
  const found = [...shapes, ...others];
  const same = makeChange("observed", pointer, `same shape in ${results(after)}`, undefined, undefined);
  return [...(found.length > 0 ? found : [same]), ...emptyLists(now, pointer)];
}

/** Places whose type says nothing of the items, because every list there was empty. */
function emptyLists(node: JsonValue | undefined, pointer: string): Change[] {
  if (!isJsonObject(node)) return [];
  const inner = Object.entries(node).flatMap(([key, child]) => emptyLists(child, `${pointer}${pointerStep(key)}`));
  const isEmpty = ownValue(node, "items") === false;
  const change = makeChange("observed", pointer, "only empty lists were seen here", undefined, undefined);
  return isEmpty ? [change, ...inner] : inner;
}

const OTHER_FORMS = { blocks: "content blocks observed", text: "plain text observed" };

function results(tool: LockedTool): string {
  const observed = observedOf(tool);
  return countOf(observed === undefined ? 0 : countResults(observed), "result");
}

/** What a reader reviews. */
function withoutSources(observed: JsonObject | undefined): JsonObject | undefined {
  if (observed === undefined || !isJsonObject(observed)) return undefined;
  const { sources: _, ...shape } = observed;
  return shape;
}
