import { type RunAnswer, errorsOf } from "../../schemas/run/answer.ts";
import { isRepeatable } from "../../schemas/access/policy.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { AdmittedRun } from "./host.ts";

/** Of a failed run: what it has done that may not be done twice. */
export function describeUnrepeatable(
  { unrepeatable, lockfile, request }: AdmittedRun,
  { diagnostics, toolTrace }: RunAnswer,
): Pick<RunAnswer, "unrepeatable"> {
  if (errorsOf(diagnostics).length === 0) return {};
  // What a run that goes on has sent before, its trace alone shows.
  const before =
    request.execute === undefined
      ? []
      : toolTrace.filter(({ ok, serverId, toolName }) => {
          const tool = findOperation(lockfile.servers.get(serverId), toolName);
          return ok && tool !== undefined && !isRepeatable(tool);
        });
  const names = new Set([...unrepeatable, ...before.map(({ serverId, toolName }) => `${serverId}/${toolName}`)]);
  return names.size === 0 ? {} : { unrepeatable: [...names].toSorted(byCodeUnits) };
}
