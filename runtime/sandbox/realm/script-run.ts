import {
  formatFrame,
  MAX_LISTED,
  splitFrame,
  type FailureKind,
  type RunBody,
  type RunHeader,
  type ScriptError,
} from "../../../schemas/run/protocol.ts";
import { addGlobal } from "./compartment.ts";
import { describeError } from "./describe-error.ts";
import type { Timers } from "./endowments/timers.ts";
import { printResult, UnserializableResult } from "./serialize/print-result.ts";
import { shapeOf } from "./serialize/value-shape.ts";
import type { Compartment } from "./ses-globals.ts";
import type { ToolCalls } from "./tool-calls.ts";

const NEVER_SETTLES: ScriptError = { kind: "never-settles", name: "", message: "", stack: "", hint: "" };

/** The longest name of a call that is listed as not awaited. */
const MAX_NAME = 200;

export interface ScriptRun {
  /** Runs an empty program, so that everything that is created on first use exists before the script runs. */
  warmUp(): void;
  start(header: RunHeader, body: RunBody): void;
  uncaught(error: unknown): void;
  rejected(promise: unknown, reason: unknown): void;
  handled(promise: unknown): void;
  settle(): boolean;
  hasEnded(): boolean;
  /** Whether it has ended with its result, and nothing has come of it since: no rejection, no error, no timer and no call. */
  hasLeftNothing(): boolean;
}

interface Parts {
  compartment: Compartment;
  calls: ToolCalls;
  timers: Timers;
  send(header: string, body?: string): void;
  utf8Length(text: string): number;
  /** Gives the other parts what the header has for them, and the program its globals. */
  start(header: RunHeader, program: string): void;
}

/**
 * Runs one script from start to end.
 *
 * The end is looked for after every turn, when all promises have had theirs (`settle`). A script whose top level has ended is
 * waited for while calls are in flight, and while short timers wait and no result is set: so `main()` without `await`
 * works as it does in Node. A script whose top level can never end, because nothing is left that could wake it, is ended.
 */
export function makeScriptRun({ compartment, calls, timers, send, utf8Length, start: prepare }: Parts): ScriptRun {
  const { apply } = Reflect;
  const { freeze } = Object;
  const { then } = Promise.prototype;
  const unhandled = new Map<unknown, unknown>();
  const scope = compartment.globalThis;
  let state: "waiting" | "running" | "drained" | "ended" = "waiting";
  let maxResultBytes = 0;
  let error: ScriptError | undefined;
  /** Calls that the top level left behind. */
  let unawaited: string[] = [];
  /** Set when the result is a promise: then it is what the promise came to. */
  let awaitedResult: { isPending: boolean; value?: unknown } | undefined;
  let isTimerAwaited = false;
  let hasResult = false;

  // By default SES refuses the text of a direct `eval(`; there is no `eval` here to call.
  const evaluate = (code: string): unknown =>
    compartment.evaluate(code, { __rejectSomeDirectEvalExpressions__: false });
  const fail = (kind: FailureKind, thrown: unknown): void => {
    error ??= describeError(kind, thrown);
  };
  const onTopLevelEnd = (): void => {
    if (state !== "running") return;
    state = "drained";
    unawaited = calls.inFlight();
  };

  const readResult = (): unknown => (awaitedResult === undefined ? scope["__codemode_result__"] : awaitedResult.value);

  const endWith = (header: string, body?: string): void => {
    state = "ended";
    send(header, body);
  };
  const endWithFailure = (first: ScriptError | undefined): void => {
    const rejections = [...unhandled.values()]
      .slice(0, MAX_LISTED - 1)
      .map((reason) => describeError("unhandled", reason));
    endWith(formatFrame({ type: "failure", errors: first === undefined ? rejections : [first, ...rejections] }));
  };
  const endWithResult = (): void => {
    try {
      const { json, ...notes } = printResult(readResult(), maxResultBytes, utf8Length);
      const waitedFor = isTimerAwaited ? [...unawaited, "a timer"] : unawaited;
      const listed = waitedFor.slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_NAME));
      hasResult = true;
      endWith(formatFrame({ type: "result", ...notes, unawaited: listed }), json);
    } catch (thrown) {
      endWithFailure(describeError(thrown instanceof UnserializableResult ? "unserializable" : "uncaught", thrown));
    }
  };

  /** A result that is a promise is awaited: its author forgot to. True asks for another look when its handlers have had their turn. */
  const settleResult = (): boolean => {
    const value = readResult();
    if (value === undefined && timers.countShort() > 0) {
      isTimerAwaited = true;
      return false;
    }
    if (awaitedResult !== undefined || !isPromise(value)) {
      if (unhandled.size > 0) endWithFailure(undefined);
      else endWithResult();
      return false;
    }
    awaitedResult = { isPending: true };
    unawaited.push("the result");
    const onValue = (settled: unknown): void => {
      awaitedResult = { isPending: false, value: settled };
    };
    void apply(then, value, [onValue, (reason: unknown) => fail("uncaught", reason)]);
    return true;
  };

  return {
    warmUp() {
      const { body } = splitFrame(formatFrame({ type: "ready" }, '[{"warm":1}]'));
      evaluate("(async function () { await undefined; }).call(undefined)");
      printResult(JSON.parse(body), body.length, utf8Length);
    },
    start(header, body) {
      ({ maxResultBytes } = header);
      state = "running";
      prepare(header, body.code);
      addGlobal(compartment, "__codemode_call__", calls.call, false);
      addGlobal(compartment, "__codemode_input__", body.input, false);
      addGlobal(compartment, "__codemode_run__", freeze({ key: body.key }), false);
      addGlobal(compartment, "__codemode_result__", undefined, true);
      try {
        const completion = evaluate(body.code);
        void apply(then, completion, [onTopLevelEnd, (thrown: unknown) => fail("uncaught", thrown)]);
      } catch (thrown) {
        fail(thrown instanceof SyntaxError ? "syntax" : "uncaught", thrown);
      }
    },
    uncaught: (thrown) => fail("uncaught", thrown),
    rejected(promise, reason) {
      unhandled.set(promise, reason);
    },
    handled(promise) {
      unhandled.delete(promise);
    },
    settle() {
      if (state === "waiting" || state === "ended") return false;
      if (error !== undefined) endWithFailure(error);
      else if (calls.count() > 0) return false;
      else if (state === "drained" && awaitedResult?.isPending !== true) return settleResult();
      else if (timers.count() > 0) return false;
      else endWithFailure(unhandled.size > 0 ? undefined : NEVER_SETTLES);
      return false;
    },
    hasEnded: () => state === "ended",
    hasLeftNothing: () =>
      hasResult && error === undefined && unhandled.size === 0 && timers.count() === 0 && calls.count() === 0,
  };
}

/** True of the language's own promises, and not of objects that inherit from them. */
function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return (
      typeof value === "object" && value !== null && shapeOf(value) === "promise" && Promise.resolve(value) === value
    );
  } catch {
    return false;
  }
}
