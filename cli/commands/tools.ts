import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { serverIdOf } from "../../schemas/lock/operations.ts";
import type { Config } from "../../schemas/config/config.ts";
import { describeSaving } from "../../schemas/text/token-saving.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { findSelection, readLocked, type Selection } from "../../engine/select-tools.ts";

/** `codemode tools`: lists the locked tools, one on a line. */
export const tools: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const lockfile = await readLocked(config);
  const selections = findSelection(lockfile, args[0]);
  if (options.has("json")) context.output.result(JSON.stringify({ tools: selections.flatMap(toRows) }, null, 2));
  else
    for (const { server, tools: listed } of selections) {
      for (const tool of listed) context.output.result(printTool(serverIdOf(server.id), tool));
    }
  if (args[0] === undefined && !options.has("json")) context.output.note(await describeCost(lockfile, config));
  return 0;
};

/** What the tools of this project cost an agent before it has done anything: all of the user's own servers, with and without codemode. */
async function describeCost(lockfile: Lockfile, config: Config): Promise<string> {
  const { measureLists } = await import("../../serve/measure-lists.ts");
  const { plain, codemode } = await measureLists(lockfile, config);
  const { words } = describeSaving({ calls: plain, script: 0, answer: codemode });
  const print = (tokens: number): string => tokens.toLocaleString("en-US");
  return `An agent's context: tools/list of these servers takes about ${print(plain)} tokens, codemode's ${print(codemode)}: ${words}.`;
}

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
