import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { homedir } from "node:os";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { optionInvalid } from "../../schemas/errors.ts";
import { DEFAULT_TOOL_NAME } from "../../schemas/config/serve-settings.ts";
import type { Command, OptionValues } from "../command.ts";
import {
  CLIENT_TRAITS,
  type ClientScope,
  findLauncher,
  type InstallPlan,
  type Launcher,
  listNeededVariables,
  type NeededVariables,
  planInstall,
  printEntry,
  toClientId,
  writeEntry,
} from "../../engine/install-client.ts";
import { loadConfig } from "../../engine/load-config.ts";
import type { Output } from "../print/report.ts";

const NO_VARIABLES: NeededVariables = { required: [], optional: [] };

/** `codemode install`: writes the entry that an MCP client needs to use `codemode serve`. */
export const install: Command = async ({ args, options, context }) => {
  const client = toClientId(args[0] ?? "");
  const url = readUrl(options);
  const scope = readScope(options);
  const name = options.text("name") ?? "codemode";
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) {
    throw optionInvalid("--name", "use a letter, then up to 31 letters, digits, dashes or underscores");
  }
  // Where codemode is only called at an address, its configuration may be on another machine.
  const config = url === undefined ? await loadConfig(context) : undefined;
  const variables = config === undefined ? NO_VARIABLES : listNeededVariables(config);
  const { configFile, output } = context;
  const toolName = config?.serve.toolName ?? DEFAULT_TOOL_NAME;
  const places = { folder: context.cwd, home: homedir(), platform: process.platform, env: process.env };
  const launcher = findLauncher(context.cwd, realpathSync(join(import.meta.dirname, "..", "main.js")));
  const plan = planInstall(
    { client, scope, name, url, configFile, toolName, variables: variables.required },
    places,
    launcher,
  );
  if (options.has("print")) {
    output.note(oneLine(`For ${plan.file.client}, in ${plan.file.path}:`));
    output.result(printEntry(plan.entry));
  } else {
    const hasChanged = await writeEntry(plan, context.cwd, options.has("force"));
    output.note(oneLine(`${hasChanged ? `Wrote "${name}" to` : `"${name}" is up to date in`} ${plan.file.path}`));
  }
  explain(plan, { url, launcher, variables, toolName }, output);
  return 0;
};

interface Explained {
  url: string | undefined;
  launcher: Launcher;
  variables: NeededVariables;
  toolName: string;
}

/** Says what the client will do, and what is left for the user to do. */
function explain(plan: InstallPlan, { url, launcher, variables, toolName }: Explained, { note }: Output): void {
  const traits = CLIENT_TRAITS[plan.client];
  if (url === undefined) {
    // Whole, so that nothing which a client starts later stays unseen.
    note(oneLine(`${plan.file.client} will start: ${plan.words.map(quote).join(" ")}`));
    if (launcher.kind === "checkout" && plan.file.scope === "project") {
      note("This names a folder of this machine. Install codemode in the project for an entry that can be shared.");
    }
    for (const line of describeVariables(variables, plan)) note(line);
  } else if (!traits.acceptsDots && toolName.includes(".")) {
    note(
      `${plan.file.client} needs a tool name without a dot: serve with --tool-name ${toolName.replaceAll(".", "_")}`,
    );
  }
  note(`Next: ${traits.next}`);
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
  ].map(oneLine);
}

/** A word as a shell would need it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function readScope(options: OptionValues): ClientScope | undefined {
  if (options.has("project") && options.has("user")) throw optionInvalid("--project", "it excludes --user");
  if (options.has("project")) return "project";
  return options.has("user") ? "user" : undefined;
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
