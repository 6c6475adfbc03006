import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { mapOperations } from "../../../schemas/lock/operations.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { type Asked, makeAnsweringProcess } from "../../process/answering-process.ts";
import { sayProcessorTime, TOO_MUCH } from "../../process/describe-unanswered.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { BundleOptions, BundleOutcome, ScriptSource, BundledScript } from "../bundle-script.ts";
import { toDiagnostic } from "../modules/import-problem.ts";
import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { toBundle } from "../../../schemas/run/bundle-file.ts";
import { lockfileIntegrity } from "../../../schemas/run/pinned-bundle.ts";
import { openCacheFolder } from "../../../runtime/files/cache-folder.ts";
import { readSealed, writeSealed } from "../../../runtime/files/sealed-file.ts";
import { isUnchanged } from "../modules/source-files.ts";

/** What the host asks of the bundling process. */
export interface BundleRequest {
  script: ScriptSource;
  options: Omit<BundleOptions, "lockfile">;
  /** Absent where it is the same as in the request before: it names every tool, and most scripts are bundled under the same one. */
  lockfile?: Lockfile | undefined;
}

/** Bundles scripts. What is wrong with a script is in the outcome. */
export interface Bundler {
  /** @param clientId the client whose script it is: clients take turns */
  bundle(script: ScriptSource, options: BundleOptions, clientId?: string): Promise<BundleOutcome>;
  close(): Promise<void>;
}

/** The program of the bundling process. */
const BUNDLER_PROGRAM = new URL("./main.js", import.meta.url);

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
  const { warm, ...bundler } = makeBundler({ maxProcessorMs, program });
  warm();
  return bundler;
}

/**
 * The same, whose process starts with the first script.
 * @param restMs as in `AnsweringProcessOptions`
 */
