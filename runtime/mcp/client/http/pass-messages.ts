import type { FetchLike } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import type { Line } from "../wire/line-splitter.ts";
import { readBounded } from "./read-bounded.ts";
import { readEvents, type StreamEvent } from "./read-events.ts";

/** What is to be done with the messages that arrive in HTTP responses. */
export interface MessageSink {
  maxMessageBytes: number;
  /**
   * Delivers the text of one event or body and settles when that is done.
   * @returns the ids of the responses that were in it
   */
  take(line: Line): Promise<(string | number)[]>;
  /** A response that holds no answer to the request that it belongs to; the error is thrown to who sent it. */
  toUnanswered(): Error;
  toTooLarge(byteLength: number): Error;
  /** A stream without a request of its own was opened, not for the first time: something may have been missed. */
  onStreamReopened(): void;
}

/** Of an error's body, more than is ever quoted. */
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * A `fetch` for the SDK's transports that takes the messages out of successful responses and hands them on itself, in
 * the exact form that they have. The SDK sees the HTTP side of the exchange (sessions, logins, streams to be taken up
 * again), and in place of each message a stub: its own reading of messages drops a whole answer for one odd key.
 */
export function makePassingFetch(sink: MessageSink, baseFetch: FetchLike = fetch): FetchLike {
  let openedStreams = 0;
  return async (input, init) => {
    const response = await baseFetch(input, init);
    const method = init?.method ?? "GET";
    if (!response.ok) return withBoundedBody(response);
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
    if (method === "GET" && (openedStreams += 1) > 1) sink.onStreamReopened();
    if (mediaType === "text/event-stream" && response.body !== null) {
      return new Response(toStream(passEvents(response.body, sink)), toInit(response));
    }
    if (method !== "POST" || mediaType !== "application/json") return response;
    await passBody(response, readRequestId(init?.body), sink);
    // "Accepted" is what tells the SDK that there is nothing more to come.
    return new Response(null, { ...toInit(response), status: 202 });
  };
}

/**
 * A `fetch` that opens no stream for what servers say unasked: it answers as a server does that has none. With an event id
 * the request continues an answer.
 */
export const fetchWithoutListening: FetchLike = async (input, init) => {
  const isListening = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
  return isListening ? new Response(null, { status: 405 }) : fetch(input, init);
};

async function passBody(response: Response, requestId: unknown, sink: MessageSink): Promise<void> {
  const { isWhole, byteLength, text } = await readBounded(response.body, sink.maxMessageBytes);
  if (!isWhole) throw sink.toTooLarge(byteLength);
  const answered: unknown[] = await sink.take({ kind: "line", text });
  if (requestId !== undefined && !answered.includes(requestId)) throw sink.toUnanswered();
}

function readRequestId(body: unknown): unknown {
  return typeof body === "string" ? (JSON.parse(body) as JsonObject)["id"] : undefined;
}

async function* passEvents(body: ReadableStream<Uint8Array>, sink: MessageSink): AsyncGenerator<Uint8Array> {
  for await (const event of readEvents(body, sink.maxMessageBytes)) {
    const isMessage = event.type === "message" && event.data !== undefined;
    if (!isMessage || isEmpty(event.data)) yield encode(event, event.data?.kind === "line" ? event.data.text : "");
    else {
      const answered = await sink.take(event.data as Line);
      for (const data of answered.length === 0 ? [NOTHING] : answered.map(toStub)) yield encode(event, data);
    }
  }
}

function isEmpty(line: Line | undefined): boolean {
  return line?.kind === "line" && line.text.trim() === "";
}

/** A notification that the SDK has no use for. */
const NOTHING = JSON.stringify({ jsonrpc: "2.0", method: "codemode/passed" });

function toStub(id: string | number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: {} });
}

function encode({ type, id, retry }: StreamEvent, data: string): Uint8Array {
  const fields = [
    ...(type === "message" ? [] : [`event: ${type}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split("\n").map((line) => `data: ${line}`),
  ];
  return Buffer.from(`${fields.join("\n")}\n\n`);
}

async function withBoundedBody(response: Response): Promise<Response> {
  const { text } = await readBounded(response.body, ERROR_BODY_BYTES).catch(() => ({ text: "" }));
  return new Response(NULL_BODY_STATUSES.has(response.status) ? null : text, toInit(response));
}

const NULL_BODY_STATUSES = new Set([101, 103, 204, 205, 304]);

function toInit({ status, statusText, headers }: Response): ResponseInit {
  return { status, statusText, headers };
}

/** As `ReadableStream.from`, but chunk by chunk as they are wanted. */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
