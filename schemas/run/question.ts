import type { JsonObject } from "../json/json.ts";

/**
 * What a person is asked in the middle of a call. All texts are the server's, cleaned: they hold no invisible character, no control
 * character and no line break.
 */
export type ServerQuestion = QuestionOrigin &
  (
    | { mode: "form"; fields: readonly QuestionField[] }
    /** To be opened by the person, and by nothing else. */
    | { mode: "url"; url: string; host: string }
  );

interface QuestionOrigin {
  serverId: string;
  /** The server's text, line by line. */
  lines: readonly string[];
  /** Set where codemode asks, about the server: the lines are its own, and quote what is the server's. */
  isOwn?: true;
}

/** One value that the server wants. */
export type QuestionField = {
  /** The key of the answer, as the server wrote it: letters, digits and plain signs. */
  name: string;
  title?: string;
  description?: string;
  isRequired: boolean;
} & FieldKind;

export type FieldKind =
  | {
      kind: "text";
      minLength?: number;
      maxLength?: number;
      format?: "email" | "uri" | "date" | "date-time";
      preset?: string;
    }
  | { kind: "number" | "integer"; minimum?: number; maximum?: number; preset?: number }
  | { kind: "boolean"; preset?: boolean }
  | { kind: "choice"; choices: readonly Choice[]; preset?: string }
  | { kind: "choices"; choices: readonly Choice[]; minItems?: number; maxItems?: number; preset?: readonly string[] };

export interface Choice {
  value: string;
  title: string;
}

/** What a person says to a question; `unavailable` where there is none to ask, or nothing to ask with. */
export type PersonsReply =
  { action: "accept"; content?: JsonObject } | { action: "decline" } | { action: "cancel" } | { action: "unavailable" };

/**
 * How a question ended. `declined` and `closed` by the person; all others by codemode, which declines them: `unavailable` there was none to ask,
 * `reserved` the caller's client may not answer (`mayApprove` of an `Access`), `limit` the run has asked too often, `late` the call has ended
 * meanwhile, `malformed` it is none that MCP allows, `unfit` the answer does not fit it.
 */
export type QuestionOutcome =
  "accepted" | "declined" | "closed" | "unavailable" | "reserved" | "limit" | "late" | "malformed" | "unfit";
