import { searchTools as searchLocked } from "../../../../engine/search-tools.ts";
import type { ToolPlace } from "../../../../schemas/ui-messages.ts";
import type { UiProject } from "../ui-project.ts";

const MOST_FOUND = 50;

/** The tools that some words mean, the best match first, as agents find them. */
export function searchTools({ host }: UiProject, query: string): ToolPlace[] {
  const found = searchLocked(host.lockfile(), query, { limit: MOST_FOUND });
  return found.map(({ server, tool }) => ({ serverId: server.id, toolName: tool.name }));
}
