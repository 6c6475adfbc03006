import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { ServerEntry } from "../../schemas/config/config.ts";
import { isRegistryName } from "../../schemas/config/server-json.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command, Invocation } from "../command.ts";
import { addServer, fetchPublishedServer } from "../../engine/add-server.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { describeTakenSecrets, takeOutSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { describeLock } from "../print/print-lock.ts";

/** `codemode add`: adds a server, connects once to prove that it works, and locks it. */
export const add: Command = async (invocation) => {
  const { context } = invocation;
  const found = await findEntry(invocation);
  const { servers, secrets } = takeOutSecrets(new Map([[found.name, found.entry]]));
  const entry = servers.get(found.name) as ServerEntry;
  const config = await loadConfig(context);
  context.output.note(oneLine(`Connecting to: ${entry.url ?? [entry.command, ...(entry.args ?? [])].join(" ")}`));
  const outcome = await addServer(config, found.name, entry, secrets);
  for (const line of describeLock(outcome)) context.output.note(line);
  for (const line of describeTakenSecrets(secrets, process.env, () => "")) context.output.note(oneLine(line));
  return 0;
};

/** The name and the entry of the configuration: as typed, or as a registry or a server.json has them. */
async function findEntry(invocation: Invocation): Promise<{ name: string; entry: ServerEntry }> {
  const { args, rest, options, context } = invocation;
  const [word] = args;
  const from = options.text("from");
  if (word === undefined) throw optionInvalid("add", "name the server");
  const isTyped = rest.length > 0 || ["url", "env", "header"].some((name) => options.has(name));
  const [, name = word, version = "latest"] = /^(.+?\/[^@]+)(?:@(.+))?$/.exec(word) ?? [];
  if (from === undefined && (isTyped || !isRegistryName(name))) return { name: word, entry: readEntry(invocation) };
  if (isTyped) throw optionInvalid("--from", "it cannot be combined with a command, --url, --env or --header");
  const published = await fetchPublishedServer(from === undefined ? { name, version } : { from }, context.cwd);
  context.output.note(oneLine(`Found: ${published.name}`));
  if (published.left.length > 0) context.output.note(oneLine(`Optional, and left out: ${published.left.join(", ")}`));
  return { name: isRegistryName(name) ? name.slice(name.indexOf("/") + 1) : name, entry: published.entry };
}

function readEntry({ rest, options }: Invocation): ServerEntry {
  const url = options.text("url");
  const [command, ...args] = rest;
  const env = readPairs(options.texts("env"), "--env", "=");
  const headers = readPairs(options.texts("header"), "--header", ":");
  if (url !== undefined && command === undefined) {
    return { type: "http", url, ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }) };
  }
  if (command === undefined || url !== undefined)
    throw optionInvalid(
      "add",
      "give either -- COMMAND [ARGS...], --url URL, --from FILE, or a name of the MCP registry",
    );
  return { command, args, ...(env.size === 0 ? {} : { env: Object.fromEntries(env) }) };
}

function readPairs(texts: readonly string[], option: string, separator: string): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at < 1) throw optionInvalid(option, `write NAME${separator}VALUE`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}
