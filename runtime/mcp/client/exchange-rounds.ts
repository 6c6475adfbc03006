import { setTimeout as delay } from "node:timers/promises";
import { answerInputRequests, openUrls, type OpenCall, type ServerRequests } from "./answer-server.ts";
import type { CallListener } from "./call-listener.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { RequestLimits, type RequestTimes } from "./request-limits.ts";
import { RpcError } from "./wire/json-rpc.ts";
import type { MessageTransport } from "./wire/message-transport.ts";

export interface RequestSettings extends RequestTimes {
  /** Without it questions of the server are declined. */
  listener?: CallListener | undefined;
}

/** How often a server may answer one request by asking for input. */
const MAX_ROUNDS = 10;
/** Before a request is sent again that the server has only put off. */
const UNASKED_PAUSE_MS = 250;

/** Sends a request once, with the answers to what the server asked for. */
export type SendRound = (answers: JsonObject | undefined, limits: RequestLimits) => Promise<JsonObject>;

export interface Exchange {
  /** Whether results may ask for input. */
  isModern: boolean;
  transport: MessageTransport;
  failures: ConnectionFailures;
  requests: ServerRequests;
}

/** Sends a request until its result asks for nothing more. */
export async function exchangeRounds(
  { isModern, transport, failures, requests: { roots, calls } }: Exchange,
  action: string,
  settings: RequestSettings,
  send: SendRound,
): Promise<JsonObject> {
  const { listener, signal } = settings;
  if (signal?.aborted === true) throw failures.cancelled(action);
  const limits = new RequestLimits(settings);
  const call: OpenCall = { listener, limits };
  calls.add(call);
  try {
    let answers: JsonObject | undefined;
    for (let round = 0; ; round += 1) {
      let result: JsonObject;
      try {
        result = await send(answers, limits);
      } catch (error) {
        const resume = limits.hold();
        if (round < MAX_ROUNDS && (await openUrls(error, listener, limits).finally(resume))) continue;
        throw error;
      }
      if (!isModern || result["resultType"] !== "input_required") return result;
      if (round === MAX_ROUNDS) throw failures.protocol(`it asked for input ${MAX_ROUNDS} times`);
      const resume = limits.hold();
      answers = await answerInputRequests(result, { roots, listener }, failures, limits.signal).finally(resume);
      if (answers["inputResponses"] === undefined) await delay(UNASKED_PAUSE_MS, undefined, { signal: limits.signal });
      limits.restart();
    }
  } catch (error) {
    if (transport.ending !== undefined && !(error instanceof RpcError || error instanceof ConnectionError))
      throw transport.ending;
    if (limits.expiredMs !== undefined && !(error instanceof ConnectionError))
      throw failures.timedOut(action, limits.expiredMs);
    throw toConnectionError(error, action, settings, transport, failures);
  } finally {
    calls.end(call);
    limits.release();
  }
}

export function toConnectionError(
  error: unknown,
  action: string,
  settings: Pick<RequestSettings, "signal">,
  transport: MessageTransport,
  failures: ConnectionFailures,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (settings.signal?.aborted === true) return failures.cancelled(action);
  if (error instanceof RpcError) return failures.rpcError(action, error.code, error.message);
  return (
    transport.explainFailure?.(error, action) ??
    failures.protocol(error instanceof Error ? error.message : String(error))
  );
}
