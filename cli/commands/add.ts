import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { ServerEntry } from "../../schemas/config/config-file.ts";
import { isRegistryName } from "../../schemas/config/server-json.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { serverUnconfirmed } from "../../schemas/command-line-errors.ts";
import { asHeader, asWord, findSameNames } from "../../schemas/text/same-names.ts";
import type { Command, Invocation, OptionValues } from "../command.ts";
import {
  type AddOutcome,
  addServer,
  assertNewServer,
  fetchPublishedServer,
  findUnconfirmed,
  listGivenVariables,
} from "../../engine/add-server.ts";
import { type DescribedServer, describeOpenApi } from "../../engine/describe-openapi.ts";
import { loadOrPlanConfig } from "../../engine/init-project.ts";
import { describeTakenSecrets, takeOutSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { askYesOrNo, terminalOf, type Terminal } from "../print/ask-on-terminal.ts";
import { describeLock } from "../print/print-lock.ts";
import { lock } from "./lock.ts";
import { loginCommand } from "./login.ts";
import { maskSecrets } from "../../schemas/secrets/mask-secrets.ts";
import { describeStart, type ProjectStart } from "../../engine/trust-project.ts";

/** `codemode add`: adds a server, connects once to prove that it works, and locks it. */
export const add: Command = async (invocation) => {
  const { context } = invocation;
  const place = await loadOrPlanConfig(context);
  const { config } = place;
  // Before a document is read, and before the line that says what is connected to.
  assertNewServer(config, invocation.args[0] ?? "");
  const found = await findEntry(invocation, config);
  const { servers, secrets } = takeOutSecrets(new Map([[found.name, found.entry]]));
  const entry = servers.get(found.name) as ServerEntry;
  const unconfirmed = found.isPublished ? findUnconfirmed(config, found.name, entry) : undefined;
  if (unconfirmed !== undefined) await askPublished(unconfirmed, terminalOf(context.signal));
  context.output.note(oneLine(`Connecting to: ${entry.url ?? [entry.command, ...(entry.args ?? [])].join(" ")}`));
  const outcome = await addServer(place, found.name, entry, secrets);
  for (const line of describeAdded(found.name, outcome)) context.output.note(oneLine(line));
  const floating = findFloating(entry);
  if (floating !== undefined) {
    context.output.note(
      oneLine(`${floating} has no version: each start may take another one. Pin it, as in ${floating}@1.2.3.`),
    );
  }
  for (const line of describeTakenSecrets(secrets, process.env, () => "")) context.output.note(oneLine(line));
  return outcome.locked === undefined ? offerLogin(found.name, invocation) : 0;
};

function describeAdded(name: string, { locked, written, exposed }: AddOutcome): string[] {
  const added =
    locked === undefined
      ? [
          `${name}: added; it wants a login, so it is not locked yet.`,
          `Next: codemode login ${name}, then codemode lock ${name}`,
        ]
      : describeLock(locked);
  const warning = exposed.map(
    (word) =>
      `warning: ${word} gives "${name}" the project's own configuration or packages: its tools can change what codemode starts and allows. Name a folder below, such as ./notes.`,
  );
  return [...(written.length === 0 ? [] : ["Wrote codemode.config.json."]), ...written, ...added, ...warning];
}

/** The package that npx or uvx starts in the newest version at each start; a path or an address is none. */
function findFloating({ command = "", args = [] }: ServerEntry): string | undefined {
  if (!/(?:^|[\\/])(?:npx|uvx|bunx)(?:\.cmd|\.exe)?$/.test(command)) return undefined;
  const name = args.find((word) => !word.startsWith("-"));
  return name !== undefined && /^(?:@[\w.-]+\/)?[\w.-]+(?:@latest)?$/.test(name)
    ? name.replace(/@latest$/, "")
    : undefined;
}

/** On a terminal the two commands that follow can run at once. */
async function offerLogin(name: string, invocation: Invocation): Promise<number> {
  const terminal = terminalOf(invocation.context.signal);
  if (terminal === undefined || !(await askYesOrNo("Log in now? [y/N] ", terminal))) return 0;
  // As they are without options; a browser is theirs.
  const options: OptionValues = { has: (option) => option === "browser", text: () => undefined, texts: () => [] };
  const following: Invocation = { ...invocation, args: [name], rest: [], options };
  const loggedIn = await loginCommand(following);
  return loggedIn === 0 ? lock(following) : loggedIn;
}

interface FoundEntry {
  name: string;
  entry: ServerEntry;
  /** A document says it, and not the user. */
  isPublished: boolean;
}

/** The name and the entry of the configuration: as typed, or as a registry or a server.json has them. */
async function findEntry(invocation: Invocation, config: Config): Promise<FoundEntry> {
  const { args, rest, options, context } = invocation;
  const [word = ""] = args;
  const document = options.text("openapi");
  if (document !== undefined)
    return { name: word, entry: await readApi(invocation, word, document, config), isPublished: false };
  const from = options.text("from");
  const isTyped = rest.length > 0 || ["url", "env", "header"].some((name) => options.has(name));
  const [, name = word, version = "latest"] = /^([^/]+\/[^@]+)(?:@(.+))?$/.exec(word) ?? [];
  if (from === undefined && (isTyped || !isRegistryName(name)))
    return { name: word, entry: readEntry(invocation), isPublished: false };
  if (isTyped) throw optionInvalid("--from", "it cannot be combined with a command, --url, --env or --header");
  const published = await fetchPublishedServer(from === undefined ? { name, version } : { from }, context.cwd);
  context.output.note(oneLine(`Found: ${published.name}`));
  if (published.left.length > 0) context.output.note(oneLine(`Optional, and left out: ${published.left.join(", ")}`));
  const shortName = isRegistryName(name) ? name.slice(name.indexOf("/") + 1) : name;
  return { name: shortName, entry: published.entry, isPublished: true };
}

/** The entry of an API; says how large it is, and what logs in to it. */
async function readApi(
  { rest, options, context }: Invocation,
  name: string,
  document: string,
  config: Config,
): Promise<ServerEntry> {
  const other = ["url", "env", "from"].find((name) => options.has(name));
  if (other !== undefined) throw optionInvalid("--openapi", `it cannot be combined with --${other}`);
  // Checked here: a header with a mistake shows in no error of another program.
  readPairs(options.texts("header"), "--header", ":");
  const api = await describeOpenApi({
    ...{ name, document, cwd: context.cwd, folder: config.folder, options: rest, headers: options.texts("header") },
    taken: listGivenVariables(config),
  });
  for (const line of describeApi(api, name)) context.output.note(oneLine(line));
  return api.entry;
}

const PLACES = new Map([
  ["machine", ", on this machine"],
  ["network", ", in a network of your own"],
]);
const MAX_LEFT_OUT = 5;

/** How large an API is, where calls and logins go, what a login is read from, and what of it is no tool. */
function describeApi(api: DescribedServer, name: string): string[] {
  const { entry, operations, results, logins, base, reach = "", variables, leftOut, loginArguments } = api;
  const found = `Found: ${countOf(operations, "operation")}, ${results} with the type of the result`;
  const place = base === undefined ? [] : [`Its calls go to ${base}${PLACES.get(reach) ?? ""}`];
  const ofAddress = variables.map((variable) => {
    const choices = variable.choices.length === 0 ? "" : `, of ${variable.choices.join(", ")}`;
    return `${variable.name} in this address is ${variable.value}${choices}. Another one: -- --server-variable ${variable.name}=VALUE`;
  });
  const ofLogins = logins.map((login) => {
    const unset = login.variables.filter((variable) => process.env[variable] === undefined);
    const state = unset.length === 0 ? "set" : unset.length < login.variables.length ? "partly set" : "not set yet";
    return `Login: ${login.kind}, from ${login.variables.join(", ") || "no variable"}: ${state}`;
  });
  const none = "Login: the document names none. If the API wants one: --header 'Authorization: Bearer ${TOKEN}'";
  const ofArguments = [...loginArguments].map(
    ([argument, count]) =>
      `The argument ${argument} of ${countOf(count, "tool")} may be a login. To keep it out of scripts: -- --argument '${argument}: \${${asVariable(name)}_${asVariable(argument)}}'`,
  );
  const more = leftOut.length - MAX_LEFT_OUT;
  return [
    ...[found, ...place, ...ofAddress, ...ofLogins],
    ...(logins.length === 0 && entry.env === undefined ? [none] : []),
    ...ofArguments,
    ...leftOut.slice(0, MAX_LEFT_OUT).map((text) => `warning: an operation is left out: ${text}`),
    ...(more > 0 ? [`warning: and ${more} more`] : []),
  ];
}

function asVariable(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}

function readEntry({ rest, options }: Invocation): ServerEntry {
  const url = options.text("url");
  const [command, ...args] = rest;
  const env = readPairs(options.texts("env"), "--env", "=");
  const headers = readPairs(options.texts("header"), "--header", ":");
  if (url !== undefined && command === undefined) {
    return {
      type: "http",
      url,
      ...withoutUndefined({ headers: headers.size === 0 ? undefined : Object.fromEntries(headers) }),
    };
  }
  if (command === undefined || url !== undefined)
    throw optionInvalid(
      "add",
      "give either -- COMMAND [ARGS...], --url URL, --openapi DOCUMENT, --from FILE, or a name of the MCP registry",
    );
  return { command, args, ...withoutUndefined({ env: env.size === 0 ? undefined : Object.fromEntries(env) }) };
}

function readPairs(texts: readonly string[], option: string, separator: string): Map<string, string> {
  const pairs = texts.map((text): [string, string] => {
    const at = text.indexOf(separator);
    if (at < 1) throw optionInvalid(option, `write NAME${separator}VALUE`);
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  });
  const same = findSameNames(
    pairs.map(([name]) => name),
    option === "--header" ? asHeader : asWord,
  );
  if (same !== undefined) throw optionInvalid(option, `"${same[0]}" is given twice`);
  return new Map(pairs);
}

/**
 * Shows what a document would start or reach, with its headers and the variables that it names, and asks whether it may.
 * @param terminal undefined where no person can be asked
 * @throws CodemodeError (`PROJECT_UNTRUSTED`) without a yes
 */
export async function askPublished(start: ProjectStart, terminal: Terminal | undefined): Promise<void> {
  const shown = describePublished(start);
  if (terminal === undefined) throw serverUnconfirmed(start.name, shown);
  terminal.output.write(
    `This server is as its document says, which its author alone has written:\n${shown.map((line) => `  ${line}`).join("\n")}\n`,
  );
  if (!(await askYesOrNo("Add it, and connect to it now? [y/N] ", terminal)))
    throw serverUnconfirmed(start.name, shown);
}

/** Address or command; each header and each setting as the document writes it; the variables of this machine whose values it would get. */
function describePublished(start: ProjectStart): string[] {
  const { subject, variables } = start;
  if ("path" in subject || subject.transport === "store") return [];
  const isProgram = subject.transport === "stdio";
  const given = isProgram ? subject.env : subject.headers;
  const kind = isProgram ? "sets" : "sends the header";
  const place = isProgram ? { ...subject, env: {} } : subject;
  const written = Object.entries(given).map(([name, value]) => `${kind} ${name}: ${maskSecrets(value, name)}`);
  const gets =
    variables.length === 0
      ? "gets no variable of this machine"
      : `gets the value of ${variables.join(", ")} from this machine, if set`;
  return [describeStart({ ...start, subject: place, variables: [] }).trim(), ...written, gets].map(oneLine);
}
