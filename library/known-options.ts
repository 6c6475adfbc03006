import { nearestName } from "@codemode/runtime/nearest-name";
import { describeOutOfRange, type NumberName, NUMBERS } from "../schemas/numbers.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { CallDecision } from "../schemas/run/approval.ts";
import type { OnUnstartable } from "../runtime/host/admit-start.ts";
import type { DriftPolicy, Isolation, RunLimits, TypecheckMode } from "../schemas/config/config-file.ts";
import { say } from "./tool-rules.ts";
import type { RecordRequest } from "../engine/run/record-extra.ts";
import type {
  CallToolOptions,
  CheckOptions,
  DryRunRequest,
  DurableSettings,
  ToolCallOptions,
  EngineOptions,
  RunOptions,
} from "./engine-options.ts";
import type { DescribedTool, ResumeOptions, UndoOptions, Engine, EngineRuns } from "./engine.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import type { PrepareOptions, Project, ProjectOptions, WorkOptions } from "./project.ts";

/** A name, and where a wrong value would be a restriction that is none, what it has to be: the letters of the kinds of values in `KINDS`. */
type Kind = 0 | "b" | "f" | "fs" | "t" | "s" | readonly string[];
type Names<Options> = Record<keyof Options, Kind>;
type EveryKey<Union> = Union extends unknown ? keyof Union : never;
/** The options of a method: the place of their object among its arguments, and their names. */
type Taken = readonly [place: number, names: { readonly [name: string]: Kind }];

/** What an option of each kind is, in words. */
const KINDS: Record<"b" | "f" | "t", readonly [type: string, words: string]> = {
  b: ["boolean", "It is true or false."],
  f: ["function", "It is a function."],
  t: ["string", "It is a text."],
};

const WORK = { servers: 0, signal: "s", onProgress: 0 } satisfies Names<WorkOptions>;
const CALL_TOOL = { context: 0, signal: "s", approve: "f" } satisfies Names<CallToolOptions>;
const TOOL_CALL = { ...CALL_TOOL, key: 0, limits: 0, onCall: "f", onLog: "f" } satisfies Names<ToolCallOptions>;
const ENGINE = {
  drift: ["review", "warn", "refuse", "refresh"] satisfies DriftPolicy[],
  frozen: "b",
  refuseBy: ["server", "tool"] satisfies EngineOptions["refuseBy"][],
  typecheck: ["off", "on-error", "warn", "error"] satisfies TypecheckMode[],
  isolation: ["process", "realm", "compartment"] satisfies Isolation[],
  onUnstartable: ["throw", "ask", "report"] satisfies OnUnstartable[],
  ...{ approve: "f", ask: "f", client: "t", concurrency: 0, reuse: 0, observers: "fs", script: 0, callsOnly: "b" },
  ...{ limits: 0, origin: 0, approvalBy: 0, userOf: "f", onNote: "f", showProgress: "f", signal: "s" },
} satisfies Names<EngineOptions>;
const RUN = {
  ...{
    input: 0,
    key: 0,
    context: 0,
    approve: "f",
    limits: 0,
    signal: "s",
    onLog: "f",
    onCall: "f",
    dryRun: 0,
    record: 0,
    durable: 0,
    onEvent: "f",
  },
} satisfies Names<RunOptions>;
const RESUME = {
  suspendAfterMs: 0,
  waitMs: 0,
  mayMove: "f",
  mayChange: "f",
  onLog: "f",
  context: 0,
} satisfies Names<ResumeOptions>;
const DECISION = { verdict: 0, forRun: "b", reason: 0, input: 0, result: 0, by: 0 } satisfies Record<
  EveryKey<CallDecision>,
  Kind
>;

/** Every method of the library that takes options. The compiler holds each list to its interface, and a test holds all of them to the declarations. */
const METHODS = {
  project: {
    lock: [0, { ...WORK, check: "b" }],
    repair: [0, { signal: "s", onProgress: 0 }],
    diff: [0, WORK],
    generate: [0, { ...WORK, check: "b", out: 0 }],
    check: [1, { onNote: "f" }],
    bundle: [1, { frozen: "b", signal: "s", onNote: "f", showProgress: "f" } satisfies Names<PrepareOptions>],
    openEngine: [0, ENGINE],
  } satisfies { [Method in keyof Project]?: Taken },
  engine: {
    run: [1, RUN],
    callTool: [2, CALL_TOOL],
    tryTool: [2, CALL_TOOL],
    check: [1, { context: 0 } satisfies Names<CheckOptions>],
    connectTo: [1, { context: "f" }],
    close: [0, { graceMs: 0 }],
  } satisfies { [Method in keyof Engine]?: Taken },
  tool: { call: [1, TOOL_CALL] } satisfies { [Method in keyof DescribedTool]?: Taken },
  runs: {
    resume: [1, RESUME],
    retry: [1, RESUME],
    undo: [1, { context: 0, partial: "b", repeat: "b" } satisfies Names<UndoOptions>],
    watch: [0, { suspendAfterMs: 0, onFailure: "f" }],
    answer: [1, DECISION],
    decide: [2, DECISION],
  } satisfies { [Method in keyof EngineRuns]?: Taken },
};

