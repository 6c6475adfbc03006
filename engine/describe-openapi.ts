import { relative, resolve, sep } from "node:path";
import { settlesWithin } from "@codemode/runtime/connections/settles-within";
import { FAST_SHUTDOWN, startServerProcess } from "@codemode/runtime/connections/stdio/server-process";
import { DEFAULTS, type ServerEntry } from "../schemas/config/config-file.ts";
import { apiRefused } from "../schemas/errors.ts";
import { isJsonObject, type JsonObject, ownValue, parseJsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { VERSION } from "../schemas/version.ts";

/** A login that an API wants. */
export interface ReportedLogin {
  /** In the words of the document, such as `apiKey in header X-Key`. */
  kind: string;
  /** The environment variables that it is read from, by the name of the server: `PETS_API_KEY`. */
  variables: readonly string[];
  /** The variables that change how a token is fetched. */
  settings: readonly string[];
}

/** A variable in the address of an API. */
export interface ReportedVariable {
  name: string;
  /** What stands for it. */
  value: string;
  /** The values that the document allows. */
  choices: readonly string[];
}

/** An API as a server of the configuration. */
export interface DescribedServer {
  entry: ServerEntry;
  /** How many operations are tools. */
  operations: number;
  /** How many of them say what they return. */
  results: number;
  logins: readonly ReportedLogin[];
  /** Where calls go, and how far that is. */
  base: string | undefined;
  reach: string | undefined;
  /** The variables in that address. */
  variables: readonly ReportedVariable[];
  /** The operations that are no tools, each with its place and the reason. */
  leftOut: readonly string[];
  /** Arguments that look like a login, with the number of tools that have each. */
  loginArguments: ReadonlyMap<string, number>;
}

/** An API as a person names it. */
export interface ApiRequest {
  /** The name of the server in the configuration. */
  name: string;
  /** The variables that other servers of the configuration are given. */
  taken: ReadonlySet<string>;
  /** A file, relative to `cwd`, or an address. */
  document: string;
  cwd: string;
  /** The folder of the configuration. */
  folder: string;
  /** Options of `@codemode/openapi`. */
  options: readonly string[];
  /** Headers for every request, as `Name: value`. */
  headers: readonly string[];
}

/**
 * The entry that starts `@codemode/openapi` for a document, in the version of this program, with the variables of its logins. The document is read once, to
 * find them; no request goes to the API.
 * @throws CodemodeError (`API_REFUSED`) with what that program says is wrong
 */
export async function describeOpenApi(request: ApiRequest): Promise<DescribedServer> {
  const { folder, headers, name, taken } = request;
  const { options, fixed } = takeOutArguments(request.options);
  const document = placeInFolder(request);
  const command = { command: "npx", args: ["-y", `@codemode/openapi@${VERSION}`, document, ...options] };
  const said = await readDescription({ ...command, args: [...command.args, "--describe"] }, folder, document);
  const origin = ownValue(said, "origin");
  const isGiven = options.some((word) => /^--(?:base-url|origin)\b/.test(word));
  const ownPlace = findOwnPlace(said, request);
  // A document that changes later takes no login to another host.
  if (ownPlace !== undefined) command.args.push("--base-url", ownPlace);
  else if (typeof origin === "string" && !isGiven) command.args.push("--origin", origin);
  const ofDocument = listLogins(said);
  const variables = [...new Set(ofDocument.flatMap((login) => [...login.variables, ...login.settings]))];
  const prefix = findPrefix(name, variables, taken);
  const rename = (variable: string): string => variable.replace(DOCUMENT_PREFIX, prefix);
  if (variables.length > 0) command.args.push("--variables", prefix);
  const env = {
    ...withoutUndefined({
      OPENAPI_HEADERS: headers.length === 0 ? undefined : headers.join("\n"),
      OPENAPI_ARGUMENTS: fixed.length === 0 ? undefined : fixed.join("\n"),
    }),
    // Without a value it stays empty, since not every login of a document is one that the user has.
    ...Object.fromEntries(variables.map((variable) => [variable, `\${${rename(variable)}:-}`])),
  };
  const textOf = (member: string): string | undefined => {
    const value = ownValue(said, member);
    return typeof value === "string" ? value : undefined;
  };
  return {
    entry: { ...command, ...withoutUndefined({ env: Object.keys(env).length === 0 ? undefined : env }) },
    operations: Number(ownValue(said, "operations")),
    results: Number(ownValue(said, "results")),
    logins: ofDocument.map((login) => ({
      kind: login.kind,
      variables: login.variables.map(rename),
      settings: login.settings.map(rename),
    })),
    ...{ base: textOf("base"), reach: textOf("reach"), variables: listVariables(said) },
    leftOut: listOf(said, "leftOut").filter((text) => typeof text === "string"),
    loginArguments: readCounts(said, fixed),
  };
}

/** Values of arguments are logins most often: like headers they stand in a variable, and not among the arguments of a program, which others see. */
function takeOutArguments(words: readonly string[]): { options: string[]; fixed: string[] } {
  const [options, fixed]: [string[], string[]] = [[], []];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const joined = /^--argument=(.*)$/s.exec(word)?.[1];
    if (word === "--argument" && index + 1 < words.length) fixed.push(words[(index += 1)] ?? "");
    else if (joined === undefined) options.push(word);
    else fixed.push(joined);
  }
  return { options, fixed };
}

function listOf(said: JsonObject, member: string): readonly unknown[] {
  const list = ownValue(said, member);
  return Array.isArray(list) ? list : [];
}