export function makeBundler({
  maxProcessorMs = MAX_PROCESSOR_MS,
  program = BUNDLER_PROGRAM,
  restMs,
}: { maxProcessorMs?: number; program?: URL; restMs?: number } = {}): Bundler & { warm: () => void } {
  const { askKnowing, warm, close } = makeAnsweringProcess<BundleRequest, BundleOutcome>({
    program,
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    ...{ maxProcessorMs, restMs },
  });
  const lastSent = new WeakMap<object, Lockfile>();
  return {
    async bundle(script, { lockfile, ...options }, clientId) {
      const asked = await askKnowing((listener) => {
        if (lastSent.get(listener) === lockfile) return { script, options };
        lastSent.set(listener, lockfile);
        return { script, options, lockfile: withoutTexts(lockfile) };
      }, clientId);
      if (asked.kind === "answered") return asked.answer;
      return { ok: false, diagnostics: [describeUnread(asked, maxProcessorMs)] };
    },
    warm,
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

function describeUnread(asked: Exclude<Asked<never>, { kind: "answered" }>, maxProcessorMs: number): Diagnostic {
  if (asked.kind === "unstarted") {
    const hint = `The script is not the cause. ${asked.remedy}`;
    const message = "The process that reads scripts did not start.";
    return toDiagnostic({ code: "BUNDLE_FAILURE", message, hint }, undefined);
  }
  const why = asked.kind === "late" ? ` within ${sayProcessorTime(maxProcessorMs)}` : `: ${TOO_MUCH}`;
  const hint = "Split the expression into statements, and pass large data as input.";
  return toDiagnostic({ code: "SYNTAX_ERROR", message: `The script could not be read${why}.`, hint }, undefined);
}

/** Some three hundred scripts: what agents send again is among the last of them, and the rest would only fill the heap. */
const MAX_MEMORY_BYTES = 8 * 1024 * 1024;

/**
 * A bundler for one project that keeps what it has bundled, and forgets first what was not used for longest. A script gets a cached
 * bundle only where its text and name are the same, and the lockfile is the same value: one that has changed, and what another
 * client sees of it, is another value. Scripts that read files beside them are bundled each time, and failures are tried again.
 *
 * @param maxBytes of all scripts and bundles in memory together, about
 * @param kept bundles of earlier processes, for scripts that this one has not bundled
 */
export function cacheBundles(
  bundler: Pick<Bundler, "bundle">,
  { maxBytes = MAX_MEMORY_BYTES, kept }: { maxBytes?: number; kept?: KeptBundles } = {},
): Pick<Bundler, "bundle"> {
  const cached = new LRUCache<string, BundledScript>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const numberOf = makeNumbering();

  return {
    async bundle(script, options, clientId) {
      const key = toKey(script, numberOf(options.lockfile));
      const known = cached.get(key) ?? kept?.find(script, options);
      const outcome = known ?? (await bundler.bundle(script, options, clientId));
      if (outcome.ok && outcome.madeFrom !== undefined) cached.set(key, outcome);
      if (outcome.ok && known === undefined) kept?.keep(script, options, outcome);
      return outcome;
    },
  };
}

/** Numbers are never given twice, so what was bundled under a lockfile that is gone is never found again. */
function makeNumbering(): (lockfile: Lockfile) => number {
  const numbers = new WeakMap<Lockfile, number>();
  let last = 0;
  return (lockfile) => {
    const known = numbers.get(lockfile);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(lockfile, last);
    return last;
  };
}

/** The folder of a script is no part of it: a bundle is kept only where nothing was read there. */
function toKey({ name, code }: ScriptSource, lockfileNumber: number): string {
  return JSON.stringify([lockfileNumber, name]) + code;
}

/** A character takes two bytes at most. */
function sizeOf({ bundle: { code, map } }: BundledScript, key: string): number {
  const sources = map.sourcesContent?.reduce((length, text) => length + (text?.length ?? 0), 0) ?? 0;
  return 2 * (key.length + code.length + map.mappings.length + sources);
}

/** Bundles in the user's folder for caches, so that the next process that runs the same script need not start a bundler. */
interface KeptBundles {
  /** The bundle of that script, where everything that it was made from is as it was. */
  find(script: ScriptSource, options: BundleOptions): BundledScript | undefined;
  /** Keeps the bundle of a script; one that files beside the script went into is not kept. */
  keep(script: ScriptSource, options: BundleOptions, bundled: BundledScript): void;
}

/** Some five hundred scripts. */
const MAX_DISK_BYTES = 16 * 1024 * 1024;

/**
 * Opens the kept bundles. They take the place of the bundler alone: the host checks a bundle that was kept as it checks any other.
 * @param build names the build of the bundler: another one prints scripts differently. Without one nothing is kept.
 * @param maxBytes of all files together, about
 */
export function openKeptBundles(build: string | undefined, { maxBytes = MAX_DISK_BYTES } = {}): KeptBundles {
  const folder = build === undefined ? undefined : openCacheFolder("bundles");
  const fileOf = (script: ScriptSource, options: BundleOptions): string | undefined =>
    folder === undefined || !isOfWholeLockfile(options)
      ? undefined
      : join(folder, digestOf([build, process.version, script.name, script.code, ...namesOf(options)]));
  return {
    find(script, options) {
      const file = fileOf(script, options);
      const text = file === undefined ? undefined : readSealed(file);
      if (file === undefined || text === undefined) return undefined;
      const found = JSON.parse(text.toString()) as BundledScript;
      const bundle = toBundle(found.bundle);
      if (bundle === undefined || found.madeFrom?.every(isUnchanged) !== true) return undefined;
      noteUse(file);
      return { ...found, bundle };
    },
    keep(script, options, bundled) {
      const file = bundled.madeFrom === undefined ? undefined : fileOf(script, options);
      if (file === undefined) return;
      writeSealed(file, Buffer.from(JSON.stringify(bundled)));
      prune(join(file, ".."), maxBytes);
    },
  };
}

/**
 * A bundler that begins with a known script at once, in a process that it starts then, unless an earlier process has kept the bundle.
 */
export function bundleEarly(first: ScriptSource, options: BundleOptions): Bundler {
  let bundler: Bundler | undefined;
  const bundle: Bundler["bundle"] = (...request) => {
    bundler ??= startBundler();
    return bundler.bundle(...request);
  };
  const kept = openKeptBundles(readBuild(BUNDLER_PROGRAM));
  let early: Promise<BundleOutcome> | undefined = cacheBundles({ bundle }, { kept }).bundle(first, options);
  early.catch(() => undefined); // thrown to the run that needs it
  return {
    bundle(source, asked, client) {
      const isEarly = source === first && asked.lockfile === options.lockfile;
      const outcome = (isEarly ? early : undefined) ?? bundle(source, asked, client);
      early = undefined; // the next run may find other files beside the script
      return outcome;
    },
    close: async () => bundler?.close(),
  };
}

/** The name of a build of the linked bundler; undefined for the output of the compiler, which changes without a change of names. */
export function readBuild(program: URL): string | undefined {
  try {
    return /\bbundler-[\w-]{1,16}\.cjs\b/.exec(readFileSync(program, "utf8"))?.[0];
  } catch {
    return undefined;
  }
}

/** What a client sees of the lockfile, and results that it can import, are its own; what waits for a person is of one process. */
function isOfWholeLockfile({ lockfile, resultIds = [] }: BundleOptions): boolean {
  return (
    resultIds.length === 0 &&
    [...lockfile.servers.values()].every((server) => server.isPartial !== true && server.packageFolder === undefined)
  );
}

function namesOf({ generatedFolder, lockfile }: BundleOptions): string[] {
  return [generatedFolder, lockfileIntegrity(lockfile)];
}

function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The files that were used last stay. */
function noteUse(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // It was removed meanwhile.
  }
}

/** Removes the files that were not used for longest. Another process may do the same at the same time. */
function prune(folder: string, maxBytes: number): void {
  try {
    const files = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, bytes: stats.size, usedAt: stats.mtimeMs }];
    });
    let bytes = 0;
    for (const file of files.toSorted((left, right) => right.usedAt - left.usedAt)) {
      bytes += file.bytes;
      if (bytes > maxBytes) rmSync(file.path, { force: true });
    }
  } catch {
    // It is only room on the disk.
  }
}
