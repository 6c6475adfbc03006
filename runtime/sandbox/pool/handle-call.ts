import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import type { ApprovalRequest, Approve } from "../../../schemas/run/approval.ts";
import type { OnCallSign } from "../../../schemas/run/events.ts";

/** A call as the script has made it. */
export interface Call extends Omit<ToolCall, "input"> {
  /** Counts all that the script asks the host, from 1; `number` counts the calls of tools alone. */
  position: number;
  inputJson: string;
  /** Undefined where the text is no JSON, or nested too deep. */
  input: JsonValue | undefined;
  /** Aborted when the run has ended. */
  signal: AbortSignal;
  /** Receives what a server reports while it works; absent where that is of no interest. */
  onSign?: OnCallSign | undefined;
}

/** What the script gets of a call, and what its trace says beside it. */
export type CallReply = ValueReply | PrintedReply;

export type ValueReply = (ToolReply & { isBroken?: boolean | undefined }) & Replayed;

/** A `ToolReply` whose value stays JSON text in UTF-8: one object by its brackets, and otherwise what the server made of it. */
export interface PrintedReply extends Omit<ToolReply & { ok: true }, "value">, Replayed {
  json: Buffer;
  /** To be called when the reply is on its way: looks whether the value is what it should be. */
  checkLater: () => void;
  /** The value of the text, which may have been parsed already; undefined where it is no JSON, or nested too deep for code that walks it. */
  readValue: () => JsonValue | undefined;
}

/** A reply of an earlier attempt of the run says so, and how long it took then, in milliseconds. */
interface Replayed {
  durationMs?: number | undefined;
  isReplayed?: true | undefined;
}

/** What is known of a call beside the call itself, by what goes around it: a durable run, a dry run. */
export interface Known {
  /** A result in the place of asking and sending, once the call has passed every check. `asks`: a person would be asked. */
  instead?(tool: LockedTool, call: ToolCall, asks: true | undefined): JsonObject | undefined;
  /** Whether a person has allowed it with an earlier call of its tool. Takes the place of the memory of the run. */
  isGranted?(): boolean;
  /** The digests of the questions about it that a person has answered: those answers hold, also where the policy does not ask any more. */
  answered?(): readonly string[];
  /** Puts a question about it to a person; the channel is absent where there is none. Unless given, the channel gets the question. */
  ask?(asked: ApprovalRequest, channel: Approve | undefined): ReturnType<Approve>;
  /** Waited for before the request goes out; what it returns is called in the turn of the request, and throws where that must not go out any more. */
  beforeSend?(input: JsonObject): Promise<void | (() => void)>;
}

/** Checks and performs a call of a run. It is called in the order of the calls, and never throws: what goes wrong is a reply. */
export type HandleCall = (call: Call, known?: Known) => Promise<CallReply>;

/** A call whose input is JSON. */
export type ReadCall = Call & { input: JsonValue };

/** Refuses each call whose input is no JSON, and hands on the others. */
export function handleRead(handle: (call: ReadCall, known?: Known) => Promise<CallReply>): HandleCall {
  return (call, known) => (isRead(call) ? handle(call, known) : Promise.resolve(NO_JSON));
}

function isRead(call: Call): call is ReadCall {
  return call.input !== undefined;
}

const NO_JSON: ToolReply = {
  ok: false,
  error: {
    errorClass: "SchemaValidationError",
    message: "The input of the call is not JSON, or nested too deeply",
    hint: "Call the tool by its binding, with a plain object.",
  },
};
