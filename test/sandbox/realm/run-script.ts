import type { LogEntry, RunAnswer } from "../../../schemas/run/answer.ts";
import { DEFAULTS, type RunLimits } from "../../../schemas/config/config-file.ts";
import { BUNDLE_URL, type Bundle } from "../../../schemas/run/bundle.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import { makeRecorder } from "../../../extras/record/recorder.ts";
import type { SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { handleRead } from "../../../runtime/sandbox/pool/handle-call.ts";
import { runBundle } from "../../../runtime/sandbox/pool/run-bundle.ts";

export interface ScriptOptions {
  pool: SandboxPool;
  limits?: Partial<RunLimits>;
  input?: JsonValue;
  onLog?: (entry: LogEntry) => void;
  signal?: AbortSignal;
  /** On whose behalf it runs, in a pool that reuses processes. */
  trustDomain?: string;
  /** Makes the run repeatable: another realm, in which the host keeps the time. */
  isRecorded?: boolean;
  answerCall?: (call: ToolCall, signal: AbortSignal) => ToolReply | Promise<ToolReply>;
}

/** The limits of tests: as the defaults are, but no test waits for half a minute. */
export const TEST_LIMITS: RunLimits = { ...DEFAULTS.limits, timeoutMs: 10_000 };

/** Runs JavaScript as a bundle whose lines are those of `script.ts`, in a real sandbox. By default calls are answered with their input. */
export function runScript(source: string, options: ScriptOptions): Promise<RunAnswer> {
  const { pool, limits, input, onLog, signal, trustDomain, isRecorded = false, answerCall = echo } = options;
  return runBundle(toBundle(source), {
    pool,
    limits: { ...TEST_LIMITS, ...limits },
    handleCall: handleRead(async (call) => answerCall(call, call.signal)),
    ...(input !== undefined && { input }),
    emit: (event) => void (event.type === "log" && onLog?.(event.entry)),
    ...(signal !== undefined && { signal }),
    ...(trustDomain !== undefined && { trustDomain }),
    ...(isRecorded && { timekeeper: makeRecorder().timekeeper }),
  });
}

/** The value that a script ends with; fails where the run did. */
export async function resultOf(source: string, options: ScriptOptions): Promise<JsonValue> {
  const answer = await runScript(source, options);
  if (answer.diagnostics.length > 0) throw new Error(JSON.stringify(answer.diagnostics));
  return answer.result;
}

/** What each of these bodies of functions returns, by its name: all in one run. What one throws is its text. */
export async function resultsOf(
  bodies: Readonly<Record<string, string>>,
  options: ScriptOptions,
): Promise<Record<string, JsonValue>> {
  const calls = Object.entries(bodies).map(
    ([name, body]) => `${JSON.stringify(name)}: await (async function () { ${body} }).call(undefined).catch(String)`,
  );
  const results = await resultOf(`globalThis.__codemode_result__ = { ${calls.join(",\n")} };`, options);
  return results as Record<string, JsonValue>;
}

function echo({ input }: ToolCall): ToolReply {
  return { ok: true, value: input };
}

/** One line before the script, which the source map leaves out: line 2 of the bundle is line 1 of the script, column for column. */
export function toBundle(source: string): Bundle {
  const lines = source.split("\n").length;
  return {
    code: `(async function () {"use strict";\n${source}\n}).call(undefined)\n//# sourceURL=${BUNDLE_URL}`,
    map: { version: 3, names: [], sources: ["script.ts"], mappings: `;${lineMappings(source, lines)}` },
    manifest: { tools: [] },
  };
}

/** A segment for every column, so that positions come out exactly. */
function lineMappings(source: string, lines: number): string {
  let column = 0;
  return source
    .split("\n")
    .slice(0, lines)
    .map((text, index) => {
      const first = `AA${index === 0 ? "A" : "C"}${toVlq(-column)}`;
      column = text.length;
      return [first, ...Array.from(text, () => "CAAC")].slice(0, text.length + 1).join(",");
    })
    .join(";");
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function toVlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
