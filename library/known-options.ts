import { nearestName } from "@codemode/runtime/nearest-name";
import { describeOutOfRange, type NumberName, NUMBERS } from "../schemas/numbers.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { CallDecision } from "../schemas/run/approval.ts";
import type { RunLimits } from "../schemas/run/answer.ts";
import type { RecordRequest } from "../engine/run/record-extra.ts";
import type { DryRunRequest } from "../schemas/run/tool-call-event.ts";
import type {
  CallToolOptions,
  DescribedTool,
  DurableSettings,
  ResumeOptions,
  ToolCallOptions,
  UndoOptions,
  Engine,
  EngineOptions,
  EngineRuns,
  RunOptions,
} from "./engine.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import type { PrepareOptions, Project, ProjectOptions, WorkOptions } from "./project.ts";

type Names<Options> = Record<keyof Options, 0>;
type EveryKey<Union> = Union extends unknown ? keyof Union : never;
/** The options of a method: the place of their object among its arguments, and their names. */
type Taken = readonly [place: number, names: { readonly [name: string]: 0 }];

const WORK = { servers: 0, signal: 0, onProgress: 0 } satisfies Names<WorkOptions>;
const CALL_TOOL = { context: 0, signal: 0, approve: 0 } satisfies Names<CallToolOptions>;
const TOOL_CALL = { ...CALL_TOOL, key: 0, limits: 0, onCall: 0, onLog: 0 } satisfies Names<ToolCallOptions>;
const ENGINE = {
  ...{ drift: 0, frozen: 0, refuseBy: 0, approve: 0, ask: 0, client: 0, typecheck: 0, concurrency: 0, isolation: 0 },
  ...{ reuse: 0, observers: 0, script: 0, callsOnly: 0, limits: 0, onUnstartable: 0, origin: 0, consentBy: 0 },
  ...{ onNote: 0, showProgress: 0, signal: 0 },
} satisfies Names<EngineOptions>;
const RUN = {
  ...{
    input: 0,
    key: 0,
    context: 0,
    approve: 0,
    limits: 0,
    signal: 0,
    onLog: 0,
    onCall: 0,
    dryRun: 0,
    record: 0,
    durable: 0,
    observation: 0,
  },
} satisfies Names<RunOptions>;
const RESUME = {
  suspendAfterMs: 0,
  waitMs: 0,
  mayMove: 0,
  mayChange: 0,
  onLog: 0,
  context: 0,
} satisfies Names<ResumeOptions>;
const DECISION = { verdict: 0, forRun: 0, reason: 0, input: 0, result: 0, by: 0 } satisfies Record<
  EveryKey<CallDecision>,
  0
>;

/** Every method of the library that takes options. The compiler holds each list to its interface, and a test holds all of them to the declarations. */
const METHODS = {
  project: {
    lock: [0, { ...WORK, check: 0 }],
    repair: [0, { signal: 0, onProgress: 0 }],
    diff: [0, WORK],
    generate: [0, { ...WORK, check: 0, out: 0 }],
    check: [1, { onNote: 0 }],
    bundle: [1, { frozen: 0, signal: 0, onNote: 0, showProgress: 0 } satisfies Names<PrepareOptions>],
    openEngine: [0, ENGINE],
  } satisfies { [Method in keyof Project]?: Taken },
  engine: {
    run: [1, RUN],
    callTool: [2, CALL_TOOL],
    tryTool: [2, CALL_TOOL],
    connectTo: [1, { context: 0 }],
    close: [0, { graceMs: 0 }],
  } satisfies { [Method in keyof Engine]?: Taken },
  tool: { call: [1, TOOL_CALL] } satisfies { [Method in keyof DescribedTool]?: Taken },
  runs: {
    resume: [1, RESUME],
    retry: [1, RESUME],
    undo: [1, { context: 0, partial: 0, repeat: 0 } satisfies Names<UndoOptions>],
    watch: [0, { suspendAfterMs: 0, onFailure: 0 }],
    answer: [1, DECISION],
    decide: [2, DECISION],
  } satisfies { [Method in keyof EngineRuns]?: Taken },
};

/** Options that are objects of their own. */
const INNER: { readonly [name: string]: { readonly [name: string]: 0 } } = {
  limits: {
    ...{ timeoutMs: 0, maxMemoryBytes: 0, maxLogBytes: 0, maxToolCalls: 0, maxResultBytes: 0 },
  } satisfies Names<RunLimits>,
  durable: {
    ...{
      suspendAfterMs: 0,
      waitMs: 0,
      from: 0,
      undo: 0,
      mayLeave: 0,
      mayMove: 0,
      mayChange: 0,
      onBegun: 0,
      onSuspended: 0,
    },
  } satisfies Names<DurableSettings>,
  dryRun: { onSkipped: 0 } satisfies Names<DryRunRequest>,
  record: { redact: 0, onRecorded: 0 } satisfies Names<RecordRequest>,
};

const PROJECT = { cwd: 0, config: 0, env: 0, trust: 0, servers: 0, signal: 0 } satisfies Names<ProjectOptions>;

const { script: _, callsOnly: __, ...OF_ENGINE } = ENGINE;
const CODE_MODE = {
  ...OF_ENGINE,
  ...{ project: 0, trust: 0, env: 0, policy: 0, toolName: 0, description: 0, lock: 0, hideErrors: 0, runs: 0 },
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

function assertOptions(place: string, options: unknown, names: { readonly [name: string]: 0 }): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw optionInvalid(place, "its options are an object", `Write \`${place}({ … })\`.`);
  const known = Object.keys(names);
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw unknownOption(place, name, known);
    if (value === undefined) continue;
    const inner = INNER[name];
    if (inner !== undefined && typeof value !== "boolean") assertOptions(name, value, inner);
    const problem = Object.hasOwn(NUMBERS, name) ? describeOutOfRange(name as NumberName, value) : undefined;
    if (problem !== undefined) throw optionInvalid(place, `\`${name}\` is ${say(value)}: ${problem}`);
  }
}

function unknownOption(place: string, name: string, known: readonly string[]): Error {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Known: ${known.join(", ")}.` : `Did you mean \`${nearest}\`?`;
  return optionInvalid(place, `there is no option \`${name}\``, hint);
}

function say(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? typeof value).slice(0, 40);
}
