import { readFile } from "node:fs/promises";
import { nearestName } from "@codemode/runtime/nearest-name";
import { asJson, type JsonValue } from "../../../schemas/json/json.ts";
import { cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";
import type {
  ConfigFile,
  OAuthGrant,
  OAuthSettings,
  Policy,
  ServerEntry,
  ServerValues,
} from "../../../schemas/config/config-file.ts";
import { hasValues } from "../../../schemas/config/serve-settings.ts";
import { assignServerIds } from "../../../schemas/lock/server-ids.ts";
import { isAbsolute, posix, win32 } from "node:path";
import { toNamedScripts } from "../../../schemas/config/named-scripts.ts";
import { asHeader, asWord, findSameNames } from "../../../schemas/text/same-names.ts";
import { CLAIM_WORDS, unknownClaims } from "../../../schemas/access/policy.ts";

/** What is wrong with a configuration, with its place, and what to do. */
interface ConfigProblem {
  cause: string;
  hint: string;
}

/** Says the first problem of a configuration: first what the schema says that editors use, then what no schema can say. */
export async function explainConfigProblem(content: ConfigFile): Promise<ConfigProblem | undefined> {
  return (
    (await explainSchemaProblem(content)) ??
    explainSameNames(content) ??
    explainServerProblem(content) ??
    explainPolicyProblem(content) ??
    explainScriptProblem(content) ??
    explainClientProblem(content) ??
    explainOAuthProblem(content)
  );
}

async function explainSchemaProblem(content: ConfigFile): Promise<ConfigProblem | undefined> {
  const config = asJson(content);
  const schema = await readFile(new URL("../../../schemas/config.schema.json", import.meta.url), "utf8");
  if (await passesBuiltCheck(config, schema)) return undefined;
  const { compileSchema } = await import("../../../runtime/host/checks/compile-schema.ts");
  // A `oneOf` reports each branch and then itself; the last error is the one about the whole.
  const issue = compileSchema(cleanSchema(JSON.parse(schema) as JsonValue, "output"))(config).at(-1);
  if (issue === undefined) return undefined;
  const root = JSON.parse(schema) as SchemaNode;
  const place = issue.instancePath === "" ? "the configuration" : `"${issue.instancePath}"`;
  const see = (child = ""): string => {
    const pointer = child === "" ? issue.instancePath : `${issue.instancePath}/${child}`;
    const key = nameConfigKey(pointer, root);
    return `See docs/configuration.md${key === undefined ? "" : `#${key}`}.`;
  };
  const [, misplaced = ""] = /^\/mcpServers\/(\w+)/.exec(issue.instancePath) ?? [];
  const isKey = Object.hasOwn(root.properties ?? {}, misplaced);
  if (isKey && !/"(?:command|url)":/.test(JSON.stringify(content.mcpServers[misplaced])))
    return {
      cause: `"${misplaced}" is a key of the configuration, and stands in "mcpServers"`,
      hint: `Move it out of "mcpServers". See docs/configuration.md#${misplaced}.`,
    };
  switch (issue.keyword) {
    case "additionalProperties": {
      const name = String(issue.params["additionalProperty"]);
      const known = nearestName(name, Object.keys((issue.parentSchema?.["properties"] as object | undefined) ?? {}));
      return {
        cause: `unknown key "${name}" in ${place}`,
        hint: known === undefined ? `Remove it. ${see()}` : `Did you mean "${known}"? ${see(known)}`,
      };
    }
    case "required": {
      const name = String(issue.params["missingProperty"]);
      return { cause: `${place} lacks "${name}"`, hint: `Add "${name}". ${see(name)}` };
    }
    case "oneOf":
      return {
        cause: `${place} is neither a stdio server nor a remote one`,
        hint: `Give it either a "command" (type stdio) or a "url" (type http or sse). ${see()}`,
      };
    default:
      return { cause: `${place} ${issue.message ?? "is not valid"}`, hint: see() };
  }
}

/** What `scripts/build-config-check.js` makes of the schema. */
interface BuiltCheck {
  validateInput(config: unknown): boolean;
  /** The text of the schema that it was made from. */
  schema: string;
}

/** Compiling the schema takes a good part of a short command, and only a configuration with a mistake needs it. */
async function passesBuiltCheck(config: JsonValue, schema: string): Promise<boolean> {
  const file = new URL("../../../schemas/config-check.js", import.meta.url);
  // The sources have none beside them.
  const check = await import(file.href).then((module: BuiltCheck) => module).catch(() => undefined);
  return check?.schema === schema && check.validateInput(config);
}

/** Says the first client with values for a server that does not exist, or has no place for them: they would go nowhere. */
function explainClientProblem({ mcpServers, serve }: ConfigFile): ConfigProblem | undefined {
  const ids = assignServerIds(Object.keys(mcpServers));
  const entries = new Map(Object.values(mcpServers).map((entry, index) => [ids[index] as string, entry]));
  for (const [client, { servers = [] }] of Object.entries(serve?.clients ?? {})) {
    if (Array.isArray(servers)) continue;
    for (const [id, values] of Object.entries(servers)) {
      if (!hasValues(values)) continue;
      const place = `"/serve/clients/${client}/servers/${id}"`;
      const entry = entries.get(id);
      if (entry === undefined)
        return { cause: `${place} has values, and there is no server "${id}"`, hint: suggestId(id, ids) };
      const problem = explainMismatch(entry, values);
      if (problem !== undefined) return { cause: `${place} has ${problem.cause}`, hint: problem.hint };
    }
  }
  return undefined;
}

function suggestId(id: string, ids: readonly string[]): string {
  if (/[*?]/.test(id)) return "Write values below the id of one server; a pattern has {} and shares what it matches.";
  const nearest = nearestName(id, ids);
  return nearest === undefined ? `The ids are: ${ids.join(", ")}.` : `Did you mean "${nearest}"?`;
}

function explainMismatch(entry: ServerEntry, { env, headers }: ServerValues): ConfigProblem | undefined {
  if (entry.url === undefined && headers !== undefined)
    return { cause: '"headers", and the server is a program', hint: 'A program gets values as "env".' };
  if (entry.url !== undefined && env !== undefined)
    return { cause: '"env", and the server is a remote one', hint: 'A remote server gets values as "headers".' };
  return undefined;
}

type Key = keyof OAuthSettings;

/** What each login without a person cannot do without; of a list one is enough. */
const NEEDED: Readonly<Record<OAuthGrant, readonly (Key | readonly Key[])[]>> = {
  authorization_code: [],
  client_credentials: ["issuer", "clientId", ["clientSecret", "privateKey", "privateKeyFile"]],
  jwt_bearer: ["issuer", "clientId", ["assertion", "assertionFile"]],
  token_exchange: ["issuer", "clientId", ["idpIssuer", "idpTokenEndpoint"], "idpClientId", ["idToken", "idTokenFile"]],
};

/** Keys that mean nothing at a server of the other kind. */
const ONLY_STARTED = ["args", "env", "inheritEnv", "cwd"] as const satisfies (keyof ServerEntry)[];
const ONLY_REMOTE = ["headers", "oauth"] as const satisfies (keyof ServerEntry)[];

/** Says the first key of a server that would do nothing: a user who writes a header expects it to be sent. */
function explainServerProblem({ mcpServers }: ConfigFile): ConfigProblem | undefined {
  for (const [name, entry] of Object.entries(mcpServers)) {
    const isRemote = entry.url !== undefined;
    const key = (isRemote ? ONLY_STARTED : ONLY_REMOTE).find((each) => !isEmpty(entry[each]));
    if (key === undefined) continue;
    const [kind, other] = isRemote ? ["an address", "a command"] : ["a command", "an address"];
    return {
      cause: `"${key}" in "/mcpServers/${name}" has no effect: the server has ${kind}`,
      hint: `Remove it; it is for servers with ${other}.`,
    };
  }
  return undefined;
}

/** Says the first two names that are one to who reads them: both would be sent, or one be taken for the other. */
function explainSameNames({ mcpServers, scripts, serve }: ConfigFile): ConfigProblem | undefined {
  const clients = Object.entries(serve?.clients ?? {});
  const ofClients = clients.flatMap(([client, { servers = [] }]) =>
    Array.isArray(servers)
      ? []
      : Object.entries(servers).map(
          ([id, { headers }]) => [`/serve/clients/${client}/servers/${id}`, headers] as const,
        ),
  );
  const ofServers = Object.entries(mcpServers).map(([name, { headers }]) => [`/mcpServers/${name}`, headers] as const);
  for (const [place, headers = {}] of [...ofServers, ...ofClients]) {
    const same = findSameNames(Object.keys(headers), asHeader);
    if (same !== undefined)
      return {
        cause: `"${place}/headers" has one header twice: "${same[0]}" and "${same[1]}"`,
        hint: "Keep one of them: the case of a header says nothing, and both would be sent.",
      };
  }
  const named: [string, object | undefined][] = [
    ["/mcpServers", mcpServers],
    ["/scripts", scripts],
    ["/serve/clients", serve?.clients],
  ];
  for (const [place, value] of named) {
    const same = findSameNames(Object.keys(value ?? {}), asWord);
    if (same !== undefined)
      return {
        cause: `two names in "${place}" look the same: ${same.map(printEscaped).join(" and ")}`,
        hint: "Rename one of them.",
      };
  }
  return undefined;
}

/** Every character beyond ASCII as an escape: the difference does not show otherwise. */
function printEscaped(name: string): string {
  return JSON.stringify(name).replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Clients write empty lists and objects at any server. */
function isEmpty(value: object | string | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}

/** Says the first login of a server that cannot work as it is written. */
function explainOAuthProblem({ mcpServers }: ConfigFile): ConfigProblem | undefined {
  for (const [name, { oauth }] of Object.entries(mcpServers)) {
    if (oauth?.grant === undefined) continue;
    const place = `"/mcpServers/${name}/oauth"`;
    for (const needed of NEEDED[oauth.grant]) {
      const keys = [needed].flat();
      const given = keys.filter((key) => oauth[key] !== undefined);
      const names = keys.map((key) => `"${key}"`).join(" or ");
      if (given.length === 0) return { cause: `${place} lacks ${names} for "${oauth.grant}"`, hint: `Add ${names}.` };
      if (given.length > 1) return { cause: `${place} has more than one of ${names}`, hint: "Keep one of them." };
    }
  }
  return undefined;
}

/** Says the first named script whose file is not below the folder of the configuration: a project is to be moved as a whole. */
function explainScriptProblem({ scripts }: ConfigFile): ConfigProblem | undefined {
  for (const { name, file, source } of toNamedScripts(scripts).values()) {
    const outside = [file, source].find((path) => path !== undefined && !isBelow(path));
    if (outside !== undefined) {
      return {
        cause: `the script "${name}" has a file that is not below the folder of the configuration: ${outside}`,
        hint: "Write a path relative to that folder, without leaving it.",
      };
    }
    if (source !== undefined && !file.endsWith(".json")) {
      return {
        cause: `the script "${name}" has a "source", and its "file" is not a pinned bundle: ${file}`,
        hint: 'Name a "file" that ends in .json, which `codemode bundle` writes; or leave "source" out.',
      };
    }
  }
  return undefined;
}

/** On every machine alike, wherever the project is. */
function isBelow(file: string): boolean {
  if (isAbsolute(file) || win32.isAbsolute(file) || /^[A-Za-z]:/.test(file)) return false;
  const [first] = posix.normalize(file.replaceAll("\\", "/")).split("/");
  return first !== ".." && first !== "" && first !== ".";
}

/** The part of a JSON Schema that says which keys there are. */
interface SchemaNode {
  $ref?: string | undefined;
  properties?: { [key: string]: SchemaNode } | undefined;
  additionalProperties?: SchemaNode | boolean | undefined;
  definitions?: { [name: string]: SchemaNode } | undefined;
}

/**
 * The key at a JSON Pointer into a configuration, as docs/configuration.md lists it: `mcpServers.NAME.timeoutMs`. `NAME` stands for
 * names of the user. Of what a key has no keys for, such as the items of a list, it is the key itself; `undefined` at the root.
 */
export function nameConfigKey(pointer: string, schema: SchemaNode): string | undefined {
  const names: string[] = [];
  let node = schema;
  for (const word of pointer.split("/").slice(1)) {
    const isKey = node.properties !== undefined && Object.hasOwn(node.properties, word);
    const next = isKey ? node.properties?.[word] : node.additionalProperties;
    if (typeof next !== "object") break;
    const target = resolveNode(next, schema);
    // Names of the user are listed only where keys follow.
    if (!isKey && target.properties === undefined) break;
    names.push(isKey ? word : "NAME");
    node = target;
  }
  if (names.at(-1) === "NAME") names.pop();
  return names.length === 0 ? undefined : names.join(".");
}

function resolveNode(node: SchemaNode, root: SchemaNode): SchemaNode {
  const name = node.$ref?.replace("#/definitions/", "");
  return name === undefined ? node : { ...root.definitions?.[name], ...node };
}

/** Says the first pattern of a policy that names an annotation which does not exist: it would never match, and deny nothing. */
function explainPolicyProblem({ policy, serve }: ConfigFile): ConfigProblem | undefined {
  const clients = Object.entries(serve?.clients ?? {});
  const policies = [
    ["/policy", policy] as const,
    ...clients.map(([name, client]) => [`/serve/clients/${name}/policy`, client.policy] as const),
  ];
  for (const [place, written] of policies) {
    for (const key of ["allow", "ask", "askEach", "deny"] as const satisfies (keyof Policy)[]) {
      const [pattern] = unknownClaims(written?.[key] ?? []);
      if (pattern !== undefined) {
        return { cause: `unknown annotation "${pattern}" in "${place}/${key}"`, hint: suggestAnnotation(pattern) };
      }
    }
  }
  return undefined;
}

function suggestAnnotation(pattern: string): string {
  const at = pattern.lastIndexOf("@") + 1;
  const nearest = nearestName(pattern.slice(at), CLAIM_WORDS);
  if (nearest !== undefined) return `Did you mean "${pattern.slice(0, at)}${nearest}"?`;
  return `Known are ${CLAIM_WORDS.map((word) => `@${word}`).join(", ")}.`;
}
