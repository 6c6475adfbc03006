import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { startOf } from "../../runtime/host/trust/project-starts.ts";
import { recordTrust } from "../../runtime/host/trust/record-trust.ts";
import { CONFIG_FILES } from "../../schemas/config/config.ts";
import type { Command, CommandContext } from "../command.ts";
import { type ImportedServers, importServers, importServersFrom } from "../../engine/project/config/import-servers.ts";
import { linkRuntime } from "../../engine/project/emit/link-runtime.ts";
import { describeTakenSecrets, takeOutSecrets } from "../../engine/project/config/secrets-in-config.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { writeNewConfig } from "../../engine/project/config/write-config.ts";
import { writeGitignore } from "../../engine/project/config/write-gitignore.ts";
import { writeTsconfig } from "../../engine/project/config/write-tsconfig.ts";
import { countOf } from "../../schemas/text/count-of.ts";

const [OWN_CONFIG] = CONFIG_FILES;

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
  note(`Wrote ${file} with ${countOf(imported.servers.size, "server")}.`);
  await trustOwnServers(context, imported);
  await linkRuntime(context.cwd);
  note(await writeTsconfig(context.cwd));
  note(await writeGitignore(context.cwd));
  const origin = (server: string): string => {
    const path = from ?? imported.sources.find(({ names }) => names.includes(server))?.path;
    return path === undefined ? "" : ` in ${path}`;
  };
  for (const line of describeTakenSecrets(secrets, process.env, origin)) note(oneLine(line));
  note(imported.servers.size === 0 ? "Next: codemode add NAME -- COMMAND" : "Next: codemode lock");
  return 0;
};

/** What stands in the files of the user's own account is the user's; what lay in the folder came with the folder. */
async function trustOwnServers(context: CommandContext, { sources }: ImportedServers): Promise<void> {
  const own = new Set(sources.filter(({ scope }) => scope === "user").flatMap(({ names }) => names));
  if (own.size === 0) return;
  const { folder, servers } = await loadConfig({ cwd: context.cwd, configFile: OWN_CONFIG });
  await recordTrust(folder, servers.filter(({ name }) => own.has(name)).map(startOf));
}
