import { fromMembers, type Json, type JsonObject, member } from "../json.ts";
import { toLine, OpenApiError } from "../openapi-error.ts";
import type { Argument } from "../tools/arguments.ts";
import type { ApiTool } from "../tools/make-tools.ts";
import type { ApiServer } from "./api-server.ts";
import type { Credential } from "./credentials.ts";
import { encodeBody, type EncodedBody } from "./encode-body.ts";
import type { HttpRequest } from "./exchange.ts";
import { hasDotStep, hasDotValue } from "./path-steps.ts";
import {
  encodePercent,
  serializeInCookie,
  serializeInHeader,
  serializeInPath,
  serializeInQuery,
} from "./serialize-parameter.ts";

/** What a request has that is no argument. */
export interface Sender {
  credentials: Credential[];
  /** The values of arguments that a person gave, by their names in the request. */
  fixed: ReadonlyMap<string, string>;
  /** The value of the tool's header for the key of a call, where no argument has one. */
  callKey?: string | undefined;
}

/**
 * Makes the request of a call. The arguments decide values, never the host, the path around them, or a header that is not theirs.
 */
export function buildRequest(tool: ApiTool, input: JsonObject, server: ApiServer, sender: Sender): HttpRequest {
  const { credentials, callKey } = sender;
  const given = [...matchArguments(tool, input), ...fixedArguments(tool, server, sender)];
  const { operation } = tool;
  const login = server.isTrusted ? credentials : [];
  const query = partsOf(given, login, "query", fixedQuery(operation.path));
  query.push(...ofPlace(login, "query").map(writePair));
  const body = bodyOf(tool, given);
  const headers = headersOf(tool, given, login, body, callKey);
  return { method: operation.method, url: buildUrl(tool, given, server.url, query), headers, body: body?.bytes };
}

interface Given {
  argument: Argument;
  value: Json;
}

/** Such a value is a login most often: it goes where logins do. */
function fixedArguments({ plan, name }: ApiTool, { isTrusted }: ApiServer, { fixed }: Sender): Given[] {
  const ofPath = plan.fixed.find(({ target }) => typeof target === "object" && target.place === "path");
  if (!isTrusted && ofPath !== undefined && fixed.has(ofPath.wireName)) {
    const cause = `${name} has the value of --argument for ${ofPath.wireName} in its path, and its server is another one`;
    throw new OpenApiError("SERVER_REFUSED", cause, "If logins may go there, name it with --trust-origin.");
  }
  if (!isTrusted) return [];
  return plan.fixed.flatMap((argument) => {
    const value = fixed.get(argument.wireName);
    return value === undefined ? [] : [{ argument, value }];
  });
}

/** Refuses an argument that the tool does not have, and a missing one that it needs. */
function matchArguments({ plan, name }: ApiTool, input: JsonObject): Given[] {
  const known = new Set(plan.arguments.map((argument) => argument.name));
  const unknown = Object.keys(input).find((argument) => !known.has(argument));
  if (unknown !== undefined) {
    const takes = known.size === 0 ? "It takes none." : `It takes ${[...known].slice(0, 30).join(", ")}.`;
    const isWhole = plan.arguments.some(({ target }) => target === "body") && plan.body?.kind === "json";
    const inBody = isWhole ? " A field of the body goes into `body`." : "";
    throw new OpenApiError("ARGUMENT_INVALID", `${name} has no argument ${toLine(unknown, 60)}`, `${takes}${inBody}`);
  }
  assertBody(plan, input, name);
  return plan.arguments.flatMap((argument): Given[] => {
    const value = member(input, argument.name);
    const isInBody = typeof argument.target === "string";
    // In a JSON body null is a value; elsewhere there is no way to write it.
    if (value !== undefined && (value !== null || (isInBody && plan.body?.kind === "json")))
      return [{ argument, value }];
    if (!argument.required) return [];
    throw new OpenApiError("ARGUMENT_INVALID", `${name} needs the argument ${argument.name}`, "Give it a value.");
  });
}

/** A body may be absent; one that is there has its required fields. */
function assertBody({ arguments: all, body }: ApiTool["plan"], input: JsonObject, name: string): void {
  const isGiven = (argument: string): boolean => member(input, argument) !== undefined;
  if (!all.some((argument) => argument.target === "field" && isGiven(argument.name))) return;
  const missing = body?.needed.find((argument) => !isGiven(argument));
  if (missing === undefined) return;
  const cause = `${name} needs the argument ${missing}, since it has a body`;
  throw new OpenApiError("ARGUMENT_INVALID", cause, "Give it a value, or no field of the body.");
}

function ofPlace(credentials: Credential[], place: Credential["place"]): Credential[] {
  return credentials.filter((credential) => credential.place === place);
}

/**
 * The parts of a query or a cookie. The members of an object can be names of their own there: none of them is one that the login or the path of
 * the operation has, since many readers take the first of two.
 */
