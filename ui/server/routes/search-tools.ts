import { toolIndexOf } from "../../../runtime/host/discovery/tool-index.ts";
import type { ToolPlace } from "../../../schemas/ui-messages.ts";
import type { UiProject } from "../ui-project.ts";

const MOST_FOUND = 50;

/** The tools that some words mean, the best match first, as agents find them. */
export function searchTools({ host }: UiProject, query: string): ToolPlace[] {
  return toolIndexOf(host.lockfile()).search(query, { limit: MOST_FOUND });
}
