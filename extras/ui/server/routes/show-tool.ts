import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { accessVerdict, ownAccess } from "../../../../schemas/access/access.ts";
import { isJsonObject } from "../../../../schemas/json/json.ts";
import type { ToolPlace, ToolView } from "../../../../schemas/ui-messages.ts";
import { claimsOf } from "../../../../schemas/run/describe-tool-to-approve.ts";
import { declarationsOfTool } from "../../../../engine/declarations.ts";
import { describeObserved, observedOf } from "../../../../schemas/observed/observed-results.ts";
import { findLockedTool } from "../find-locked-tool.ts";
import type { UiProject } from "../ui-project.ts";
import { serverIdOf } from "../../../../schemas/lock/operations.ts";

/** All about one tool: what its server says, what the policy says, and what a script sees of it. */
export async function showTool({ config, host }: UiProject, place: ToolPlace): Promise<ToolView> {
  // What was learned since the page was loaded.
  await host.refresh();
  const { server, tool } = findLockedTool(host.lockfile(), place);
  const { title, description, annotations } = tool;
  const observed = tool.outputSchema === undefined ? observedOf(tool) : undefined;
  return {
    ...place,
    exportName: tool.exportName,
    ...withoutUndefined({ title, description, annotations }),
    claims: claimsOf(isJsonObject(annotations) ? annotations : {}),
    verdict: accessVerdict(ownAccess(config.policy), serverIdOf(server.id), tool),
    integrity: tool.integrity,
    declarations: await declarationsOfTool(server, tool),
    ...withoutUndefined({ observed: observed === undefined ? undefined : describeObserved(observed) }),
  };
}
