import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import type { OnCallSign } from "../../../schemas/run/tool-call-event.ts";

/** As the script gets it, and what only the trace says: of `isBroken`, that the tool has not answered because its connection broke. */
export type HostReply = ToolReply & { isBroken?: boolean | undefined };

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
  /** To be called when the reply is on its way: looks whether the value is what it should be. */
  checkLater: () => void;
  /** The value of the text, which may have been parsed already; undefined where it is no JSON, or nested too deep for code that walks it. */
  value?: () => JsonValue | undefined;
}
