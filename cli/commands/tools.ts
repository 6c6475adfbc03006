import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { serverIdOf } from "../../schemas/lock/operations.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { type Selection, selectTools } from "../../engine/select-tools.ts";

/** `codemode tools`: lists the locked tools, one on a line. */
export const tools: Command = async ({ args, options, context }) => {
  const selections = await selectTools(await loadConfig(context), args[0]);
  if (options.has("json")) context.output.result(JSON.stringify({ tools: selections.flatMap(toRows) }, null, 2));
  else
    for (const { server, tools: listed } of selections) {
      for (const tool of listed) context.output.result(printTool(serverIdOf(server.id), tool));
    }
  return 0;
};

function toRows({ server, tools: listed }: Selection) {
  return listed.map(({ name, exportName, title, description }) => ({
    serverId: serverIdOf(server.id),
    toolName: name,
    exportName,
    title,
    description,
  }));
}

const LONGEST_SUMMARY = 100;

/** The name to write in a policy, and the first line of what the server says of the tool. */
function printTool(serverId: string, { name, title, description }: LockedTool): string {
  const [summary = ""] = (description ?? title ?? "").trim().split("\n");
  const characters = Array.from(summary.slice(0, 2 * LONGEST_SUMMARY));
  const shown = characters.length > LONGEST_SUMMARY ? `${characters.slice(0, LONGEST_SUMMARY - 1).join("")}…` : summary;
  return oneLine(`${serverId}/${name}${shown === "" ? "" : `  ${shown}`}`);
}
