import {
  chooseServers,
  findApiDocuments,
  findServers,
  type ImportedServers,
  type ImportSource,
  initProject,
} from "../../engine/init-project.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { describeTakenSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import type { Command } from "../command.ts";

/** `codemode init`: writes a configuration with the servers of the MCP clients that are found, and sets up the editor. */
export const init: Command = async ({ options, context }) => {
  const from = options.text("from");
  const { note } = context.output;
  const wanted = options.has("import") ? readNames(options.text("servers")) : [];
  const found = wanted?.length === 0 ? NO_SERVERS : await findServers(context.cwd, from);
  const imported = wanted === undefined ? found : chooseServers(found, wanted);
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
  const ofAccount = imported.sources.flatMap(({ scope, names }) => (scope === "user" ? names : []));
  if (wanted === undefined && ofAccount.length > 0)
    note(
      oneLine(
        `Of your account: ${ofAccount.join(", ")}. If the project is shared, keep what it needs: \`codemode remove NAME\`, or \`init\` with --servers NAME,NAME or --no-import.`,
      ),
    );
  note(imported.servers.size === 0 ? "Next: codemode add NAME -- COMMAND" : "Next: codemode lock");
  const [document] = await findApiDocuments(context.cwd);
  if (document !== undefined) note(`An API as a server: codemode add NAME --openapi ./${document}`);
  return 0;
};

const NO_SERVERS: ImportedServers = { servers: new Map(), sources: [] };

function readNames(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw optionInvalid("--servers", "it names no server");
  return names;
}

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
