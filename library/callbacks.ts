import { oneLine } from "../schemas/json/escape-invisible.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { Diagnostic } from "../schemas/run/answer.ts";
import type { Approve } from "../schemas/run/approval.ts";
import { callBack, makeEmit, type OnCallbackFailed } from "../schemas/run/call-back.ts";
import type { Emit, RunEvent } from "../schemas/run/events.ts";
import { toToolCallEvent } from "../schemas/run/tool-call-event.ts";
import type { AskApproval, EngineOptions, RunOptions } from "./engine-options.ts";

/** What the callbacks of one run, or of one engine, have failed with: each is reported once. */
export interface CallbackReport {
  onFailed: OnCallbackFailed;
  /** For the answer of the run. */
  findings(): Diagnostic[];
}

/** @param note `onNote` of the engine, which never throws */
export function makeCallbackReport(note: (line: string) => void): CallbackReport {
  const found = new Map<string, Diagnostic>();
  return {
    onFailed(name, error) {
      if (found.has(name)) return;
      const message = `\`${name}\` of the program has failed: ${describe(error)}`;
      const hint = HINTS[name] ?? "The run goes on, and it is not called again for this run.";
      found.set(name, { severity: "warning", code: "LISTENER_FAILED", message, hint });
      note(`${message} ${hint}`);
    },
    findings: () => [...found.values()],
  };
}

/** What becomes of the run where a function that decides something has failed. */
const HINTS: { readonly [name: string]: string } = {
  approve: "Nothing is approved by it: the call or the script is refused.",
  ask: "The question of the server is declined.",
  enabled: "The tool does not exist for this context.",
  needsApproval: "The call needs an approval.",
  mayLeave: "The run does not begin.",
  mayMove: "The run does not go on.",
  mayChange: "The run does not go on.",
  context: "The request gets no answer.",
  onFailure: "Durable runs go on.",
};

/** The first line of an error, which may be any value. */
function describe(error: unknown): string {
  const message = error instanceof Error && error.message !== "" ? error.message : String(error);
  return oneLine(message.split("\n")[0] as string).replace(/[.!?]?$/, ".");
}

/** What listens to a run. `onLog`, `onCall` and `onSkipped` get a copy: what they change is changed for no other. */
export function toEmit(
  { onEvent, onLog, onCall, dryRun }: Pick<RunOptions, "onEvent" | "onLog" | "onCall" | "dryRun">,
  { onFailed }: CallbackReport,
): Emit<RunEvent> | undefined {
  const { onSkipped } = dryRun ?? {};
  return makeEmit<RunEvent>(
    [
      ["onEvent", onEvent],
      [
        "onSkipped",
        onSkipped && ((event) => (event.type === "call-skipped" ? onSkipped({ ...event.call }) : undefined)),
      ],
      ["onLog", onLog && ((event) => (event.type === "log" ? onLog({ ...event.entry }) : undefined))],
      [
        "onCall",
        onCall &&
          ((event) => {
            const call = toToolCallEvent(event);
            return call && onCall(call);
          }),
      ],
    ],
    onFailed,
  );
}

/** The same options, whose functions fail without an effect on the run. */
export function holdCallbacks<Options extends Partial<Pick<RunOptions, "record" | "durable">>>(
  options: Options,
  { onFailed }: CallbackReport,
): Options {
  const hold = (given: unknown): unknown => {
    if (typeof given !== "object" || given === null) return given;
    const held = Object.entries(given).map(([name, member]) => {
      if (typeof member !== "function") return [name, member];
      const otherwise = name.startsWith("may") ? false : undefined;
      return [
        name,
        (...args: unknown[]) => callBack(name, () => member.apply(given, args) as unknown, otherwise, onFailed),
      ];
    });
    return Object.fromEntries(held);
  };
  const { record, durable } = options;
  return { ...options, ...withoutUndefined({ record: hold(record), durable: hold(durable) }) };
}

/** `ask` of the program, whose failure is reported. */
export function holdAsk(ask: EngineOptions["ask"], { onFailed }: CallbackReport): EngineOptions["ask"] {
  if (ask === undefined) return undefined;
  const unavailable = { action: "unavailable" } as const;
  return async (question, signal) => {
    const reply = await callBack("ask", () => ask(question, signal), unavailable, onFailed);
    const { action } = Object(reply) as { action?: unknown };
    if (ACTIONS.includes(action as string)) return reply;
    onFailed("ask", new TypeError(`it gives ${JSON.stringify(reply) ?? String(reply)}, which has no known \`action\``));
    return unavailable;
  };
}

/** Asks the program, and tells it for whom. Only an answer that is known decides. */
export function approverFor(
  approve: AskApproval | undefined,
  of: { context?: unknown; run?: { key: string } },
  { onFailed }: CallbackReport,
): Approve {
  if (approve === undefined) return async () => "unavailable";
  return async (request) => {
    // What waits beside it is counted when it is read.
    const shown = Object.defineProperties({ ...of }, Object.getOwnPropertyDescriptors(request));
    const answer = await callBack("approve", () => approve(shown as typeof request), "unavailable" as const, onFailed);
    if (typeof answer === "boolean") return answer ? "granted" : "refused";
    const verdict = typeof answer === "object" ? (answer as { verdict?: unknown } | null)?.verdict : answer;
    if (VERDICTS.includes(verdict as string)) return answer;
    onFailed(
      "approve",
      new TypeError(`it gives ${JSON.stringify(answer) ?? String(answer)}, which is neither true nor false`),
    );
    return "unavailable";
  };
}

const ACTIONS: readonly string[] = ["accept", "decline", "cancel", "unavailable"];
const VERDICTS: readonly string[] = [
  ...["granted", "refused", "closed", "unavailable", "reserved", "waiting", "changed", "answered"],
];
