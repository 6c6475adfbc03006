import { setTimeout as delay } from "node:timers/promises";
import {
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { LinkFailure } from "./link-failure.ts";
import { endWithProcess, hasEnded } from "./process-end.ts";
import type { HttpTarget } from "./server-target.ts";

/** How long a server may take to hear that its session is over. */
const GOODBYE_MS = 500;

/** The SDK's transport for a target, with nothing left open between calls where that can be had. */
export function makeHttpTransport(target: HttpTarget): SSEClientTransport | StreamableHTTPClientTransport {
  const url = new URL(target.url);
  const requestInit = { headers: { ...target.headers } };
  if (target.transport === "sse") return new SSEClientTransport(url, { requestInit });
  const transport = new StreamableHTTPClientTransport(url, { requestInit, fetch: fetchWithoutListening });
  failUnanswered(transport);
  sayGoodbye(transport);
  return transport;
}

/** A session is given back, be it because the process has nothing more to do; who does not answer soon is not waited for. */
function sayGoodbye(transport: StreamableHTTPClientTransport): void {
  const end = transport.close.bind(transport);
  const close = async (): Promise<void> => {
    hasEnded(mortal);
    const giveUp = new AbortController();
    const patience = delay(GOODBYE_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([transport.terminateSession().catch(() => undefined), patience]);
    giveUp.abort();
    await end();
  };
  const mortal = { close, kill: () => undefined };
  transport.close = close;
  endWithProcess(mortal);
}

/**
 * Streamable HTTP before 2026 has a stream for what servers say unasked. Nobody listens here, and it would keep the
 * process alive: it is answered as a server does that has none. With an event id it continues an answer.
 */
const fetchWithoutListening: typeof fetch = async (input, init) => {
  const isListening = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
  return isListening ? new Response(null, { status: 405 }) : fetch(input, init);
};

/** A stream that ends without the answer would leave its request to the time-out. */
function failUnanswered(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options?: TransportSendOptions) => {
    if (!("method" in message) || !("id" in message)) return send(message, options);
    const { id } = message;
    const onRequestStreamEnd = (): void => {
      const failure = new LinkFailure("interrupted", "the server ended the exchange before its answer was through");
      // The protocol layer passes over answers to requests that have theirs.
      transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32603, message: failure.message, data: failure } });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}
