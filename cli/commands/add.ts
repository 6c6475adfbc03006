import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { ServerEntry } from "../../schemas/config/config.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command, Invocation } from "../command.ts";
import { addServer } from "../../engine/add-server.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { describeTakenSecrets, takeOutSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { describeLock } from "../print/print-lock.ts";

/** `codemode add`: adds a server, connects once to prove that it works, and locks it. */
export const add: Command = async (invocation) => {
  const { args, context } = invocation;
  const [name] = args;
  if (name === undefined) throw optionInvalid("add", "name the server");
  const { servers, secrets } = takeOutSecrets(new Map([[name, readEntry(invocation)]]));
  const entry = servers.get(name) as ServerEntry;
  const config = await loadConfig(context);
  context.output.note(oneLine(`Connecting to: ${entry.url ?? [entry.command, ...(entry.args ?? [])].join(" ")}`));
  const outcome = await addServer(config, name, entry, secrets);
  for (const line of describeLock(outcome)) context.output.note(line);
  for (const line of describeTakenSecrets(secrets, process.env, () => "")) context.output.note(oneLine(line));
  return 0;
};

function readEntry({ rest, options }: Invocation): ServerEntry {
  const url = options.text("url");
  const [command, ...args] = rest;
  const env = readPairs(options.texts("env"), "--env", "=");
  const headers = readPairs(options.texts("header"), "--header", ":");
  if (url !== undefined && command === undefined) {
    return { type: "http", url, ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }) };
  }
  if (command === undefined || url !== undefined)
    throw optionInvalid("add", "give either -- COMMAND [ARGS...] or --url URL");
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
