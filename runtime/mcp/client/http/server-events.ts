import { StringDecoder } from "node:string_decoder";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Line, OversizeLine } from "../wire/line-splitter.ts";

/** One server-sent event. */
export interface StreamEvent {
  /** `message` where the server names none. */
  type: string;
  id?: string | undefined;
  /** Several lines of data are one text. */
  data: Line;
}

export interface EventListener {
  onEvent(event: StreamEvent): void;
  /** How long the server wants a client to wait before it connects again, in milliseconds. */
  onRetry?(milliseconds: number): void;
}

/** More lines without a meaning are no stream of events: each costs the parser an error. */
const MAX_UNKNOWN_FIELDS = 1_000;

/** What is kept of the edges of an event that is too long: the fields before its data, and the id of its message. */
const EDGE_LENGTH = 512;

/**
 * Makes a reader of server-sent events (HTML standard, section 9.2.6) that takes a stream chunk by chunk, in linear time. An event over
 * the limit costs no memory beyond it, and its edges alone are delivered; the next one is whole again. The reader throws where what comes
 * is no stream of events.
 */
export function makeEventReader(limitBytes: number, { onEvent, onRetry }: EventListener): (chunk: Uint8Array) => void {
  const toText = makeLineDecoder();
  const open = new OpenEvent();
  let excess: OpenEvent | undefined;
  let hasDispatched = false;
  let unknownFields = 0;
  const parser = createParser({
    maxBufferSize: limitBytes,
    onEvent(event) {
      hasDispatched = true;
      onEvent(toStreamEvent(event, limitBytes));
    },
    onRetry: (milliseconds) => onRetry?.(milliseconds),
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") excess = open;
      else if ((unknownFields += 1) > MAX_UNKNOWN_FIELDS) throw new Error("its stream is no stream of events");
    },
  });

  function feed(text: string): void {
    hasDispatched = false;
    parser.feed(text);
    open.add(text, hasDispatched);
  }

  return (chunk) => {
    const text = toText(chunk);
    if (excess === undefined) return feed(text);
    const end = excess.findEnd(text);
    if (end === undefined) return excess.add(text, false);
    onEvent({ type: "message", data: excess.finish(text.slice(0, end)) });
    excess = undefined;
    parser.reset();
    feed(text.slice(end));
  };
}

function toStreamEvent({ event: type = "message", id, data }: EventSourceMessage, limitBytes: number): StreamEvent {
  const byteLength = data.length * 3 > limitBytes ? Buffer.byteLength(data) : 0;
  if (byteLength <= limitBytes) return { type, id, data: { kind: "line", text: data } };
  const edges = { head: data.slice(0, EDGE_LENGTH), tail: data.slice(-EDGE_LENGTH) };
  return { type, id, data: { kind: "oversize", ...edges, byteLength } };
}

/** The edges and the length of the event that has not ended yet. */
class OpenEvent {
  #head = "";
  #tail = "";
  #length = 0;
  /** The newline that the text before may have ended in. */
  #edge = "";

  /** @param hasEnd whether an event has ended in the text */
  add(text: string, hasEnd: boolean): void {
    const joined = this.#edge + text;
    this.#edge = text.endsWith("\n") ? "\n" : "";
    if (hasEnd) [this.#head, this.#length] = ["", 0];
    const own = hasEnd ? joined.slice(joined.lastIndexOf("\n\n") + 2) : text;
    if (this.#head.length < EDGE_LENGTH) this.#head += own.slice(0, EDGE_LENGTH - this.#head.length);
    this.#tail = own.length < EDGE_LENGTH ? (this.#tail + own).slice(-EDGE_LENGTH) : own.slice(-EDGE_LENGTH);
    this.#length += own.length;
  }

  /** Where the event ends in the text that follows: behind its empty line. */
  findEnd(text: string): number | undefined {
    const at = (this.#edge + text).indexOf("\n\n");
    return at === -1 ? undefined : at + 2 - this.#edge.length;
  }

  finish(text: string): OversizeLine {
    this.add(text, false);
    const fields = this.#head.slice(this.#head.lastIndexOf("\n\n") + 1);
    const start = fields.search(/^data:/m);
    const head = start === -1 ? "" : fields.slice(start + "data:".length).trimStart();
    const oversize: OversizeLine = { kind: "oversize", head, tail: this.#tail.trimEnd(), byteLength: this.#length };
    [this.#head, this.#tail, this.#length, this.#edge] = ["", "", 0, ""];
    return oversize;
  }
}

/** Decodes UTF-8 and makes each end of a line a newline, which the parser reads fastest. */
function makeLineDecoder(): (chunk: Uint8Array) => string {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  let held = "";
  return (chunk) => {
    let text = held + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    held = "";
    if (isFirst && text !== "") {
      isFirst = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    if (!text.includes("\r")) return text;
    // What follows may be its newline.
    if (text.endsWith("\r")) [held, text] = ["\r", text.slice(0, -1)];
    return text.replaceAll(/\r\n?/g, "\n");
  };
}

/** Where a stream can be taken up again. */
export interface StreamPosition {
  lastEventId?: string | undefined;
  retryMs?: number;
}

/** How long a stream that broke is left alone at first, unless the server says otherwise. */
const FIRST_DELAY_MS = 300;

/** What a server may ask for with `retry`: less would be a flood, and more would be for ever. */
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 60_000;

/** Reads a stream to its end. */
export async function readStream(
  { body }: Response,
  limitBytes: number,
  position: StreamPosition,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const push = makeEventReader(limitBytes, {
    onEvent,
    onRetry: (milliseconds) =>
      (position.retryMs = Math.min(Math.max(milliseconds, SHORTEST_DELAY_MS), LONGEST_DELAY_MS)),
  });
  for await (const chunk of body ?? []) push(chunk);
}

/** How long to wait until a stream is taken up again, after so many tries. */
export function delayBefore(tries: number, { retryMs }: StreamPosition): number {
  return retryMs ?? FIRST_DELAY_MS * 2 ** tries;
}

/** Whether an event or a body holds nothing. */
export function isEmpty(line: Line): boolean {
  return line.kind === "line" && line.text.trim() === "";
}
