import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { basename } from "node:path";
import { accessVerdict, ownAccess } from "../../../../schemas/access/access.ts";
import { ownValue } from "../../../../schemas/json/json.ts";
import type { LockedServer, LockedSource, LockedTool } from "../../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf } from "../../../../schemas/lock/operations.ts";
import type { ProjectView, ServerView, ToolRow } from "../../../../schemas/ui-messages.ts";
import { VERSION } from "../../../../schemas/version.ts";
import { isEditable } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";

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
  return source.transport === "stdio" ? [source.command, ...source.args].join(" ") : source.url;
}
