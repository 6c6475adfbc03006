import { moveServers } from "../move-servers.ts";
import { type ClientId, clientName } from "../../../engine/project/clients/client-files.ts";
import { findLauncher, type InstalledProgram } from "../find-launcher.ts";
import { backupOf, findOldServers, type OldServers } from "../../../engine/project/clients/old-servers.ts";
import { findSkillFile, skillCommand, writeSkill } from "../skill-file.ts";
import { findTokenVariable, type NeededVariables } from "../../../engine/project/config/needed-variables.ts";
import { listVariablesFromOutside } from "../../../engine/variables.ts";
import { installEntry } from "../install-entry.ts";
import {
  type InstallPlan,
  loadConfigIfPresent,
  placesOf,
  planInstall,
  readEntryName,
  readScope,
  toClientId,
} from "../install-client.ts";
import { printEntry } from "../edit-client-text.ts";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../../engine/load-config.ts";
import { printProjectSkill } from "../../../engine/skill.ts";
import { optionInvalid } from "../../../schemas/errors.ts";
import { oneLine } from "../../../schemas/json/escape-invisible.ts";
import type { Command, CommandContext, OptionValues } from "../../../cli/command.ts";
import { CLIENTS, passesToken, passesVariables } from "../clients.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import type { Output } from "../../../cli/print/report.ts";

const NO_VARIABLES: NeededVariables = { required: [], optional: [] };

/** `codemode install`: writes the entry that an MCP client needs to use `codemode serve`. */
export const install: Command = async ({ args, options, context }) => {
  const client = toClientId(args[0] ?? "");
  if (options.has("skill")) return installSkill(client, options, context);
  const [url, scope, name] = [readUrl(options), readScope(options), readEntryName(options)];
  // Where codemode is only called at an address, its configuration may be on another machine.
  const config = url === undefined ? await loadConfig(context) : await loadConfigIfPresent(context);
  const { configFile, output } = context;
  const places = placesOf(config?.folder ?? context.cwd);
  const variables = config === undefined || url !== undefined ? NO_VARIABLES : listVariablesFromOutside(config);
  const tokenVariable = readTokenVariable(options) ?? (config && findTokenVariable(config, client));
  const toolName = config?.serve.toolName;
  const launcher = findOwnLauncher(places.folder);
  const choice = { client, scope, name, url, tokenVariable, configFile, toolName, variables: variables.required };
  const plan = planInstall(choice, places, launcher);
  const { file, entry } = plan;
  const old = config === undefined ? [] : await findOldServers(client, config, places);
  if (options.has("print")) {
    output.note(oneLine(`For ${file.client}, in ${file.path}:`));
    output.result(printEntry(entry));
  } else {
    const hasChanged = await installEntry(file, entry, places.folder, options.has("force"));
    output.note(oneLine(`${hasChanged ? `Wrote "${name}" to` : `"${name}" is up to date in`} ${file.path}`));
  }
  const isMoving = options.has("move") && !options.has("print");
  // Servers in a file of the account are there for other projects too.
  const isChosen = (found: (typeof old)[number]["file"]): boolean =>
    found.scope === "project" || found.within !== undefined || file.scope === "user";
  for (const servers of isMoving ? old.filter((one) => isChosen(one.file) && one.names.length > 0) : []) {
    const { path } = servers.file;
    const moved = await moveServers(servers, places.folder, name);
    const left = servers.names.filter((each) => !moved.includes(each));
    if (moved.length > 0) output.note(oneLine(`Moved ${moved.join(", ")} from ${path} to ${backupOf(path)}`));
    if (left.length > 0)
      output.note(oneLine(`${left.join(", ")} in ${path} stays: ${backupOf(path)} has another server of that name.`));
  }
  for (const { file: place, others } of old) explainOthers(place.path, others, output);
  explainOldServers(isMoving ? old.filter((one) => !isChosen(one.file)) : old, output);
  const asksForToken = config !== undefined && (config.serve.token !== undefined || config.serve.clients.length > 0);
  explainInstall(plan, { url, launcher, variables, toolName, tokenVariable, asksForToken }, output);
  return 0;
};

