import { setMaxListeners } from "node:events";
import type { ToolTraceEntry } from "../../../schemas/run/answer.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolErrorClass, ToolReply } from "../../../schemas/lock/tools.ts";
import { isHostSubject } from "./host-subjects.ts";
import type { Emit, OnCallSign, RunEvent } from "../../../schemas/run/events.ts";
import type { CallReply, HandleCall, PrintedReply } from "./handle-call.ts";
import type { FrameBody } from "./sandbox-engine.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
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
  handleCall: HandleCall,
  maxToolCalls: number,
  emit?: Emit<RunEvent>,
  wantsProgress = false,
): ToolCallDispatcher {
  const records: CallRecord[] = [];
  const { signalOf, cancel } = makeSignals();
  let position = 0;
  let questions = 0;
  let lastPrinted: PrintedReply | undefined;

  /** Notes the end of a call; `error` is absent where it went well. */
  const end = (record: CallRecord, number: number, error: string | undefined, reply?: CallReply): void => {
    record.isOpen = false;
    record.entry.durationMs = reply?.durationMs ?? elapsed(record.startedAt);
    record.entry.ok = error === undefined;
    if (error !== undefined) record.entry.error = error;
    const ended = { type: "call-ended", entry: { ...record.entry }, number } as const;
    emit?.(reply?.isReplayed === true ? { ...ended, isReplayed: true } : ended);
  };

  const perform = (
    { serverId, toolName, inputJson, place }: ForeignCall,
    number: number | undefined,
    onReply: (reply: CallReply) => void,
    signal: AbortSignal,
    onSign?: OnCallSign,
  ): void => {
    const input = parseForeignJson(inputJson);
    position += 1;
    const call = { serverId, toolName, input, number, place, position, inputJson, signal, onSign };
    void handleCall(call).then(onReply, () => onReply(HOST_FAILED));
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
      const onReply = (answer: CallReply): void => {
        if (!record.isOpen) return;
        if (answer.ok && answer.changed !== undefined) entry.changed = answer.changed.kind;
        end(record, number, answer.ok ? undefined : summaryOf(answer), answer);
        if ("json" in answer) lastPrinted = answer;
        sendReply(answer, reply);
      };
      const onSign: OnCallSign = (sign) =>
        record.isOpen && emit?.({ type: "call-progress", serverId, toolName, number, sign });
      perform(call, number, onReply, signalOf(number), wantsProgress ? onSign : undefined);
      return true;
    },
    close() {
      for (const [index, record] of records.entries()) {
        if (record.isOpen) end(record, index + 1, ENDED);
      }
      cancel();
    },
    findParsed: (json) => (lastPrinted?.json.equals(json) === true ? lastPrinted.readValue() : undefined),
    waiting: () => records.filter(({ isOpen }) => isOpen).map(toWaitingCall),
    trace: () => records.map(({ entry }) => entry),
  };
}

/** The signals of the calls of a run, by the numbers of the calls. */
function makeSignals() {
  const cancellations: AbortController[] = [];
  return {
    signalOf(number: number): AbortSignal {
      const known = cancellations[Math.floor((number - 1) / CALLS_PER_SIGNAL)];
      if (known !== undefined) return known.signal;
      const added = new AbortController();
      setMaxListeners(0, added.signal);
      cancellations.push(added);
      return added.signal;
    },
    cancel(): void {
      for (const cancellation of cancellations) cancellation.abort(ENDED);
    },
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

function summaryOf({ error, isBroken }: CallReply & { ok: false }): string {
  return isBroken === true ? `${error.errorClass}: the connection to the server broke` : SUMMARIES[error.errorClass];
}

const HOST_FAILED: ToolReply = {
  ok: false,
  error: { errorClass: "ToolCallError", message: "The host could not perform the call", hint: "Try again." },
};

function sendReply(reply: CallReply, send: SendReply): void {
  if ("json" in reply) {
    const content = reply.content === undefined ? "" : `,"content":${JSON.stringify(reply.content)}`;
    const changed = reply.changed === undefined ? "" : `,"changed":${JSON.stringify(reply.changed)}`;
    send({ before: '{"ok":true,"value":', json: reply.json, after: `${content}${changed}}` }, reply.checkLater);
  } else if (reply.ok) {
    const { value, content, changed } = reply;
    send(toJson({ ok: true, value, ...withoutUndefined({ content, changed }) }));
  } else send(toJson({ ok: false, error: reply.error }));
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
