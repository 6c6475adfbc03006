import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Diagnostic, DiagnosticCode } from "../../../schemas/run/answer.ts";
import type { RunLimits } from "../../../schemas/config/config-file.ts";
import type { RecordedEnding } from "../../../schemas/run/recording.ts";
import type { BigInts, FailureKind, ScriptError, Truncation } from "../../../schemas/run/protocol.ts";
import type { ToolErrorClass } from "../../../schemas/lock/tools.ts";
import type { Audience, AudienceHint } from "../../../schemas/audience.ts";
import type { WaitingCall } from "./tool-call-dispatcher.ts";
import { hintForError } from "./error-hints.ts";
import type { ScriptPositions } from "./script-positions.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Manifest } from "../../../schemas/run/bundle.ts";

/** What the ending of a run is described with. */
export interface EndingContext {
  limits: RunLimits;
  positions: ScriptPositions;
  /** The calls that had no answer when the run ended, the one that waited for longest first. */
  waiting: readonly WaitingCall[];
  audience: Audience;
  /** The tools of the manifest: one that has all of a large server needs memory for them. */
  tools: Manifest["tools"];
}

/** Says in the words of the answer how a run ended. Empty where it simply ended with its result. */
export function describeEnding(ending: Ending, context: EndingContext): Diagnostic[] {
  const { limits } = context;
  switch (ending.kind) {
    case "result":
      return [
        ...describeUnawaited(ending.unawaited),
        ...describeBigInts(ending.bigInts),
        ...describeTruncations(ending.truncations, limits),
      ];
    case "failure":
      return ending.errors.map((error) => describeError(error, context));
    case "limit":
      return [describeLimit(ending.limit, context)];
    case "host-memory":
      return [HOST_MEMORY];
    case "cancelled":
      return [CANCELLED];
    case "stopped":
      return []; // Its timekeeper says why.
    case "broken":
      return [
        {
          severity: "error",
          code: "SANDBOX_FAILURE",
          message: `The sandbox was ended because it broke its protocol: ${ending.reason}`,
          hint: "Run a simpler script; if it happens again, report it.",
        },
      ];
  }
}

const HOST_MEMORY: Diagnostic = {
  severity: "error",
  code: "HOST_MEMORY",
  message: "The system ended the sandbox because the machine had no memory left",
  hint: "The script did not cause this: run it again later, with fewer runs at a time.",
};

/** What is said of a run that was cancelled, also before it began. */
export const CANCELLED: Diagnostic = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled",
  hint: "The caller cancelled it: do not start it again unasked. What it had called by then is in the tool trace.",
};

/** Says that logs were cut; the log itself says so too. */
export function describeLogTruncation(limits: RunLimits): Diagnostic {
  return {
    severity: "warning",
    code: "SANDBOX_LIMIT",
    message: `The logs were truncated at maxLogBytes (${limits.maxLogBytes} bytes)`,
    hint: "Log counts and a few examples instead of whole data.",
    errorClass: "SandboxLimitError",
  };
}

const LIMIT_TEXTS: Record<keyof RunLimits, { message: (limit: number) => string; hint: string | AudienceHint }> = {
  timeoutMs: {
    message: (limit) => `The script did not end within timeoutMs (${limit} ms)`,
    hint: "Look for a loop that never ends; make independent calls at once with Promise.all.",
  },
  maxMemoryBytes: {
    message: (limit) => `The script used more memory than maxMemoryBytes (${limit} bytes)`,
    hint: {
      person:
        'Handle the data in parts, keep only what the result needs, or raise "limits.maxMemoryBytes" (--max-memory).',
      agent:
        'Handle the data in parts, and keep only what the result needs; a person can raise "limits.maxMemoryBytes".',
    },
  },
  maxToolCalls: {
    message: (limit) => `The script made more tool calls than maxToolCalls (${limit})`,
    hint: "Look for a loop that calls too often, or use a tool that handles many items at once.",
  },
  maxLogBytes: { message: (limit) => `The script logged more than maxLogBytes (${limit} bytes)`, hint: "Log less." },
  maxResultBytes: {
    message: (limit) => `The result is larger than maxResultBytes (${limit} bytes)`,
    hint: "Return less.",
  },
};

