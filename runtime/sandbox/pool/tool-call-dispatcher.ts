import { setMaxListeners } from "node:events";
import type { ToolTraceEntry } from "../../../schemas/run/answer.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { CallChange, ToolErrorClass, ToolReply, ToolCall } from "../../../schemas/lock/tools.ts";
import { isHostSubject } from "./host-subjects.ts";
import type { Emit, OnCallSign, RunEvent } from "../../../schemas/run/events.ts";
import type { FrameBody } from "./sandbox-engine.ts";
import { parseForeignJson } from "../../../schemas/json/foreign-json.ts";

/** Takes the calls of one run: passes them on, counts them and writes down how they went. */
export interface ToolCallDispatcher {
  /** False where the call is one more than allowed; then nothing was passed on. */
  accept(call: ForeignCall, reply: SendReply): boolean;
  /** Cancels the calls in flight. */
  close(): void;
  /** The value of a text that the latest of the long replies consisted of; undefined of any other text. */
  findParsed?(json: Buffer): JsonValue | undefined;
  /** The calls that have no answer yet, the one that waits for longest first. */
  waiting(): WaitingCall[];
  /** Every call that was made, in the order of their starts, without input and output (specification 3.3.2). */
  trace(): ToolTraceEntry[];
}

/** A call without an answer yet. */
export interface WaitingCall {
  serverId: string;
  toolName: string;
  /** Whole milliseconds. */
  waitedMs: number;
}

/** Sends the JSON text of a `ToolReply`; `onSent` is called when it is on its way. */
export type SendReply = (replyJson: FrameBody, onSent?: () => void) => void;

/** A call as the sandbox sent it. */
export interface ForeignCall {
  serverId: string;
  toolName: string;
  inputJson: string;
  /** As in `ToolCall`. */
  place?: string | undefined;
}

/** The longest name of a server or tool in the trace. */
const MAX_NAME = 200;

/** As the reason of a signal too: making an error for each call takes longer than the rest of its end. */
const ENDED = "The run ended before the call did";

/** Questions about the tools that there are cost no server anything: they are no calls, but not free either. */
const MAX_QUESTIONS = 1000;

/** A call that was passed on. */
interface CallRecord {
  entry: ToolTraceEntry;
  startedAt: number;
  isOpen: boolean;
}

/** A signal costs as much as the rest of a call's bookkeeping, and searching a long list of its listeners more: some calls share one. */
const CALLS_PER_SIGNAL = 32;

/**
 * Emits the start and the end of each call, without discovery.
 * @param wantsProgress whether what servers report in between is emitted too: they are asked for it
 */
export function makeToolCallDispatcher(
  toolHost: ToolHost,
  maxToolCalls: number,
  emit?: Emit<RunEvent>,
  wantsProgress = false,
): ToolCallDispatcher {
  const records: CallRecord[] = [];
  const cancellations: AbortController[] = [];
  let questions = 0;
  let lastPrinted: PrintedReply | undefined;

  const signalOf = (number: number): AbortSignal => {
    const known = cancellations[Math.floor((number - 1) / CALLS_PER_SIGNAL)];
    if (known !== undefined) return known.signal;
    const added = new AbortController();
    setMaxListeners(0, added.signal);
    cancellations.push(added);
    return added.signal;
  };

  /** Notes the end of a call; `error` is absent where it went well. */
  const end = (record: CallRecord, number: number, error: string | undefined): void => {
    record.isOpen = false;
    record.entry.durationMs = elapsed(record.startedAt);
    record.entry.ok = error === undefined;
    if (error !== undefined) record.entry.error = error;
    emit?.({ type: "call-ended", entry: { ...record.entry }, number });
  };

  const ask = toolHost.callRaw ?? toolHost.call;
  const perform = (
    { serverId, toolName, inputJson, place }: ForeignCall,
    number: number | undefined,
    onAnswer: (answer: HostReply | PrintedReply) => void,
    signal: AbortSignal,
    onSign?: OnCallSign,
  ): void => {
    const input = parseForeignJson(inputJson);
    const call = input !== undefined && { serverId, toolName, input, number, place };
    const answer = call === false ? Promise.resolve(NO_JSON) : ask(call, signal, onSign);
    void answer.then(onAnswer, () => onAnswer(HOST_FAILED));
  };
  return {
    accept(call, reply) {
      if (isHostSubject(call.serverId)) {
        questions += 1;
        if (questions > MAX_QUESTIONS) return false;
        perform(call, undefined, (answer) => sendReply(answer, reply), new AbortController().signal);
        return true;
      }
      if (records.length >= maxToolCalls) return false;
      const serverId = call.serverId.slice(0, MAX_NAME);
      const toolName = call.toolName.slice(0, MAX_NAME);
      const entry: ToolTraceEntry = { serverId, toolName, durationMs: 0, ok: false };
      const record = { entry, startedAt: performance.now(), isOpen: true };
      const number = records.push(record);
      emit?.({ type: "call-started", serverId, toolName, number });
      const onAnswer = (answer: HostReply | PrintedReply): void => {
        if (!record.isOpen) return;
        if (answer.ok && answer.changed !== undefined) entry.changed = answer.changed.kind;
        end(record, number, answer.ok ? undefined : summaryOf(answer));
        if ("json" in answer) lastPrinted = answer;
        sendReply(answer, reply);
      };
      const onSign: OnCallSign = (sign) =>
        record.isOpen && emit?.({ type: "call-progress", serverId, toolName, number, sign });
      perform(call, number, onAnswer, signalOf(number), wantsProgress ? onSign : undefined);
      return true;
    },
    close() {
      for (const [index, record] of records.entries()) {
        if (record.isOpen) end(record, index + 1, ENDED);
      }
      for (const cancellation of cancellations) cancellation.abort(ENDED);
    },
    findParsed: (json) => (lastPrinted?.json.equals(json) === true ? lastPrinted.value?.() : undefined),
    waiting: () => records.filter(({ isOpen }) => isOpen).map(toWaitingCall),
    trace: () => records.map(({ entry }) => entry),
  };
}

