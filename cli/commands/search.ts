import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { toolIndexOf } from "../../runtime/host/discovery/tool-index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { Command, OptionValues } from "../command.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { selectTools } from "../../engine/project/select-tools.ts";
import { signatureOf } from "../../engine/project/emit/signatures.ts";

const DEFAULT_LIMIT = 10;

/** `codemode search`: the locked tools that match some words, the best first, each with what is needed to call it. */
export const search: Command = async ({ args, options, context }) => {
  const limit = readLimit(options);
  const selections = await selectTools(await loadConfig(context), options.text("server"));
  // A server is indexed alone, so that words which all of its tools share do not count.
  const lockfile = { servers: new Map(selections.map(({ server }) => [server.id, server])) };
  const found = toolIndexOf(lockfile)
    .search(args.join(" "), { limit })
    .flatMap(({ serverId, toolName }) => {
      const tool = lockfile.servers.get(serverId)?.tools.find(({ name }) => name === toolName);
      return tool === undefined ? [] : [{ serverId, tool }];
    });
  if (options.has("json")) {
    context.output.result(JSON.stringify({ query: args.join(" "), results: found.map(toRow) }, null, 2));
    return 0;
  }
  for (const { serverId, tool } of found) {
    context.output.result(oneLine(`${serverId}/${tool.name}`));
    context.output.result(`${signatureOf(tool).replace(/^/gm, "  ")}\n`);
  }
  if (found.length === 0) context.output.note("Nothing found. `codemode tools` lists all tools.");
  return 0;
};

function toRow({ serverId, tool }: { serverId: string; tool: LockedTool }) {
  const { name, exportName, description } = tool;
  return {
    serverId,
    toolName: name,
    exportName,
    ...(description === undefined ? {} : { description }),
    signature: signatureOf(tool),
  };
}

function readLimit(options: OptionValues): number {
  const limit = options.text("limit") ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,9}$/.test(limit)) throw optionInvalid("--limit", `"${limit}" is not a whole number`);
  return Number(limit);
}
