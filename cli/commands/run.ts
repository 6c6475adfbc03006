import { basename, dirname, resolve } from "node:path";
import { text as readStream } from "node:stream/consumers";
import { type Diagnostic, exitCodeOf, type LogEntry, type RunAnswer, type RunLimits } from "../../schemas/answer.ts";
import { invalidOption } from "../../schemas/errors.ts";
import type { JsonValue } from "../../schemas/json.ts";
import { makeSandboxPool } from "../../runtime/host/sandbox/pool.ts";
import type { Command, Invocation } from "../command.ts";
import { bundleScript, type ScriptSource } from "../pipeline/bundle/bundle-script.ts";
import { readText } from "../pipeline/files.ts";
import { makeHost } from "../pipeline/host.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { prepareProject } from "../pipeline/prepare-project.ts";
import { oneLine, type Output } from "../report.ts";

/** `codemode run`: logs to stderr as they happen, the result to stdout; with `--json` the whole answer instead. */
export const run: Command = async (invocation) => {
  const { options, context } = invocation;
  const limits = readLimits(invocation);
  const input = readInput(options.text("input"));
  const script = await readScript(invocation);
  const config = await loadConfig(context);
  const effective = { ...config, limits: { ...config.limits, ...limits } };
  // The sandbox starts while the project is read and the script bundled: its start-up costs nothing then.
  const pool = makeSandboxPool({ refill: false, maxMemoryBytes: effective.limits.maxMemoryBytes });
  try {
    // A sandbox that cannot start is said when the first one is taken.
    void pool.warm().catch(() => undefined);
    const frozen = options.has("frozen");
    const { lockfile } = await prepareProject(effective, { frozen, note: context.output.note });
    const host = makeHost({
      config: effective,
      lockfile,
      pool,
      bundler: { bundle: bundleScript },
      drift: frozen ? "refuse" : (config.drift ?? "warn"),
      refuseBy: "server",
    });
    try {
      const answer = await host.run({
        script,
        input,
        signal: context.signal,
        ...(options.has("json") ? {} : { onLog: (entry: LogEntry) => context.output.note(printLog(entry)) }),
      });
      printAnswer(answer, options.has("json"), context.output);
      return exitCodeOf(answer);
    } finally {
      await host.close();
    }
  } finally {
    await pool.close();
  }
};

async function readScript({ args, options, context }: Invocation): Promise<ScriptSource> {
  const code = options.text("eval");
  if (code !== undefined) return { code, name: "script.ts" };
  const [file] = args;
  if (file === undefined) throw invalidOption("run", "name a script, - for standard input, or --eval");
  if (file === "-") return { code: await readStream(process.stdin), name: "script.ts" };
  const path = resolve(context.cwd, file);
  return { code: await readText(path), name: basename(path), folder: dirname(path) };
}

const LIMIT_OPTIONS = {
  timeout: "timeoutMs",
  maxMemory: "maxMemoryBytes",
  maxToolCalls: "maxToolCalls",
  maxLogBytes: "maxLogBytes",
} as const satisfies Record<string, keyof RunLimits>;

function readLimits({ options }: Invocation): Partial<RunLimits> {
  const limits: Partial<RunLimits> = {};
  for (const [option, limit] of Object.entries(LIMIT_OPTIONS)) {
    const value = options.text(option);
    if (value === undefined) continue;
    if (!/^\d{1,15}$/.test(value)) {
      throw invalidOption(
        `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        `"${value}" is not a whole number`,
      );
    }
    limits[limit] = Number(value);
  }
  return limits;
}

function readInput(json: string | undefined): JsonValue {
  if (json === undefined) return null;
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    throw invalidOption("--input", `it is not JSON: ${(error as Error).message}`);
  }
}

function printAnswer(answer: RunAnswer, asJson: boolean, output: Output): void {
  if (asJson) {
    output.result(JSON.stringify(answer, null, 2));
    return;
  }
  for (const diagnostic of answer.diagnostics) for (const line of printDiagnostic(diagnostic)) output.note(line);
  output.result(JSON.stringify(answer.result, null, 2));
}

/** A script's words may hold what a server sent: control sequences are for the terminal's owner alone. */
function printLog({ level, message }: LogEntry): string {
  const harmless = message.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return level === "log" ? harmless : `${level}: ${harmless}`;
}

function printDiagnostic({ severity, path, code, message, hint }: Diagnostic): string[] {
  const place = path === undefined ? "" : `${path} `;
  return [
    `${severity}: ${place}${code}: ${oneLine(message)}`,
    ...(hint === undefined ? [] : [`hint: ${oneLine(hint)}`]),
  ];
}