/** For agents with a shell: the skill in the place of an entry. */
async function installSkill(client: ClientId, options: OptionValues, context: CommandContext): Promise<number> {
  const config = await loadConfig(context);
  const file = findSkillFile(client, readScope(options) ?? "project", placesOf(config.folder));
  const text = await printProjectSkill(config, skillCommand(findOwnLauncher(config.folder)));
  const { note, result } = context.output;
  if (options.has("print")) {
    note(oneLine(`For ${clientName(client)}, in ${file.path}:`));
    result(text.trimEnd());
    return 0;
  }
  const hasChanged = await writeSkill(file, text, config.folder, options.has("force"));
  note(oneLine(`${hasChanged ? "Wrote the skill to" : "The skill is up to date in"} ${file.path}`));
  note(
    "Next: start a new session of the agent. It needs no MCP server for this, only a shell. After `codemode lock`, run this again.",
  );
  return 0;
}

function findOwnLauncher(folder: string): InstalledProgram {
  return findLauncher(folder, realpathSync(join(import.meta.dirname, "../../../cli/main.js")));
}

function readTokenVariable(options: OptionValues): string | undefined {
  const name = options.text("tokenEnv");
  if (name === undefined) return undefined;
  if (options.text("http") === undefined) throw optionInvalid("--token-env", "it needs --http");
  if (!/^[A-Za-z_]\w*$/.test(name)) throw optionInvalid("--token-env", "give the name of an environment variable");
  return name;
}

/** The text as it came, if it is an address that may stand in a file. */
function readUrl(options: OptionValues): string | undefined {
  const text = options.text("http");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw optionInvalid("--http", "it needs an http or https URL");
  if (url.username !== "" || url.password !== "") {
    throw optionInvalid("--http", "leave user and password out: they would end in a file");
  }
  return text;
}

/** What decides about the words of an explanation beside the plan. */
interface Explained {
  url: string | undefined;
  launcher: InstalledProgram;
  variables: NeededVariables;
  /** As configured. */
  toolName: string | undefined;
  tokenVariable: string | undefined;
  /** Whether the configuration asks clients for tokens. */
  asksForToken: boolean;
}

/** Says what the client will do, and what is left for the user to do. */
function explainInstall(plan: InstallPlan, explained: Explained, { note }: Output): void {
  const client = CLIENTS[plan.file.id];
  const { next, headless } = plan.file.scope === "user" ? (client.ofAccount ?? client) : client;
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

function explainAddress({ file }: InstallPlan, { tokenVariable, asksForToken, toolName }: Explained): string[] {
  const token =
    tokenVariable === undefined
      ? asksForToken
        ? ["The server asks for a token. Name its variable with --token-env, or add the header Authorization by hand."]
        : []
      : passesToken(file.id)
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
function describeVariables({ required, optional }: NeededVariables, { file }: InstallPlan): string[] {
  const needed = required.join(", ");
  const passed = passesVariables(file.id)
    ? `The entry passes these variables by name, so set them where ${file.client} starts: ${needed}`
    : `Needed by the servers, but ${file.client} passes no variables by name, so set them for the whole application: ${needed}`;
  return [
    ...(required.length === 0 ? [] : [passed]),
    ...(optional.length === 0 ? [] : [`Optional, with a default in the configuration: ${optional.join(", ")}`]),
  ];
}

/** Names what stays although a server of codemode has its name. */
function explainOthers(path: string, others: OldServers["others"], { note }: Output): void {
  for (const { name, differs } of others) {
    note(oneLine(`${name} in ${path} stays: it is another server than ${name} here (${differs.join(", ")} differ).`));
  }
}

/** Names the servers that the agent has twice now, with the command that takes them out. */
function explainOldServers(old: readonly OldServers[], { note }: Output): void {
  for (const { file, names } of old.filter((one) => one.names.length > 0)) {
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
