import type { FetchLike } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { HttpFacts } from "../connection-failures.ts";
import { type Line, LineSplitter } from "../wire/line-splitter.ts";

/** What is to be done with the messages that arrive in HTTP responses. */
export interface MessageSink {
  maxMessageBytes: number;
  /**
   * Delivers the text of one event or body.
   * @returns the ids of the responses that were in it
   */
  take(line: Line): (string | number)[];
  /** The body of a response is no answer to the request that it belongs to. */
  fail(requestId: string | number, body: Line): void;
  /** A request was refused: what the response says beside its body. */
  refused(requestId: string | number, facts: HttpFacts): void;
  /** Whether the answer to a request comes in the response to it; with the older transport it comes in a stream. */
  answersInPlace: boolean;
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
    if (!response.ok) {
      const refusedId = readRequestId(init?.body);
      if (refusedId !== undefined) sink.refused(refusedId, toFacts(response));
      return withBoundedBody(response);
    }
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
    if (method === "GET" && (openedStreams += 1) > 1) sink.onStreamReopened();
    if (mediaType === "text/event-stream" && response.body !== null)
      return new Response(toStream(passEvents(response.body, sink)), toInit(response));
    const requestId = method === "POST" ? readRequestId(init?.body) : undefined;
    // "Accepted" is for what wants no answer: none would come.
    if (requestId !== undefined && sink.answersInPlace && WITHOUT_ANSWER.has(response.status))
      sink.fail(requestId, { kind: "line", text: "" });
    if (method !== "POST" || mediaType !== "application/json") return response;
    const passing = passBody(response, requestId, sink);
    if (requestId !== undefined) return toEventStream(response, passing);
    await passing.next();
    // "Accepted" is what tells the SDK that a notification has arrived.
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

/** Delivers what is in a body as if it were an event. */
async function* passBody(
  response: Response,
  requestId: string | number | undefined,
  sink: MessageSink,
): AsyncGenerator<Uint8Array> {
  const body = await readBounded(response.body, sink.maxMessageBytes);
  const answered = body.kind === "line" ? sink.take(body) : [];
  if (requestId !== undefined && !answered.includes(requestId)) sink.fail(requestId, body);
  yield* toStubs({ type: "message" }, answered);
}

/** The SDK reads headers, such as the id of a new session, before it reads a stream. */
function toEventStream(response: Response, events: AsyncGenerator<Uint8Array>): Response {
  const init = toInit(response);
  const headers = new Headers(init.headers);
  headers.set("content-type", "text/event-stream");
  return new Response(toStream(events), { ...init, headers });
}

/** Undefined for a notification, and for our answer to a request of the server, whose id is the server's. */
function readRequestId(body: unknown): string | number | undefined {
  const { id, method } = typeof body === "string" ? (JSON.parse(body) as JsonObject) : {};
  return method === undefined ? undefined : (id as string | number | undefined);
}

async function* passEvents(body: ReadableStream<Uint8Array>, sink: MessageSink): AsyncGenerator<Uint8Array> {
  for await (const event of readEvents(body, sink.maxMessageBytes)) {
    const isMessage = event.type === "message" && event.data !== undefined;
    if (!isMessage || isEmpty(event.data)) yield encode(event, event.data?.kind === "line" ? event.data.text : "");
    else yield* toStubs(event, sink.take(event.data as Line));
  }
}

function isEmpty(line: Line | undefined): boolean {
  return line?.kind === "line" && line.text.trim() === "";
}

/** A notification that the SDK has no use for. */
const NOTHING = JSON.stringify({ jsonrpc: "2.0", method: "codemode/passed" });

/** What the SDK sees of an event with these answers. */
function toStubs(event: Omit<StreamEvent, "data">, answered: readonly (string | number)[]): Uint8Array[] {
  const stubs = answered.map((id) => JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  return (stubs.length === 0 ? [NOTHING] : stubs).map((data) => encode(event, data));
}

function encode({ type, id, retry }: Omit<StreamEvent, "data">, data: string): Uint8Array {
  const fields = [
    ...(type === "message" ? [] : [`event: ${type}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split("\n").map((line) => `data: ${line}`),
  ];
  return Buffer.from(`${fields.join("\n")}\n\n`);
}

function toFacts({ status, headers }: Response): HttpFacts {
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  const location = status >= 300 && status < 400 ? (headers.get("location") ?? undefined) : undefined;
  return withoutUndefined({ retryAfterMs, location });
}

/** In seconds, or until a date (RFC 9110, section 10.2.3). */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function withBoundedBody(response: Response): Promise<Response> {
  const body = await readBounded(response.body, ERROR_BODY_BYTES).catch(() => undefined);
  const text = body?.kind === "line" ? body.text : "";
  return new Response(NULL_BODY_STATUSES.has(response.status) ? null : text, toInit(response));
}

const WITHOUT_ANSWER = new Set([202, 204, 205]);

const NULL_BODY_STATUSES = new Set([101, 103, 204, 205, 304]);

function toInit({ status, statusText, headers }: Response): ResponseInit {
  return { status, statusText, headers };
}

/** As `ReadableStream.from`, but chunk by chunk as they are wanted. */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A body as one line. Beyond the limit it is not read. */
async function readBounded(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Line> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body ?? []) {
    byteLength += chunk.byteLength;
    if (byteLength > limitBytes) return { kind: "oversize", head: "", tail: "", byteLength };
    chunks.push(chunk);
  }
  return { kind: "line", text: Buffer.concat(chunks).toString("utf8") };
}

/** One server-sent event. */
export interface StreamEvent {
  /** `message` where the server names none. */
  type: string;
  id?: string | undefined;
  /** How long the server wants a client to wait before it connects again, in milliseconds. */
  retry?: number | undefined;
  /** Several lines of data are one text; undefined where there was no line of data. */
  data: Line | undefined;
}

/**
 * Reads a stream of server-sent events (HTML standard, section 9.2.6) in linear time. An event over the limit keeps
 * only its edges. Lines may end in LF or CRLF; a lone CR, which no server was met to write, ends none.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>, limitBytes: number): AsyncGenerator<StreamEvent> {
  const splitter = new LineSplitter(limitBytes, { keepsEmptyLines: true });
  let event = new EventDraft(limitBytes);
  for await (const chunk of body) {
    for (const line of splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      if (line.kind === "line" && (line.text === "" || line.text === "\r")) {
        const finished = event.finish();
        event = new EventDraft(limitBytes);
        if (finished !== undefined) yield finished;
      } else event.add(line);
    }
  }
}

class EventDraft {
  readonly #limit: number;
  #type = "message";
  #id: string | undefined;
  #retry: number | undefined;
  #lines: string[] = [];
  #length = 0;
  #oversize: Line | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: Line): void {
    if (line.kind === "oversize") {
      const head = /^data: ?/.exec(line.head);
      if (head !== null) this.#oversize = { ...line, head: line.head.slice(head[0].length) };
      return;
    }
    const text = line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text;
    const colon = text.indexOf(":");
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#addData(value);
    else if (field === "event") this.#type = value === "" ? "message" : value;
    else if (field === "id") this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#retry = Number(value);
  }

  #addData(value: string): void {
    this.#length += value.length + 1;
    if (this.#length <= this.#limit) this.#lines.push(value);
    else this.#oversize = { kind: "oversize", head: "", tail: "", byteLength: this.#length };
  }

  /** Undefined for what says nothing, such as the comments that keep a connection alive. */
  finish(): StreamEvent | undefined {
    const whole: Line | undefined =
      this.#lines.length === 0 ? undefined : { kind: "line", text: this.#lines.join("\n") };
    const data = this.#oversize ?? whole;
    if (data === undefined && this.#id === undefined && this.#retry === undefined) return undefined;
    return {
      type: this.#type,
      data,
      id: this.#id,
      retry: this.#retry,
    };
  }
}