function toWaitingCall({ entry: { serverId, toolName }, startedAt }: CallRecord): WaitingCall {
  return { serverId, toolName, waitedMs: elapsed(startedAt) };
}

/** In words of our own: the messages of errors can quote the call's input and output. */
const SUMMARIES: Record<ToolErrorClass, string> = {
  ApprovalRefusedError: "ApprovalRefusedError: no person has approved the call",
  AuthenticationError: "AuthenticationError: the server refused the credentials",
  SandboxLimitError: "SandboxLimitError: a limit was exceeded",
  SchemaValidationError: "SchemaValidationError: the input does not fit the schema of the tool",
  ServerNotFoundError: "ServerNotFoundError: the server is not available",
  ToolCallError: "ToolCallError: the tool reported an error",
  ToolNotFoundError: "ToolNotFoundError: the tool is not available",
};

function summaryOf({ error, isBroken }: HostReply & { ok: false }): string {
  return isBroken === true ? `${error.errorClass}: the connection to the server broke` : SUMMARIES[error.errorClass];
}

const NO_JSON: ToolReply = {
  ok: false,
  error: {
    errorClass: "SchemaValidationError",
    message: "The input of the call is not JSON, or nested too deeply",
    hint: "Call the tool by its binding, with a plain object.",
  },
};

const HOST_FAILED: ToolReply = {
  ok: false,
  error: { errorClass: "ToolCallError", message: "The host could not perform the call", hint: "Try again." },
};

function sendReply(reply: HostReply | PrintedReply, send: SendReply): void {
  if ("json" in reply) {
    const content = reply.content === undefined ? "" : `,"content":${JSON.stringify(reply.content)}`;
    const changed = reply.changed === undefined ? "" : `,"changed":${JSON.stringify(reply.changed)}`;
    send({ before: '{"ok":true,"value":', json: reply.json, after: `${content}${changed}}` }, reply.checkLater);
  } else send(toJson(reply.ok ? reply : { ok: false, error: reply.error }));
}

function toJson(reply: ToolReply): string {
  try {
    return JSON.stringify(reply);
  } catch {
    return JSON.stringify(HOST_FAILED);
  }
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

/** As the script gets it, and what only the trace says: of `isBroken`, that the tool has not answered because its connection broke. */
type HostReply = ToolReply & { isBroken?: boolean | undefined };

/** Checks and performs the calls of one run. It never throws: what goes wrong is a reply. */
export interface ToolHost {
  call(call: ToolCall, signal: AbortSignal, onSign?: OnCallSign): Promise<HostReply>;
  /** The same, but a large value may stay unparsed text, for callers that only pass it on. */
  callRaw?(call: ToolCall, signal: AbortSignal, onSign?: OnCallSign): Promise<HostReply | PrintedReply>;
}

/** A `ToolReply` whose value is JSON text in UTF-8: one object by its brackets, and otherwise what the server made of it. */
export interface PrintedReply {
  ok: true;
  json: Buffer;
  /** As in `ToolReply`. */
  content?: JsonValue[] | undefined;
  /** As in `ToolReply`. */
  changed?: CallChange | undefined;
  /** To be called when the reply is on its way: looks whether the value is what it should be. */
  checkLater: () => void;
  /** The value of the text, which may have been parsed already; undefined where it is no JSON, or nested too deep for code that walks it. */
  value?: () => JsonValue | undefined;
}
