import { resolve } from "node:path";
import { COMMANDS } from "../../cli/commands.ts";
import { bundleScript } from "../../engine/bundle/bundle-script.ts";
import { findScript, sourceOf } from "../../engine/project/script.ts";
import { makeHost } from "../../engine/run/make-host.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { prepareProject } from "../../engine/project/prepare-project.ts";

import { showAnswer, printLog } from "../../cli/print/print-answer.ts";
import { printSkippedCall } from "../../schemas/run/tool-call-event.ts";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { exitCodeOf } from "../../schemas/run/answer.ts";
import { namesOf, splitCommands } from "./check-commands.ts";

/** Runs what pages show of `codemode run` in one host, which starts its servers once: a process for each would take minutes. */
export interface ResidentHost {
  /** What `codemode run` with these words would print, and its exit code. */
  run(command: string): Promise<{ printed: string; code: number }>;
  close(): Promise<void>;
}

/** The options of `codemode run` that a resident host understands. */
const KNOWN = new Set(["--eval", "--input", "--dry-run", "--timeout", "--max-tool-calls", "--max-log-bytes"]);

/** Whether a resident host can do what a command line asks for. */
export function isResident(command: string): boolean {
  const [words = [], ...more] = splitCommands(command);
  const flags = words.filter((word) => word.startsWith("--"));
  return (
    more.length === 0 &&
    words[0] === "codemode" &&
    words[1] === "run" &&
    !words.includes("-") &&
    flags.every((flag) => KNOWN.has(flag))
  );
}

/** Opens a host for the project in a folder, as `codemode run` does. */
export async function openResidentHost(folder: string): Promise<ResidentHost> {
  const config = await loadConfig({ cwd: folder });
  const lockfile = await prepareProject(config, { frozen: true, note: () => undefined });
  const pool = makeSandboxPool({ size: 1 });
  const bundler = { bundle: bundleScript };
  const host = makeHost({ config, lockfile, pool, bundler, drift: "warn", refuseBy: "server" });
  return {
    async run(command) {
      const { file, options } = readWords(splitCommands(command)[0] ?? []);
      const code = options.get("--eval");
      if (code === undefined && file === undefined) throw new Error(`${command} names no script`);
      const script = await findScript(code === undefined ? { file: file ?? "" } : { code }, resolve(folder), config);
      const lines: string[] = [];
      const note = (line: string): void => void lines.push(line);
      const answer = await host.run({
        script: sourceOf(script),
        input: JSON.parse(options.get("--input") ?? "null"),
        limits: readLimits(options),
        access: ownAccess(config.policy),
        approve: async () => "unavailable",
        emit(event) {
          if (event.type === "log") note(printLog(event.entry));
          if (event.type === "call-skipped") note(printSkippedCall(event.call));
        },
        isDryRun: options.has("--dry-run"),
      });
      showAnswer(answer, false, { note, result: note });
      return { printed: lines.join("\n"), code: exitCodeOf(answer) };
    },
    async close() {
      await Promise.all([host.close(), pool.close()]);
    },
  };
}

function readWords(words: readonly string[]): { file?: string | undefined; options: Map<string, string> } {
  const run = COMMANDS.find(({ usage }) => usage.startsWith("run "));
  const valued = namesOf((run?.options ?? []).filter(({ flag }) => flag.includes("<")));
  const options = new Map<string, string>();
  let file: string | undefined;
  for (let index = 2; index < words.length; index += 1) {
    const word = words[index] as string;
    if (!word.startsWith("--")) file = word;
    else options.set(word, valued.has(word) ? (words[(index += 1)] ?? "") : "");
  }
  return { file, options };
}

const LIMITS = { "--timeout": "timeoutMs", "--max-tool-calls": "maxToolCalls", "--max-log-bytes": "maxLogBytes" };

function readLimits(options: ReadonlyMap<string, string>): { [limit: string]: number } {
  const given = Object.entries(LIMITS).filter(([flag]) => options.has(flag));
  return Object.fromEntries(given.map(([flag, limit]) => [limit, Number(options.get(flag))]));
}
