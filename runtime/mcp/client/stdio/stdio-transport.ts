import type { JsonObject } from "../../../../schemas/json/json.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import { decodeUtf8 } from "../decode-text.ts";
import { LONG_CONTENT_BYTES } from "../printed-content.ts";
import { parseIncoming } from "../wire/json-rpc.ts";
import { LineSplitter, type Line, type LongLine } from "../wire/line-splitter.ts";
import { type Delivery, MAX_MESSAGE_BYTES, type MessageTransport, toTooLarge } from "../wire/message-transport.ts";
import {
  FAST_SHUTDOWN,
  GRACEFUL_SHUTDOWN,
  startServerProcess,
  StartFailure,
  TextTail,
  type ProcessExit,
  type ServerProcess,
} from "./server-process.ts";
import { parseLongAnswer } from "../wire/parse-long-answer.ts";
import { SeveralLines } from "../wire/unclear-lines.ts";
import { makeTurnWriter, type WriteInTurn } from "../wire/turn-writer.ts";
import { settlesWithin } from "../settles-within.ts";
import type { StdioTarget } from "../server-target.ts";

/** How long after the end of a pipe the end of the process is waited for, to name its exit code. */
const SILENCE_TIMEOUT_MS = 250;

/** Of a line before it is ready that has not ended: far more than is shown, so that a secret that is cut is never in view. */
const OPEN_LINE_BYTES = 16 * 1024;

/** A server that asks and does not listen gets no answers beyond these: they would pile up in our memory. */
const MAX_UNHEARD_ANSWERS = 1_000;

/**
 * JSON-RPC, one message a line, over the pipes of a process that is started at once. Lines that are no JSON are passed
 * over, unless they are meant as the answer to a request, which fails; a message over the limit fails its own request and no other.
 */
export class StdioTransport implements MessageTransport {
  onmessage?: (delivery: Delivery) => void;
  onclose?: () => void;

  readonly kind = "stdio";
  readonly #failures: ConnectionFailures;
  readonly #command: string;
  readonly #maxMessageBytes: number;
  readonly #starting: Promise<ServerProcess>;
  #process: ServerProcess | undefined;
  #writeInTurn: WriteInTurn | undefined;
  #exit: ProcessExit | undefined;
  #ready = false;
  #ending: ConnectionError | undefined;
  #endedByServer = false;
  #closing: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #unheardAnswers = 0;
  readonly #severalLines = new SeveralLines();
  /** The lines before it is ready that are no messages. */
  readonly #printed: TextTail;
  readonly #splitter: LineSplitter<LongLine>;

  constructor(target: StdioTarget, failures: ConnectionFailures, maxMessageBytes = MAX_MESSAGE_BYTES) {
    this.#failures = failures;
    this.#command = target.command;
    this.#maxMessageBytes = maxMessageBytes;
    this.#splitter = new LineSplitter<LongLine>(maxMessageBytes, { longBytes: LONG_CONTENT_BYTES });
    this.#printed = new TextTail(failures.maskChunks());
    this.#starting = startServerProcess(target, new TextTail(failures.maskChunks()));
    this.#starting.catch(() => undefined); // `start` reports it
  }

  get ending(): ConnectionError | undefined {
    return this.#ending;
  }

  get endedByServer(): boolean {
    return this.#endedByServer;
  }

