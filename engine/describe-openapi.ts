import { relative, resolve, sep } from "node:path";
import { settlesWithin } from "@codemode/runtime/connections/settles-within";
import { FAST_SHUTDOWN, startServerProcess } from "@codemode/runtime/connections/stdio/server-process";
import { DEFAULT_SERVER_TIMEOUT_MS, type ServerEntry } from "../schemas/config/config.ts";
import { apiRefused } from "../schemas/errors.ts";
import { isJsonObject, type JsonObject, ownValue, parseJsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { VERSION } from "../schemas/version.ts";

/** A login that an API wants. */
export interface ApiLogin {
  /** In the words of the document, such as `apiKey in header X-Key`. */
  kind: string;
  /** The environment variables that it is read from. */
  variables: readonly string[];
  /** Those that change how a token is fetched. */
  settings: readonly string[];
}

/** An API as a server of the configuration. */
export interface ApiServer {
  entry: ServerEntry;
  /** How many operations are tools. */
  operations: number;
  /** How many of them say what they return. */
  results: number;
  logins: readonly ApiLogin[];
}

/** An API as a person names it. */
export interface ApiRequest {
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
export async function describeOpenApi(request: ApiRequest): Promise<ApiServer> {
  const { folder, options, headers } = request;
  const document = placeInFolder(request);
  const command = { command: "npx", args: ["-y", `@codemode/openapi@${VERSION}`, document, ...options] };
  const said = await readDescription({ ...command, args: [...command.args, "--describe"] }, folder, document);
  const origin = ownValue(said, "origin");
  const isGiven = options.some((word) => /^--(?:base-url|origin)\b/.test(word));
  // A document that changes later takes no login to another host.
  if (typeof origin === "string" && !isGiven) command.args.push("--origin", origin);
  const logins = listLogins(said);
  const inheritEnv = [...new Set(logins.flatMap(({ variables, settings }) => [...variables, ...settings]))];
  const env = headers.length === 0 ? undefined : { OPENAPI_HEADERS: headers.join("\n") };
  return {
    entry: { ...command, ...withoutUndefined({ env, inheritEnv: inheritEnv.length === 0 ? undefined : inheritEnv }) },
    operations: Number(ownValue(said, "operations")),
    results: Number(ownValue(said, "results")),
    logins,
  };
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
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end();
  const isDone = await settlesWithin(child.silent, DEFAULT_SERVER_TIMEOUT_MS);
  await child.shutdown(FAST_SHUTDOWN);
  if (!isDone) {
    const cause = `@codemode/openapi has not read it within ${DEFAULT_SERVER_TIMEOUT_MS / 1_000} s`;
    throw apiRefused(document, cause, "Check the network, or save the document and give its file.");
  }
  const said = parseJsonObject(Buffer.concat(chunks).toString("utf8"));
  if (said !== undefined) return said;
  const { cause, hint } = readMistake(child.readStderr());
  throw apiRefused(document, cause, hint);
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

/** The names of variables follow from the document: only those that `@codemode/openapi` reads are handed on. */
function listLogins(said: JsonObject): ApiLogin[] {
  const list = ownValue(said, "logins");
  return (Array.isArray(list) ? list.filter(isJsonObject) : []).map((login) => {
    const listOf = (member: string): string[] => {
      const names = ownValue(login, member);
      const texts = (Array.isArray(names) ? names : []).filter((name) => typeof name === "string");
      return texts.filter((name) => /^OPENAPI_[A-Z0-9_]{1,200}$/.test(name));
    };
    return {
      kind: String(ownValue(login, "kind")),
      variables: listOf("variables"),
      settings: listOf("settings"),
    };
  });
}
