import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isJsonObject, ownValue, toJsonObject, type JsonObject } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { CallListener } from "./call-listener.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { RequestLimits } from "./request-limits.ts";
import { METHOD_NOT_FOUND, RpcError } from "./wire/json-rpc.ts";

/** What a server gets for a question that no person is asked. */
const DECLINED: JsonObject = { action: "decline" };

/** What servers may ask of codemode, by the folders that the configuration lets them know. */
export interface ServerRequests {
  roots: readonly string[];
  calls: OpenCalls;
}

/** Answers a request of a server of the older eras. Throws an `RpcError`, which the server gets. */
export async function answerServer(
  method: string,
  params: JsonObject,
  { roots, calls }: ServerRequests,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (method === "roots/list" && roots.length > 0) return listRoots(roots);
  if (method !== "elicitation/create") throw new RpcError(METHOD_NOT_FOUND, refusalOf(method));
  // A result that came just before ends its call in between.
  await nextTurn();
  // A question outside of any call, or after the end of its run, finds no one.
  const listening = calls.listening();
  if (listening === undefined) return DECLINED;
  const release = listening.hold();
  try {
    return await listening.listener.elicit(params, AbortSignal.any([signal, listening.ended]));
  } finally {
    release();
  }
}

function refusalOf(method: string): string {
  if (method === "sampling/createMessage") return "codemode does not offer sampling: it has no model to ask.";
  if (method === "roots/list") return 'codemode has no "roots" for this server in its configuration.';
  return "Method not found";
}

/** More than a person answers for one message. */
const MAX_REQUESTS = 10;

/**
 * Answers what a result of the revision 2026-07-28 asks for, one after the other.
 * @returns what is added to the parameters of the request when it is sent again. Throws `ConnectionError` where a request is none that codemode answers.
 */
export async function answerInputRequests(
  result: JsonObject,
  { roots, listener }: { roots: readonly string[]; listener: CallListener | undefined },
  failures: ConnectionFailures,
  signal: AbortSignal,
): Promise<JsonObject> {
  const asked = ownValue(result, "inputRequests");
  const requests = Object.entries(isJsonObject(asked) ? asked : {});
  if (requests.length > MAX_REQUESTS) throw failures.protocol(`it asks for ${requests.length} inputs at once`);
  const state = ownValue(result, "requestState");
  const responses: [string, JsonObject][] = [];
  for (const [key, request] of requests) {
    const { method, params } = isJsonObject(request) ? request : {};
    if (method === "roots/list" && roots.length > 0) responses.push([key, listRoots(roots)]);
    else if (method !== "elicitation/create") throw failures.clientLacks(String(method));
    else responses.push([key, (await listener?.elicit(isJsonObject(params) ? params : {}, signal)) ?? { ...DECLINED }]);
  }
  return withoutUndefined({
    inputResponses: responses.length === 0 ? undefined : toJsonObject(responses),
    requestState: typeof state === "string" ? state : undefined,
  });
}

/** The code of "URL elicitation required". */
const PAGES_FIRST = -32042;

/** MCP 2025-11-25: a call fails because a person has to open pages first. It is made again where they say that they have. */
export async function openUrls(
  error: unknown,
  listener: CallListener | undefined,
  limits: { readonly signal: AbortSignal },
): Promise<boolean> {
  if (!(error instanceof RpcError) || error.code !== PAGES_FIRST || listener === undefined) return false;
  const asked = isJsonObject(error.data) ? ownValue(error.data, "elicitations") : undefined;
  if (!Array.isArray(asked) || asked.length === 0 || asked.length > MAX_REQUESTS) return false;
  for (const params of asked) {
    const page = isJsonObject(params) ? params : {};
    const answer = await listener.elicit({ ...page, mode: "url" }, limits.signal);
    if (answer["action"] !== "accept") return false;
  }
  return true;
}

function listRoots(roots: readonly string[]): JsonObject {
  return { roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })) };
}

/** A request under way. */
export interface OpenCall {
  listener: CallListener | undefined;
  limits: Pick<RequestLimits, "hold">;
  /** What is to be done at its end. */
  onEnd?: (() => void)[];
}

/** What something unasked for by a server can belong to: calls of one person. */
export interface Hearers {
  listener: CallListener;
  /** Stops the time limits of all of them. */
  hold(): () => void;
  /** Aborted when the last of them has ended. */
  ended: AbortSignal;
}

/** The calls that are under way over one link. */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();

  add(call: OpenCall): void {
    this.#calls.add(call);
  }

  end(call: OpenCall): void {
    this.#calls.delete(call);
    call.onEnd?.forEach((listener) => listener());
  }

  /** Undefined where there is no call with a listener, or where calls of several persons are under way: none may hear what is another's. */
  listening(): Hearers | undefined {
    const calls = [...this.#calls].filter(({ listener }) => listener !== undefined);
    const listener = calls.at(-1)?.listener;
    if (listener === undefined || calls.some((call) => call.listener?.person !== listener.person)) return undefined;
    const ending = new AbortController();
    let open = calls.length;
    for (const call of calls) {
      (call.onEnd ??= []).push(() => {
        open -= 1;
        if (open === 0) ending.abort();
      });
    }
    return { listener, hold: () => holdAll(calls), ended: ending.signal };
  }
}

function holdAll(calls: readonly OpenCall[]): () => void {
  const releases = calls.map(({ limits }) => limits.hold());
  return () => releases.forEach((release) => release());
}