function describeLimit(
  limit: keyof RunLimits,
  { limits, waiting, audience, tools }: Pick<EndingContext, "limits" | "waiting" | "audience" | "tools">,
): Diagnostic {
  const { message, hint: usual } = LIMIT_TEXTS[limit];
  const hint = (limit === "maxMemoryBytes" ? hintForWholeServer(tools) : undefined) ?? usual;
  const [longest, ...others] = limit === "timeoutMs" ? waiting : [];
  return {
    severity: "error",
    code: "SANDBOX_LIMIT",
    message: message(limits[limit]) + (longest === undefined ? "" : describeWait(longest, others.length)),
    hint: longest !== undefined ? waitHint(longest)[audience] : typeof hint === "string" ? hint : hint[audience],
    errorClass: "SandboxLimitError",
  };
}

/** So many tools of one server are there only because a script imports it as a whole. */
const MANY_TOOLS = 100;

function hintForWholeServer(tools: Manifest["tools"]): string | undefined {
  const counts = new Map<string, number>();
  for (const { serverId } of tools) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
  const [largest] = [...counts].toSorted(([, left], [, right]) => right - left);
  if (largest === undefined || largest[1] < MANY_TOOLS) return undefined;
  const [serverId, count] = largest;
  return `The script loads ${count} tools of "${serverId}": import by name what it calls, as in \`import { … } from "@codemode/servers/${serverId}";\`, and list tools with \`listTools\` of "@codemode/discovery".`;
}

function describeWait({ serverId, toolName, waitedMs }: WaitingCall, others: number): string {
  const more = others === 0 ? "" : `, and for ${others} more ${others === 1 ? "call" : "calls"}`;
  return `: it was waiting ${(waitedMs / 1000).toFixed(1)} s for ${serverId}/${toolName}${more}`;
}

/** Two limits can end a call: the run's and its server's. */
function waitHint({ serverId }: WaitingCall): AudienceHint {
  const ofServer = `the server's own limit for a call is "timeoutMs" of "${serverId}" in "mcpServers"`;
  return {
    person: `Raise "limits.timeoutMs" (--timeout), or ask the tool for less at a time; ${ofServer}.`,
    agent: `Ask the tool for less at a time, or make independent calls at once with Promise.all; a person can raise "limits.timeoutMs", and ${ofServer}.`,
  };
}

const CODES: Record<FailureKind, DiagnosticCode> = {
  "never-settles": "SANDBOX_LIMIT",
  syntax: "SYNTAX_ERROR",
  uncaught: "UNCAUGHT_EXCEPTION",
  unhandled: "UNHANDLED_REJECTION",
  unserializable: "RESULT_UNSERIALIZABLE",
};

const ERROR_CLASSES: ReadonlySet<string> = new Set([
  "ApprovalRefusedError",
  "AuthenticationError",
  "SandboxLimitError",
  "SchemaValidationError",
  "ServerNotFoundError",
  "ToolCallError",
  "ToolNotFoundError",
] satisfies ToolErrorClass[]);

/** The classes of errors in which V8 names a variable. */
const ENGINE_ERRORS: ReadonlySet<string> = new Set(["ReferenceError", "TypeError"]);

/** What V8 says when the kernel refuses the memory for a buffer. */
const NO_BUFFER = "Array buffer allocation failed";