/** Options that are objects of their own. */
const INNER: { readonly [name: string]: { readonly [name: string]: Kind } } = {
  limits: {
    ...{ timeoutMs: 0, maxMemoryBytes: 0, maxLogBytes: 0, maxToolCalls: 0, maxResultBytes: 0 },
  } satisfies Names<RunLimits>,
  durable: {
    ...{
      suspendAfterMs: 0,
      waitMs: 0,
      from: 0,
      undo: 0,
      mayLeave: "f",
      mayMove: "f",
      mayChange: "f",
      onBegun: "f",
      onSuspended: "f",
    },
  } satisfies Names<DurableSettings>,
  dryRun: { onSkipped: "f" } satisfies Names<DryRunRequest>,
  record: { redact: 0, onRecorded: "f" } satisfies Names<RecordRequest>,
};

const PROJECT = { cwd: 0, config: 0, env: 0, trust: "b", servers: 0, signal: "s" } satisfies Names<ProjectOptions>;

const { script: _, callsOnly: __, ...OF_ENGINE } = ENGINE;
const CODE_MODE = {
  ...OF_ENGINE,
  ...{
    project: "t",
    trust: "b",
    env: 0,
    policy: 0,
    toolName: "t",
    description: "t",
    lock: "t",
    hideErrors: "f",
    runs: 0,
  },
} satisfies Names<CodeModeOptions>;

/** @throws CodemodeError (`INVALID_OPTION`) for an option of `codeMode` that does not exist */
export function assertCodeModeOptions(options: unknown): void {
  assertOptions("codeMode", options, CODE_MODE);
}

/** @throws CodemodeError (`INVALID_OPTION`) for an option of `openProject` that does not exist */
export function assertProjectOptions(options: unknown): void {
  assertOptions("openProject", options, PROJECT);
}

/**
 * The same object, whose methods check what a program passes that no compiler has seen: a misspelt option would be left out without a word, and
 * `lock({ chekc: true })` would write.
 * @throws CodemodeError (`INVALID_OPTION`) from its methods: for an option that does not exist, and for a number out of its range
 */
export function withCheckedOptions<Methods extends object>(kind: keyof typeof METHODS, methods: Methods): Methods {
  const checked = Object.entries<Taken>(METHODS[kind]).map(([name, [place, names]]) => {
    const method = Reflect.get(methods, name) as (...given: unknown[]) => unknown;
    const call = (...given: unknown[]): unknown => {
      try {
        assertOptions(name, given[place], names);
      } catch (error) {
        // The one method that waits for nothing.
        if (name === "watch") throw error;
        return Promise.reject(error);
      }
      return method.apply(methods, given);
    };
    return [name, { value: call, enumerable: true }];
  });
  return Object.defineProperties(methods, Object.fromEntries(checked) as PropertyDescriptorMap);
}

function assertOptions(place: string, options: unknown, names: { readonly [name: string]: Kind }): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw optionInvalid(place, "its options are an object", `Write \`${place}({ … })\`.`);
  const known = Object.keys(names);
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw unknownOption(place, name, known);
    if (value === undefined) continue;
    const wanted = describeWanted(names[name] ?? 0, value);
    if (wanted !== undefined) throw optionInvalid(place, `\`${name}\` is ${say(value)}`, wanted);
    const inner = INNER[name];
    if (inner !== undefined && !(name === "durable" && typeof value === "boolean")) assertOptions(name, value, inner);
    const problem = Object.hasOwn(NUMBERS, name) ? describeOutOfRange(name as NumberName, value) : undefined;
    if (problem !== undefined) throw optionInvalid(place, `\`${name}\` is ${say(value)}: ${problem}`);
  }
}

/** What a value has to be; undefined where it is that. */
function describeWanted(kind: Kind, value: unknown): string | undefined {
  if (kind === 0) return undefined;
  if (kind === "s") return "aborted" in (Object(value) as object) ? undefined : "It is an `AbortSignal`.";
  if (typeof kind !== "string") return kind.includes(value as string) ? undefined : `It is one of ${kind.join(", ")}.`;
  if (kind === "fs") return isListOfFunctions(value) ? undefined : "It is a list of functions: `[(event) => { … }]`.";
  const [type, words] = KINDS[kind];
  return typeof value === type ? undefined : words;
}

function isListOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "function");
}

function unknownOption(place: string, name: string, known: readonly string[]): Error {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Known: ${known.join(", ")}.` : `Did you mean \`${nearest}\`?`;
  return optionInvalid(place, `there is no option \`${name}\``, hint);
}
