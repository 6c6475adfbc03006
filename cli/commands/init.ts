import type { Command } from "../command.ts";
import { importServers, importServersFrom } from "../pipeline/import-servers.ts";
import { linkRuntime } from "../pipeline/link-runtime.ts";
import { describeTakenSecrets, takeOutSecrets } from "../pipeline/secrets-in-config.ts";
import { writeNewConfig } from "../pipeline/write-config.ts";
import { writeTsconfig } from "../pipeline/write-tsconfig.ts";
import { oneLine } from "../report.ts";

/** `codemode init`: writes a configuration with the servers of the MCP clients that are found, and sets up the editor. */
export const init: Command = async ({ options, context }) => {
  const from = options.text("from");
  const { note } = context.output;
  const imported =
    from === undefined
      ? await importServers(context.cwd)
      : { servers: await importServersFrom(from, context.cwd), sources: [] };
  for (const { client, path, names, problem } of imported.sources) {
    note(oneLine(`${client} (${path}): ${problem ?? (names.length === 0 ? "nothing new" : names.join(", "))}`));
  }
  const { servers, secrets } = takeOutSecrets(imported.servers);
  const file = await writeNewConfig(context.cwd, servers);
  note(`Wrote ${file} with ${imported.servers.size} servers.`);
  await linkRuntime(context.cwd);
  note(await writeTsconfig(context.cwd));
  const origin = (server: string): string => {
    const path = from ?? imported.sources.find(({ names }) => names.includes(server))?.path;
    return path === undefined ? "" : ` in ${path}`;
  };
  for (const line of describeTakenSecrets(secrets, process.env, origin)) note(oneLine(line));
  note(imported.servers.size === 0 ? "Next: codemode add NAME -- COMMAND" : "Next: codemode lock");
  return 0;
};