  async start(): Promise<void> {
    let server: ServerProcess;
    try {
      server = await this.#starting;
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      throw (this.#ending = this.#failures.notStarted(error.reason, this.#command));
    }
    this.#process = server;
    this.#writeInTurn = makeTurnWriter(server.stdin);
    void server.exited.then((exit) => (this.#exit = exit));
    server.stdin.on("error", () => void this.#endAfterInput(server));
    this.#read(server);
  }

  send(message: JsonObject): Promise<void> | undefined {
    try {
      if (this.#write(message)) return undefined;
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const { stdin } = this.#process as ServerProcess;
    if (!Object.hasOwn(message, "method")) this.#unheardAnswers += 1;
    // One waiter for all senders: a listener each would be a leak in Node's eyes.
    this.#drained ??= new Promise((resolve) => {
      stdin.once("drain", () => {
        this.#drained = undefined;
        this.#unheardAnswers = 0;
        resolve();
      });
    });
    return this.#drained;
  }

  markReady(): void {
    this.#ready = true;
  }

  ref(): void {
    this.#process?.ref();
  }

  unref(): void {
    this.#process?.unref();
  }

  explainFailedStart(timedOutAfterMs?: number): ConnectionError {
    const stderr = this.#process?.readStderr() ?? "";
    // A question to a person has no end of its line.
    const printed = `${this.#printed.text()}${this.#splitter.openLine(OPEN_LINE_BYTES)}`;
    return timedOutAfterMs === undefined
      ? this.#failures.endedAtStart(this.#exit, { stderr, printed })
      : this.#failures.startTimedOut(timedOutAfterMs, { stderr, printed });
  }

  close(): Promise<void> {
    this.#finish(this.#failures.closed("closed-by-us"));
    this.#closing ??= this.#starting.then(
      (server) => server.shutdown(this.#ready ? GRACEFUL_SHUTDOWN : FAST_SHUTDOWN),
      () => undefined, // it never ran
    );
    return this.#closing;
  }

  #read(server: ServerProcess): void {
    const { stdout } = server;
    const splitter = this.#splitter;
    stdout.on("data", (chunk: Buffer) => {
      try {
        for (const line of splitter.push(chunk)) for (const delivery of this.#parse(line)) this.#deliver(delivery);
      } catch {
        stdout.destroy();
      }
    });
    const end = (): void => void this.#endAfterOutput(server);
    // A process may have ended before it is read. A destroyed pipe is an end as any other.
    if (stdout.closed) end();
    else stdout.once("close", end);
  }

  #deliver(delivery: Delivery): void {
    if (this.#ending !== undefined) return;
    const isQuestion = delivery.kind === "request" || delivery.kind === "refused";
    if (!isQuestion || this.#unheardAnswers < MAX_UNHEARD_ANSWERS) this.onmessage?.(delivery);
  }

  /** False where the pipe is full. */
  #write(message: JsonObject): boolean {
    if (this.#ending !== undefined) throw this.#ending;
    if (this.#writeInTurn === undefined) throw this.#failures.closed("closed-by-us");
    return this.#writeInTurn(`${JSON.stringify(message)}\n`);
  }

  #parse(line: Line | LongLine): Delivery[] {
    switch (line.kind) {
      case "line": {
        const messages = this.#severalLines.holds(line.text) ? [] : parseIncoming(line.text);
        const broken = messages.length === 0 ? this.#severalLines.take(line.text) : undefined;
        if (broken !== undefined) return [broken];
        // Once it is ready, what it prints may be of another client's call.
        if (messages.length === 0 && !this.#ready) this.#printed.append(Buffer.from(`${line.text}\n`));
        return messages;
      }
      case "long": {
        const answer = parseLongAnswer(line.bytes);
        return answer === undefined ? parseIncoming(decodeUtf8(line.bytes)) : [answer];
      }
      case "oversize":
        return toTooLarge(line, this.#failures, this.#maxMessageBytes);
    }
  }

  /** The server can say nothing more: waits a moment to learn why, then ends the connection and the process. */
  async #endAfterOutput(server: ServerProcess): Promise<void> {
    if (this.#ending !== undefined) return;
    await settlesWithin(server.silent, SILENCE_TIMEOUT_MS);
    await this.#endByServer(this.#exit === undefined ? "output-ended" : "exit");
  }

  /** The server hears nothing more. Where it has ended, its output ends as well, and the reader sees to the rest. */
  async #endAfterInput(server: ServerProcess): Promise<void> {
    if (await settlesWithin(server.exited, SILENCE_TIMEOUT_MS)) return;
    await this.#endByServer("input-ended");
  }

  async #endByServer(reason: "exit" | "input-ended" | "output-ended"): Promise<void> {
    if (this.#ending !== undefined) return;
    this.#endedByServer = true;
    this.#finish(this.#failures.closed(reason, this.#exit));
    await this.close();
  }

  /** In-flight requests fail immediately, without waiting for the process to end. The first reason stays. */
  #finish(reason: ConnectionError): void {
    if (this.#ending !== undefined) return;
    this.#ending = reason;
    this.onclose?.();
  }
}
