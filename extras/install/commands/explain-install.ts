import { CLIENT_TRAITS } from "../client-traits.ts";
import type { InstallPlan } from "../install-client.ts";
import type { Launcher } from "../find-launcher.ts";
import type { NeededVariables } from "../../../engine/project/config/needed-variables.ts";
import type { OldServers } from "../../../engine/project/clients/old-servers.ts";
import { oneLine } from "../../../schemas/json/escape-invisible.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import type { Output } from "../../../cli/print/report.ts";

/** What decides about the words of an explanation beside the plan. */
export interface Explained {
  url: string | undefined;
  launcher: Launcher;
  variables: NeededVariables;
  /** As configured. */
  toolName: string | undefined;
  tokenVariable: string | undefined;
  /** Whether the configuration asks clients for tokens. */
  asksForToken: boolean;
}

/** Says what the client will do, and what is left for the user to do. */
export function explainInstall(plan: InstallPlan, explained: Explained, { note }: Output): void {
  const { next, headless } = CLIENT_TRAITS[plan.client];
  const lines = explained.url === undefined ? explainStart(plan, explained) : explainAddress(plan, explained);
  for (const line of lines) note(oneLine(line));
  note(`Next: ${next}`);
  if (headless !== undefined) note(`Without a person: ${headless}`);
}

function explainStart(plan: InstallPlan, { launcher, variables }: Explained): string[] {
  return [
    // Whole, so that nothing which a client starts later stays unseen.
    `${plan.file.client} will start: ${plan.words.map(quote).join(" ")}`,
    ...(launcher.kind === "checkout" && plan.file.scope === "project"
      ? ["This names a folder of this machine. Install codemode in the project for an entry that can be shared."]
      : []),
    ...describeVariables(variables, plan),
  ];
}

function explainAddress({ client, file }: InstallPlan, { tokenVariable, asksForToken, toolName }: Explained): string[] {
  const token =
    tokenVariable === undefined
      ? asksForToken
        ? ["The server asks for a token. Name its variable with --token-env, or add the header Authorization by hand."]
        : []
      : CLIENT_TRAITS[client].passesToken
        ? [`The entry refers to the token by name, so set it where ${file.client} starts: ${tokenVariable}`]
        : [
            `${file.client} fills in no variables, so add the header by hand: Authorization: Bearer … (${tokenVariable})`,
          ];
  const dot =
    toolName?.includes(".") === true
      ? [
          `The APIs of some models refuse the dot in ${toolName}: rather serve with --tool-name ${toolName.replaceAll(".", "_")}`,
        ]
      : [];
  return [...token, ...dot];
}

/** Only names: the values stay where they are. */
function describeVariables({ required, optional }: NeededVariables, { client, file }: InstallPlan): string[] {
  const needed = required.join(", ");
  const passed = CLIENT_TRAITS[client].passesVariables
    ? `The entry passes these variables by name, so set them where ${file.client} starts: ${needed}`
    : `Needed by the servers, but ${file.client} passes no variables by name, so set them for the whole application: ${needed}`;
  return [
    ...(required.length === 0 ? [] : [passed]),
    ...(optional.length === 0 ? [] : [`Optional, with a default in the configuration: ${optional.join(", ")}`]),
  ];
}

/** Names the servers that the agent has twice now, with the command that takes them out. */
export function explainOldServers(old: readonly OldServers[], { note }: Output): void {
  for (const { file, names } of old) {
    const isShared = file.scope === "user" && file.within === undefined;
    const command = `codemode install ${file.id}${isShared ? " --user" : ""} --move`;
    note(
      oneLine(
        `The agent still has ${countOf(names.length, "old server")} beside codemode, in ${file.path}: ${names.join(", ")}. ` +
          `Run \`${command}\` to take ${names.length === 1 ? "it" : "them"} out${isShared ? ", for all of your projects" : ""}.`,
      ),
    );
  }
}

/** A word as a shell would need it. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /^[^"$`\\!]+$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