function describeError(error: ScriptError, context: EndingContext): Diagnostic {
  const { positions } = context;
  const { kind, name, message, stack, hint } = error;
  const path = positions.pathOf(stack);
  const place = path === undefined ? {} : { path };
  if (kind === "never-settles") {
    return {
      severity: "error",
      code: CODES[kind],
      message: "The script waits for a promise that nothing can settle: no tool call is in flight and no timer is set",
      hint: "Look for a `new Promise` whose resolve is never called.",
      errorClass: "SandboxLimitError",
    };
  }
  if (name === "RangeError" && message.startsWith(NO_BUFFER))
    return { ...describeLimit("maxMemoryBytes", context), ...place };
  const isNamed = name !== "" && kind !== "unserializable";
  const shown = ENGINE_ERRORS.has(name) ? positions.showAuthorName(message, stack) : message;
  return {
    severity: "error",
    code: CODES[kind],
    message: positions.translate(isNamed ? `${name}: ${shown}` : shown),
    hint:
      hint !== ""
        ? hint
        : kind === "unhandled"
          ? UNHANDLED_HINT
          : hintForError(name, message, { line: positions.lineOf(stack), packageName: positions.packageOf(stack) }),
    ...place,
    ...withoutUndefined({ errorClass: ERROR_CLASSES.has(name) ? name : undefined }),
  };
}

const UNHANDLED_HINT = "Await the promise inside try and catch, or add .catch to it.";

function describeUnawaited(unawaited: readonly string[]): Diagnostic[] {
  if (unawaited.length === 0) return [];
  return [
    {
      severity: "warning",
      code: "MISSING_AWAIT",
      message: `The top level of the script ended before these, which were then awaited: ${unawaited.join(", ")}`,
      hint: "Write `await` before every tool call, and before the function that makes it.",
    },
  ];
}

function describeBigInts(bigInts: BigInts | undefined): Diagnostic[] {
  const [first] = bigInts?.pointers ?? [];
  if (bigInts === undefined || first === undefined) return [];
  const { pointers, total } = bigInts;
  const places = pointers.map((pointer) => (pointer === "" ? "the result" : pointer)).join(", ");
  const others = total > pointers.length ? ` and ${total - pointers.length} more` : "";
  return [
    {
      severity: "warning",
      code: "RESULT_UNSERIALIZABLE",
      message: `JSON has no BigInt: it was sent as a string at ${places}${others}`,
      hint: "Write String(value), or Number(value) where it is below 2 ** 53, to say which is meant.",
      ...withoutUndefined({ path: first === "" ? undefined : first }),
    },
  ];
}

function describeTruncations(truncations: readonly Truncation[], limits: RunLimits): Diagnostic[] {
  if (truncations.length === 0) return [];
  const places = truncations.map(
    ({ pointer, unit, kept, total }) => `${pointer === "" ? "the result" : pointer}: ${kept} of ${total} ${unit}`,
  );
  return [
    {
      severity: "warning",
      code: "RESULT_TRUNCATED",
      message: `The result was larger than maxResultBytes (${limits.maxResultBytes} bytes); kept of ${places.join("; ")}`,
      hint: "Filter, count or pick fields inside the script, and return that.",
      ...withoutUndefined({
        path: truncations[0]?.pointer === "" ? undefined : truncations[0]?.pointer,
      }),
      errorClass: "SandboxLimitError",
    },
  ];
}

/** How a run came to its end. */
export type Ending =
  | { kind: "result"; value: JsonValue; truncations: Truncation[]; bigInts?: BigInts | undefined; unawaited: string[] }
  | { kind: "failure"; errors: ScriptError[] }
  | { kind: "limit"; limit: keyof RunLimits }
  | { kind: "broken"; reason: string }
  /** The kernel took the process because the machine, or its container, had no memory left. */
  | { kind: "host-memory" }
  | { kind: "cancelled" }
  /** A replay came to something else than was recorded, which the one who replays can describe. */
  | { kind: "stopped" };

/** The ending as a recording names it. */
export function toRecordedEnding(ending: Ending): RecordedEnding {
  if (ending.kind === "limit") return ending.limit;
  return ending.kind === "stopped" || ending.kind === "host-memory" ? "broken" : ending.kind;
}
