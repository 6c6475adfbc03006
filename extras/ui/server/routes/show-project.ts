import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { basename } from "node:path";
import { accessVerdict, ownAccess } from "../../../../schemas/access/access.ts";
import { ownValue, isJsonObject } from "../../../../schemas/json/json.ts";
import type { LockedServer, LockedSource, LockedTool, Lockfile } from "../../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf } from "../../../../schemas/lock/operations.ts";
import type { ProjectView, ServerView, ToolRow, ListedPlace, ToolView, DriftView } from "../../messages/ui-messages.ts";
import { VERSION } from "../../../../schemas/version.ts";
import { isEditable } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";
import { claimsOf } from "../../../../schemas/run/approval.ts";
import { declarationsOfTool } from "../../../../engine/declarations.ts";
import { describeObserved, observedOf } from "../../../../schemas/observed/observed-results.ts";
import { RouteProblem } from "../route-problem.ts";
import { searchLockedTools as searchLocked } from "../../../../engine/search-tools.ts";
import { findDrift as findDriftOf } from "../../../../engine/live-servers.ts";

/** UTF-16 units. */
const LONGEST_SUMMARY = 160;

/** The servers, tools and scripts of the project, as its page lists them. */
export function showProject({ config, host }: UiProject): ProjectView {
  const access = ownAccess(config.policy);
  const toToolRow = (server: LockedServer, tool: LockedTool): ToolRow => ({
    name: tool.name,
    exportName: tool.exportName,
    summary: summaryOf(tool),
    verdict: accessVerdict(access, serverIdOf(server.id), tool),
  });
  return {
    name: basename(config.folder),
    version: VERSION,
    servers: [...modulesOfLockfile(host.lockfile()).values()].map((server): ServerView => ({
      id: server.id,
      source: printSource(server.source),
      title: titleOf(server),
      protocolVersion: server.protocolVersion,
      ...withoutUndefined({ instructions: server.instructions }),
      tools: server.tools.map((tool) => toToolRow(server, tool)),
    })),
    scripts: [...config.scripts.values()]
      .filter(isEditable)
      .map(({ name, file, description }) => ({ name, file, ...withoutUndefined({ description }) })),
  };
}

function summaryOf({ title, description }: LockedTool): string {
  const [first = ""] = (description ?? title ?? "").trim().split("\n", 1);
  return first.length > LONGEST_SUMMARY ? `${first.slice(0, LONGEST_SUMMARY - 1)}…` : first;
}

function titleOf({ serverInfo, name }: LockedServer): string {
  const [title, own, version] = ["title", "name", "version"].map((key) => ownValue(serverInfo, key));
  const shown = [title, own].find((text) => typeof text === "string") ?? name;
  return typeof version === "string" ? `${shown} ${version}` : shown;
}

/** As the lockfile has it: without any value of a variable or a header. */
function printSource(source: LockedSource): string {
  if (source.transport === "program") return "the program itself";
  return source.transport === "stdio" ? [source.command, ...source.args].join(" ") : source.url;
}

/** All about one tool: what its server says, what the policy says, and what a script sees of it. */
export async function viewTool({ config, host }: UiProject, place: ListedPlace): Promise<ToolView> {
  // What was learned since the page was loaded.
  await host.refresh();
  const { server, tool } = findLockedTool(host.lockfile(), place);
  const { title, description, annotations } = tool;
  const observed = tool.outputSchema === undefined ? observedOf(tool) : undefined;
  return {
    ...place,
    exportName: tool.exportName,
    claims: claimsOf(isJsonObject(annotations) ? annotations : {}),
    verdict: accessVerdict(ownAccess(config.policy), serverIdOf(server.id), tool),
    integrity: tool.integrity,
    declarations: await declarationsOfTool(server, tool),
    ...withoutUndefined({ title, description, annotations, observed: observed && describeObserved(observed) }),
  };
}

/** A locked tool, and the server that it belongs to. */
function findLockedTool(
  lockfile: Lockfile,
  { serverId, toolName }: ListedPlace,
): { server: LockedServer; tool: LockedTool } {
  const server = modulesOfLockfile(lockfile).get(serverId);
  const tool = server?.tools.find(({ name }) => name === toolName);
  if (server === undefined || tool === undefined) {
    throw new RouteProblem(404, "There is no such tool in the lockfile.", "Reload the page to see what there is now.");
  }
  return { server, tool };
}

const MOST_FOUND = 50;

/** The tools that some words mean, the best match first, as agents find them. */
export function viewMatches({ host }: UiProject, query: string): ListedPlace[] {
  const found = searchLocked(host.lockfile(), query, { limit: MOST_FOUND });
  return found.map(({ server, tool }) => ({ serverId: server.id, toolName: tool.name }));
}

/** How a live server differs from the lockfile. It is started for that, and nothing is written. */
export async function viewDrift({ config, host }: UiProject, serverId: string): Promise<DriftView> {
  if (!config.servers.some(({ id }) => id === serverId)) {
    throw new RouteProblem(404, "The configuration has no server of that name.");
  }
  const change = await findDriftOf(config, host.lockfile(), serverId);
  return change === undefined ? {} : { change };
}
