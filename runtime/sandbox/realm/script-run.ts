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
  /** For a program without its own. */
  runtime: object | undefined;
  calls: ToolCalls;
  timers: Timers;
  send(header: string, body?: string): void;
  utf8Length(text: string): number;
  /** Gives the other parts what the header has for them, and the program its globals. */
  start(header: RunHeader, program: string): void;
}

const { apply } = Reflect;
const { freeze } = Object;
const NO_THIS = freeze({});

/**
 * Runs one script from start to end.
 *
 * The end is looked for after every turn, when all promises have had theirs (`settle`). A script whose top level has ended is
 * waited for while calls are in flight, and while short timers wait and no result is set: so `main()` without `await`
 * works as it does in Node. A script whose top level can never end, because nothing is left that could wake it, is ended.
 */
export function makeScriptRun(parts: Parts): ScriptRun {
  return new StartedScript(parts);
}

class StartedScript implements ScriptRun {
  readonly #parts: Parts;
  readonly #then = Promise.prototype.then;
  readonly #unhandled = new Map<unknown, unknown>();
  #state: "waiting" | "running" | "drained" | "ended" = "waiting";
  #maxResultBytes = 0;
  #error: ScriptError | undefined;
  /** Calls that the top level left behind. */
  #unawaited: string[] = [];
  /** Set when the result is a promise: then it is what the promise came to. */
  #awaitedResult: { isPending: boolean; value?: unknown } | undefined;
  #isTimerAwaited = false;
  #hasResult = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  warmUp(): void {
    const { body } = splitFrame(formatFrame({ type: "ready" }, '[{"warm":1}]'));
    this.#evaluate("(async function () { await undefined; }).call(undefined)");
    printResult(JSON.parse(body), body.length, this.#parts.utf8Length);
  }

  start(header: RunHeader, body: RunBody): void {
    const { compartment, calls, start } = this.#parts;
    this.#maxResultBytes = header.maxResultBytes;
    this.#state = "running";
    start(header, body.code);
    addGlobal(compartment, "__codemode_call__", calls.call, false);
    addGlobal(compartment, "__codemode_input__", body.input, false);
    addGlobal(compartment, "__codemode_run__", freeze({ key: body.key }), false);
    addGlobal(compartment, "__codemode_result__", undefined, true);
    try {
      const onError = (thrown: unknown): void => this.#fail("uncaught", thrown);
      void apply(this.#then, this.#execute(body), [() => this.#onTopLevelEnd(), onError]);
    } catch (thrown) {
      this.#fail(thrown instanceof SyntaxError ? "syntax" : "uncaught", thrown);
    }
  }

  uncaught(error: unknown): void {
    this.#fail("uncaught", error);
  }

  rejected(promise: unknown, reason: unknown): void {
    this.#unhandled.set(promise, reason);
  }

  handled(promise: unknown): void {
    this.#unhandled.delete(promise);
  }

  settle(): boolean {
    const { calls, timers } = this.#parts;
    if (this.#state === "waiting" || this.#state === "ended") return false;
    if (this.#error !== undefined) this.#endWithFailure(this.#error);
    else if (calls.count() > 0) return false;
    else if (this.#state === "drained" && this.#awaitedResult?.isPending !== true) return this.#settleResult();
    else if (timers.count() > 0) return false;
    else this.#endWithFailure(this.#unhandled.size > 0 ? undefined : NEVER_SETTLES);
    return false;
  }

  hasEnded(): boolean {
    return this.#state === "ended";
  }

  hasLeftNothing(): boolean {
    const { calls, timers } = this.#parts;
    const hasFailed = this.#error !== undefined || this.#unhandled.size > 0;
    return this.#hasResult && !hasFailed && timers.count() === 0 && calls.count() === 0;
  }

  /** Starts the program; the value is the promise of its end. */
  #execute({ code, takesRuntime = false }: RunBody): unknown {
    const value = this.#evaluate(code);
    if (!takesRuntime) return value;
    // Stacks say the same of a call with an object as of the text of a program.
    return apply(value as (runtime: unknown) => unknown, NO_THIS, [this.#parts.runtime]);
  }

  // By default SES refuses the text of a direct `eval(`; there is no `eval` here to call.
  #evaluate(code: string): unknown {
    return this.#parts.compartment.evaluate(code, { __rejectSomeDirectEvalExpressions__: false });
  }

  #fail(kind: FailureKind, thrown: unknown): void {
    this.#error ??= describeError(kind, thrown);
  }

  #onTopLevelEnd(): void {
    if (this.#state !== "running") return;
    this.#state = "drained";
    this.#unawaited = this.#parts.calls.inFlight();
  }

  #readResult(): unknown {
    return this.#awaitedResult === undefined
      ? this.#parts.compartment.globalThis["__codemode_result__"]
      : this.#awaitedResult.value;
  }

  #endWith(header: string, body?: string): void {
    this.#state = "ended";
    this.#parts.send(header, body);
  }

  #endWithFailure(first: ScriptError | undefined): void {
    const rejections = [...this.#unhandled.values()]
      .slice(0, MAX_LISTED - 1)
      .map((reason) => describeError("unhandled", reason));
    this.#endWith(formatFrame({ type: "failure", errors: first === undefined ? rejections : [first, ...rejections] }));
  }

  #endWithResult(): void {
    try {
      const { json, ...notes } = printResult(this.#readResult(), this.#maxResultBytes, this.#parts.utf8Length);
      const waitedFor = this.#isTimerAwaited ? [...this.#unawaited, "a timer"] : this.#unawaited;
      const listed = waitedFor.slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_NAME));
      this.#hasResult = true;
      this.#endWith(formatFrame({ type: "result", ...notes, unawaited: listed }), json);
    } catch (thrown) {
      this.#endWithFailure(
        describeError(thrown instanceof UnserializableResult ? "unserializable" : "uncaught", thrown),
      );
    }
  }

  /** A result that is a promise is awaited: its author forgot to. True asks for another look when its handlers have had their turn. */
  #settleResult(): boolean {
    const value = this.#readResult();
    if (value === undefined && this.#parts.timers.countShort() > 0) {
      this.#isTimerAwaited = true;
      return false;
    }
    if (this.#awaitedResult !== undefined || !isPromise(value)) {
      if (this.#unhandled.size > 0) this.#endWithFailure(undefined);
      else this.#endWithResult();
      return false;
    }
    this.#awaitedResult = { isPending: true };
    this.#unawaited.push("the result");
    const onValue = (settled: unknown): void => {
      this.#awaitedResult = { isPending: false, value: settled };
    };
    void apply(this.#then, value, [onValue, (reason: unknown) => this.#fail("uncaught", reason)]);
    return true;
  }
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
