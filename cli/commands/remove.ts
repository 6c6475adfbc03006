import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { removeServer } from "../../engine/remove-server.ts";

/** `codemode remove`: takes a server out of everything that `add`, `lock` and `generate` have put it into. */
export const remove: Command = async ({ args, context }) => {
  const config = await loadConfig(context);
  const { name, wasLocked, wasGenerated, renamed, stillNamed } = await removeServer(config, args[0] ?? "");
  const places = [
    "the configuration",
    ...(wasLocked ? ["the lockfile"] : []),
    ...(wasLocked && wasGenerated ? ["the generated package"] : []),
  ];
  const { note } = context.output;
  note(oneLine(`Removed ${name} from ${joinWords(places)}.`));
  for (const { from, to } of renamed) note(`The server ${from} is ${to} now: scripts import @codemode/servers/${to}.`);
  if (stillNamed.length > 0) note(`warning: the configuration still names its tools, in ${joinWords(stillNamed)}`);
  return 0;
};

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
