import { mapOperations } from "../../../schemas/lock/operations.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { makeAnsweringProcess } from "../../process/answering-process.ts";
import { describeLate, describeTooMuch, type Undone } from "../../process/describe-unanswered.ts";
import type { BundleOptions, BundleOutcome, ScriptSource } from "../bundle-script.ts";
import type { BundleRequest } from "./messages.ts";

/** Bundles scripts. What is wrong with a script is in the outcome. */
export interface Bundler {
  /** @param clientId the client whose script it is: clients take turns */
  bundle(script: ScriptSource, options: BundleOptions, clientId?: string): Promise<BundleOutcome>;
  close(): Promise<void>;
}

/** The program of the bundling process. */
export const BUNDLER_PROGRAM = new URL("./main.js", import.meta.url);

const MAX_HEAP_MEGABYTES = 512;
const TIMEOUT_MS = 20_000;

/**
 * Starts a bundler in a process of its own. The parsers are native code: some kilobytes of deeply nested brackets overflow their
 * stack, which ends the process and cannot be caught. Here the script gets a diagnostic, and the next one a new process.
 *
 * @param timeoutMs for one script, in milliseconds
 */
export function startBundler(timeoutMs = TIMEOUT_MS): Bundler {
  const { askKnowing, warm, close } = makeAnsweringProcess<BundleRequest, BundleOutcome>({
    program: BUNDLER_PROGRAM,
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    timeoutMs,
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
      return {
        ok: false,
        diagnostics: [asked.kind === "late" ? describeLate(UNREAD, timeoutMs) : describeTooMuch(UNREAD)],
      };
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
    ...(isPartial === true && description !== undefined ? { description } : {}),
  }));
}

const UNREAD: Undone = { code: "SYNTAX_ERROR", failure: "The script could not be read" };
