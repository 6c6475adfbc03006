import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { mapOperations } from "../../../schemas/lock/operations.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { makeAnsweringProcess } from "../../process/answering-process.ts";
import { sayProcessorTime, TOO_MUCH } from "../../process/describe-unanswered.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { BundleOptions, BundleOutcome, ScriptSource } from "../bundle-script.ts";
import { toDiagnostic } from "../modules/import-problem.ts";

/** What the host asks of the bundling process. */
export interface BundleRequest {
  script: ScriptSource;
  options: Omit<BundleOptions, "lockfile">;
  /** Absent where it is that of the request before: it names every tool, and most scripts are bundled under the same one. */
  lockfile?: Lockfile | undefined;
}

/** Bundles scripts. What is wrong with a script is in the outcome. */
export interface Bundler {
  /** @param clientId the client whose script it is: clients take turns */
  bundle(script: ScriptSource, options: BundleOptions, clientId?: string): Promise<BundleOutcome>;
  close(): Promise<void>;
}

/** The program of the bundling process. */
export const BUNDLER_PROGRAM = new URL("./main.js", import.meta.url);

const MAX_HEAP_MEGABYTES = 512;
const MAX_PROCESSOR_MS = 20_000;

/**
 * Starts a bundler in a process of its own. The parsers are native code: some kilobytes of deeply nested brackets overflow their
 * stack, which ends the process and cannot be caught. Here the script gets a diagnostic, and the next one a new process.
 *
 * @param maxProcessorMs processor time for one script, in milliseconds
 * @param program of the process
 */
export function startBundler(maxProcessorMs = MAX_PROCESSOR_MS, program = BUNDLER_PROGRAM): Bundler {
  const { askKnowing, warm, close } = makeAnsweringProcess<BundleRequest, BundleOutcome>({
    program,
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    maxProcessorMs,
  });
  warm();
  const lastSent = new WeakMap<object, Lockfile>();
  return {
    async bundle(script, { lockfile, ...options }, clientId) {
      const asked = await askKnowing((listener) => {
        if (lastSent.get(listener) === lockfile) return { script, options };
        lastSent.set(listener, lockfile);
        return { script, options, lockfile: withoutTexts(lockfile) };
      }, clientId);
      if (asked.kind === "answered") return asked.answer;
      return { ok: false, diagnostics: [describeUnread(asked.kind, maxProcessorMs)] };
    },
    close,
  };
}

/** Names and integrities are what bundling looks at; schemas and most descriptions would only be copied. */
function withoutTexts({ servers }: Lockfile): Lockfile {
  const withNames = (server: LockedServer): LockedServer =>
    mapOperations(server, (tools) => toNames(tools, server.isPartial));
  return { servers: new Map([...servers].map(([id, server]) => [id, withNames(server)])) };
}

/** Of a server with hidden tools the bundler prints `__meta__` itself, which has descriptions. */
function toNames(tools: readonly LockedTool[], isPartial: true | undefined): LockedTool[] {
  return tools.map(({ name, exportName, integrity, description }) => ({
    name,
    exportName,
    integrity,
    ...withoutUndefined({ description: isPartial === true ? description : undefined }),
  }));
}

function describeUnread(kind: "ended" | "late" | "unstarted", maxProcessorMs: number): Diagnostic {
  if (kind === "unstarted") {
    const hint = "The script is not the cause. Run `codemode doctor` on this machine.";
    const message = "The process that reads scripts did not start.";
    return toDiagnostic({ code: "BUNDLE_FAILURE", message, hint }, undefined);
  }
  const why = kind === "late" ? ` within ${sayProcessorTime(maxProcessorMs)}` : `: ${TOO_MUCH}`;
  const hint = "Split the expression into statements, and pass large data as input.";
  return toDiagnostic({ code: "SYNTAX_ERROR", message: `The script could not be read${why}.`, hint }, undefined);
}
