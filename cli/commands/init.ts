import { findApiDocuments, findServers, type ImportSource, initProject } from "../../engine/init-project.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { describeTakenSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import type { Command } from "../command.ts";

/** `codemode init`: writes a configuration with the servers of the MCP clients that are found, and sets up the editor. */
export const init: Command = async ({ options, context }) => {
  const from = options.text("from");
  const { note } = context.output;
  const imported = await findServers(context.cwd, from);
  for (const source of imported.sources) note(oneLine(describeSource(source)));
  const { file, secrets, unset, written } = await initProject(context.cwd, imported);
  note(`Wrote ${file} with ${countOf(imported.servers.size, "server")}.`);
  for (const line of written) note(line);
  const origin = (server: string): string => {
    const path = from ?? imported.sources.find(({ names }) => names.includes(server))?.path;
    return path === undefined ? "" : ` in ${path}`;
  };
  for (const line of describeTakenSecrets(secrets, process.env, origin)) note(oneLine(line));
  if (unset.length > 0) note(oneLine(`The servers need these variables too, which are not set: ${unset.join(", ")}`));
  note(imported.servers.size === 0 ? "Next: codemode add NAME -- COMMAND" : "Next: codemode lock");
  const [document] = await findApiDocuments(context.cwd);
  if (document !== undefined) note(`An API as a server: codemode add NAME --openapi ./${document}`);
  return 0;
};

function describeSource({ client, scope, path, names, unread, renamed, ignored, problem }: ImportSource): string {
  const taken = names.length === 0 ? "nothing new" : names.join(", ");
  const rest = unread.length === 0 ? "" : `; not read, as they have neither a command nor a URL: ${unread.join(", ")}`;
  const others = renamed.map(
    ({ name, as, differs }) =>
      `; ${as} is its ${name}, another server than ${name} here (${differs.join(", ")} differ)`,
  );
  const left = ignored.length === 0 ? "" : `; not taken over: ${ignored.join(", ")}`;
  return `${client}, ${scope === "project" ? "this project" : "your account"} (${path}): ${problem ?? `${taken}${others.join("")}${left}${rest}`}`;
}