function partsOf(given: Given[], login: Credential[], place: "query" | "cookie", fixed: readonly string[]): string[] {
  const taken = new Set([...fixed.map(nameOf), ...ofPlace(login, place).map(({ name }) => toReadName(name))]);
  return given.flatMap(({ argument: { target, name }, value }) => {
    if (typeof target !== "object" || target.place !== place) return [];
    const parts =
      place === "query"
        ? serializeInQuery(target, value)
        : serializeInCookie(target, value)
            .split("; ")
            .filter((part) => part !== "");
    const own = toReadName(target.name);
    const wrong = parts.map(nameOf).find((one) => one !== own && taken.has(one));
    if (wrong === undefined) return parts;
    const cause = `a member of ${name} has the name of another part of the ${place}`;
    throw new OpenApiError("ARGUMENT_INVALID", cause, "Leave it out: the server sets it.");
  });
}

function writePair({ name, value }: Credential): string {
  return `${encodePercent(name)}=${encodePercent(value)}`;
}

function nameOf(part: string): string {
  const [name = ""] = part.split("=", 1);
  return toReadName(
    name.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString()),
  );
}

/** Readers leave out capitals, blanks and brackets, or write `.` and `-` as `_`. */
function toReadName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\[.*$/s, "")
    .replaceAll(/[^a-z0-9]/g, "_");
}

function fixedQuery(path: string): string[] {
  const [, query = ""] = (path.split("#", 1)[0] ?? "").split("?", 2);
  return query.split("&").filter((part) => part !== "" && !part.includes("{"));
}

function buildUrl({ operation }: ApiTool, given: Given[], base: URL, query: string[]): URL {
  const values = new Map(
    given.flatMap(({ argument: { target, name }, value }) =>
      typeof target === "object" && target.place === "path"
        ? [[target.name, assertSegment(name, serializeInPath(target, value))] as const]
        : [],
    ),
  );
  const [template = ""] = operation.path.split(/[?#]/, 1);
  const path = template
    .split(/(\{[^{}]+\})/)
    .map((part) => values.get(part.slice(1, -1)) ?? encodeURI(part).replaceAll("%25", "%"))
    .join("");
  const wanted = `${base.pathname.replace(/\/$/, "")}${path}`;
  const url = new URL(base.origin);
  url.pathname = wanted;
  url.search = [...fixedQuery(operation.path), ...query].join("&");
  // A path that is normalized, as `..` is, leads to another operation.
  const isDotted = values.size > 0 && (hasDotStep(path) || given.some(isDottedPath));
  if (url.origin === base.origin && url.pathname === wanted && !isDotted) return url;
  const cause = `the arguments of ${operation.method} ${operation.path} lead out of its path`;
  throw new OpenApiError("ARGUMENT_INVALID", cause, "Use no dots alone as a part of the path, encoded or not.");
}

function isDottedPath({ argument: { target }, value }: Given): boolean {
  return typeof target === "object" && target.place === "path" && hasDotValue(value);
}

function assertSegment(name: string, text: string): string {
  if (text !== "") return text;
  throw new OpenApiError("ARGUMENT_INVALID", `${name} is a part of the path and cannot be empty`, "Give it a value.");
}

function headersOf(
  tool: ApiTool,
  given: Given[],
  login: Credential[],
  body: EncodedBody | undefined,
  callKey: string | undefined,
): Record<string, string> {
  const ofLogin = ofPlace(login, "cookie").map(writePair);
  const cookies = [...ofLogin, ...partsOf(given, login, "cookie", [])];
  const headers = new Map<string, [string, string]>();
  const set = (name: string, value: string): unknown => headers.set(name.toLowerCase(), [name, value]);
  set("accept", acceptOf(tool));
  set("user-agent", "codemode-openapi");
  if (body !== undefined) set("content-type", body.contentType);
  if (tool.keyHeader !== undefined && callKey !== undefined) set(tool.keyHeader.name, callKey);
  for (const { argument, value } of given) {
    const { target } = argument;
    if (typeof target === "object" && target.place === "header") set(target.name, serializeInHeader(target, value));
  }
  if (cookies.length > 0) set("cookie", cookies.join("; "));
  // Last: no argument replaces what was given by hand.
  for (const { name, value } of ofPlace(login, "header")) set(name, value);
  return Object.fromEntries(headers.values());
}

/** The media types of the answers, JSON first. */
function acceptOf({ operation }: ApiTool): string {
  const types = new Set(operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)));
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const clean = [...types].filter((type) => /^[\u0020-\u007E]{3,100}$/.test(type)).slice(0, 20);
  const json = clean.filter((type) => /json/.test(type));
  const others = clean.filter((type) => !/json/.test(type)).map((type) => (json.length > 0 ? `${type};q=0.8` : type));
  return [...json, ...others, "*/*;q=0.1"].join(", ");
}

function bodyOf({ plan: { body, arguments: all, fixed } }: ApiTool, given: Given[]): EncodedBody | undefined {
  if (body === undefined) return undefined;
  const inBody = given.filter(({ argument }) => typeof argument.target === "string");
  const whole = inBody.find(({ argument }) => argument.target === "body");
  if (whole !== undefined) return encodeBody(body, whole.value);
  const isFlat = [...all, ...fixed].some(({ target }) => target === "field");
  if (inBody.length === 0 && !(body.required && isFlat)) return undefined;
  const { withFiles } = body;
  const hasFile = inBody.some(({ argument, value }) => value !== null && withFiles?.fields.has(argument.wireName));
  const plan = hasFile && withFiles !== undefined ? withFiles.plan : body;
  return encodeBody(plan, fromMembers(inBody.map(({ argument, value }) => [argument.wireName, value])));
}