function listVariables(said: JsonObject): ReportedVariable[] {
  return listOf(said, "serverVariables")
    .filter((one) => isJsonObject(one))
    .map((one) => ({
      ...{ name: String(ownValue(one, "name")), value: String(ownValue(one, "value")) },
      choices: listOf(one, "choices").map(String),
    }));
}

/** @param fixed arguments with a value, as `NAME: VALUE` */
function readCounts(said: JsonObject, fixed: readonly string[]): ReadonlyMap<string, number> {
  const counts = ownValue(said, "loginArguments");
  const given = new Set(fixed.map((line) => line.split(":", 1)[0]?.trim()));
  const entries = Object.entries(isJsonObject(counts) ? counts : {}).filter(([name]) => !given.has(name));
  return new Map(entries.map(([name, count]) => [name, Number(count)]));
}

/** What the variables of a document begin with, as its program names them. */
const DOCUMENT_PREFIX = "OPENAPI";

/**
 * What the variables of a server begin with: its name, so that no two APIs share a login because their documents call it the same; with a number
 * where another server is given a variable of that name.
 */
function findPrefix(name: string, variables: readonly string[], taken: ReadonlySet<string>): string {
  const words = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  const plain = words.replace(/^_/, "").replace(/_$/, "").slice(0, 60) || DOCUMENT_PREFIX;
  const base = /^\d/.test(plain) ? `_${plain}` : plain;
  const isFree = (prefix: string): boolean =>
    variables.every((variable) => !taken.has(variable.replace(DOCUMENT_PREFIX, prefix)));
  let prefix = base;
  for (let number = 2; !isFree(prefix); number += 1) prefix = `${base}_${number}`;
  return prefix;
}

/**
 * The address of an API on this machine or in a network of the user's own, which no document reaches by its word alone. One that the user keeps
 * as a file, or has at such an address, is the user's word.
 * @throws CodemodeError (`API_REFUSED`) for a document from elsewhere
 */
function findOwnPlace(said: JsonObject, request: ApiRequest): string | undefined {
  const [base, reach, documentReach] = ["base", "reach", "documentReach"].map((member) => ownValue(said, member));
  const isGiven = request.options.some((word) => /^--(?:base-url|mock|trust-origin)\b/.test(word));
  if (typeof base !== "string" || isGiven || reach === "public") return undefined;
  const isOwn = documentReach === undefined || documentReach === "machine" || documentReach === "network";
  if (isOwn && reach !== "other") return base;
  const cause = `its calls go to ${base}, which is not of the public network, and the document alone says so`;
  // A hint is copied into a shell: the address of a document is nothing else there.
  const address = /^[\w:/.%-]+$/.test(base) ? base : "URL";
  throw apiRefused(request.document, cause, `If it is right, add: -- --base-url ${address}`);
}

/** A path from the folder of the configuration, where the server starts; an address as it is. */
function placeInFolder({ document, cwd, folder }: ApiRequest): string {
  if (/^https?:\/\//i.test(document)) return document;
  const path = relative(folder, resolve(cwd, document)).split(sep).join("/");
  return path.startsWith("..") || /^(?:\/|[A-Za-z]:)/.test(path) ? path : `./${path}`;
}

interface StartedCommand {
  command: string;
  args: readonly string[];
}

/** Runs the server's program for its description alone. It gets no variable of a login. */
async function readDescription(started: StartedCommand, cwd: string, document: string): Promise<JsonObject> {
  const child = await startServerProcess({ ...started, env: {}, cwd }).catch(() => {
    throw apiRefused(document, "npx cannot be started", "Install npm, which comes with Node.");
  });
  const { timeoutMs } = DEFAULTS.mcpServers.each;
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end();
  const isDone = await settlesWithin(child.silent, timeoutMs);
  await child.shutdown(FAST_SHUTDOWN);
  if (!isDone) {
    const cause = `@codemode/openapi has not read it within ${timeoutMs / 1_000} s`;
    throw apiRefused(document, cause, "Check the network, or save the document and give its file.");
  }
  const said = parseJsonObject(Buffer.concat(chunks).toString("utf8"));
  if (said !== undefined) return said;
  const { cause, hint } = readMistake(child.readStderr());
  throw apiRefused(document, cause, toOptionsOfAdd(hint));
}

/** A hint names the options of that program; `codemode add` hands them on behind `--`, except its own. */
function toOptionsOfAdd(hint: string): string {
  return hint.replaceAll(/(?<!-- |=VALUE )(?<![\w-])--(?!(?:header|help|login)\b)[a-z]/g, "-- $&");
}

/** The two lines of `@codemode/openapi`, or the last line of what npx says. */
function readMistake(stderr: string): { cause: string; hint: string } {
  const [, mistake, hint = ""] = /^error: (.*)\nhint: (.*)$/m.exec(stderr) ?? [];
  if (mistake !== undefined) return { cause: mistake.replace(/\.$/, ""), hint };
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return {
    cause: `@codemode/openapi did not start: ${last.slice(0, 200)}`,
    hint: `Run \`npx @codemode/openapi@${VERSION} --help\` in the folder of the configuration.`,
  };
}

/** The names of variables follow from the document: only variables that `@codemode/openapi` reads are handed on. */
function listLogins(said: JsonObject): ReportedLogin[] {
  return listOf(said, "logins")
    .filter((login) => isJsonObject(login))
    .map((login) => {
      const namesAt = (member: string): string[] => {
        const texts = listOf(login, member).filter((name) => typeof name === "string");
        return texts.filter((name) => /^OPENAPI_[A-Z0-9_]{1,200}$/.test(name));
      };
      return {
        kind: String(ownValue(login, "kind")),
        variables: namesAt("variables"),
        settings: namesAt("settings"),
      };
    });
}
