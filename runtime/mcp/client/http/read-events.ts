import { LineSplitter, type Line } from "../wire/line-splitter.ts";

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
