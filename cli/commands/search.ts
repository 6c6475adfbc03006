import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { serverIdOf } from "../../schemas/lock/operations.ts";
import type { Command } from "../command.ts";
import { readWholeNumber } from "../read-run-options.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { selectTools } from "../../engine/select-tools.ts";
import { signatureOf } from "../../engine/declarations.ts";
import { type FoundTool, searchLockedTools } from "../../engine/search-tools.ts";

const DEFAULT_LIMIT = 10;

/** `codemode search`: the locked tools that match some words, the best first, each with what is needed to call it. */
export const search: Command = async ({ args, options, context }) => {
  const limit = readWholeNumber(options, "limit", "found") ?? DEFAULT_LIMIT;
  const selections = await selectTools(await loadConfig(context), options.text("server"));
  // A server is indexed alone, so that words which all of its tools share do not count.
  const lockfile = { servers: new Map(selections.map(({ server }) => [server.id, server])) };
  const found = searchLockedTools(lockfile, args.join(" "), { limit });
  if (options.has("json")) {
    context.output.result(JSON.stringify({ query: args.join(" "), results: found.map(toRow) }, null, 2));
    return 0;
  }
  for (const { server, tool } of found) {
    context.output.result(oneLine(`${serverIdOf(server.id)}/${tool.name}`));
    context.output.result(`${signatureOf(tool).replace(/^/gm, "  ")}\n`);
  }
  if (found.length === 0) context.output.note("Nothing found. `codemode tools` lists all tools.");
  return 0;
};

function toRow({ server, tool }: FoundTool) {
  const { name, exportName, description } = tool;
  return {
    serverId: serverIdOf(server.id),
    toolName: name,
    exportName,
    description,
    signature: signatureOf(tool),
  };
}
