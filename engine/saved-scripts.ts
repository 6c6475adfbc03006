import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { resolve } from "node:path";
import { clock } from "./clock.ts";
import { type Access, ownAccess } from "../schemas/access/access.ts";
import { type Diagnostic, printDiagnostic } from "../schemas/run/answer.ts";
import type { Bundle, ManifestTool } from "../schemas/run/bundle.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { findOperation } from "../schemas/lock/operations.ts";
import type { NamedScript } from "../schemas/config/named-scripts.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import { stampOf } from "./project/files.ts";
import { type ReadScript, readScript, sourceOf } from "./project/script.ts";
import type { Host } from "./run/host.ts";
import type { ScriptToBundle } from "./run/prepared-script.ts";
import { makeFairTurns } from "./process/fair-turns.ts";
import { makePinnedBundler } from "./run/pinned/pinned-bundler.ts";
import type { SavedScript } from "../schemas/run/saved-script.ts";

/** The scripts of the configuration, for all clients of a process. */
export interface SavedScripts {
  /** The scripts that can be run, and that call nothing that this access may not call; in the order of the configuration. */
  list(access: Access): Promise<SavedScript[]>;
  /** Undefined where there is no such script, or none for this access. */
  find(name: string, access: Access): Promise<LoadedScript | undefined>;
  /** Whether `find` would find it. */
  has(name: string, access: Access): Promise<boolean>;
}

/** What a host bundles and runs of a script. */
export type ScriptProgram = Pick<ScriptToBundle, "script" | "bundler">;

/** A script as it can be run, or why it cannot. */
export type LoadedScript =
  | { ok: true; saved: SavedScript; program: ScriptProgram }
  | { ok: false; diagnostics: Diagnostic[] };

/** What was bundled, and from what. */
interface Copy {
  script: LoadedScript;
  lockfile: Lockfile;
  files: readonly string[];
  stamp: string;
  /** Milliseconds, from any fixed point. */
  madeAt: number;
}

/** What a script fails by may be a file beside it, of which nothing is known: it is tried again after a while. */
const RETRY_MS = 2000;

/**
 * Scripts are bundled when they are first asked for, and again when one of their files or the lockfile has changed.
 * @param note reports why a script cannot run, once until that changes
 */
export function makeSavedScripts(
  config: Config,
  host: Pick<Host, "bundle" | "lockfile" | "visibleLockfile">,
  note: (line: string) => void,
): SavedScripts {
  const copies = new Map<string, Copy>();
  const inTurn = makeFairTurns();
  const report = makeReport(note);
  const access = ownAccess(config.policy);

  const isCurrent = async ({ script, lockfile, files, stamp, madeAt }: Copy, tryAgain: boolean): Promise<boolean> => {
    if (!script.ok && (tryAgain || clock.now() - madeAt > RETRY_MS)) return false;
    return lockfile === host.lockfile() && stamp === (await stampsOf(files)).join("\n");
  };

  const load = async (named: NamedScript): Promise<Copy> => {
    const lockfile = host.lockfile();
    const file = resolve(config.folder, named.file);
    const alone = { lockfile, files: [file], stamp: (await stampsOf([file])).join("\n"), madeAt: clock.now() };
    try {
      const found = await readScript(file, named.file);
      const program = toProgram(found);
      const outcome = await host.bundle({ ...program, access });
      if (!outcome.ok) return { ...alone, script: outcome };
      const { manifest, input } = outcome.bundle;
      const saved = {
        name: named.name,
        tools: manifest.tools,
        ...withoutUndefined({ description: named.description, input }),
      };
      const modules = modulesBeside(found, outcome.bundle);
      const stamp = [alone.stamp, ...(await stampsOf(modules))].join("\n");
      return { ...alone, script: { ok: true, saved, program }, files: [file, ...modules], stamp };
    } catch (error) {
      if (!(error instanceof CodemodeError)) throw error;
      return { ...alone, script: { ok: false, diagnostics: [describeUnreadable(named, error)] } };
    }
  };

  /** One at a time, so that a concurrent request does not bundle the same script again. */
  const look = (named: NamedScript, { tryAgain = false } = {}): Promise<LoadedScript> =>
    inTurn(async () => {
      const known = copies.get(named.name);
      if (known !== undefined && (await isCurrent(known, tryAgain))) return known.script;
      const copy = await load(named);
      copies.set(named.name, copy);
      report(named, copy.script);
      return copy.script;
    });

  const find = async (name: string, access: Access, options: { tryAgain: boolean }) => {
    const named = config.scripts.get(name);
    if (named === undefined) return undefined;
    const script = await look(named, options);
    // The operator learns that a tool is denied.
    if (access.client === undefined) return script;
    const visible = host.visibleLockfile(access);
    // The problems of a script may name tools that are hidden from this client.
    const isVisible = script.ok ? mayCallAll(script.saved.tools, visible) : visible === host.lockfile();
    return isVisible ? script : undefined;
  };

  return {
    async list(access) {
      const scripts: SavedScript[] = [];
      for (const named of config.scripts.values()) {
        const script = await look(named);
        if (script.ok && mayCallAll(script.saved.tools, host.visibleLockfile(access))) scripts.push(script.saved);
      }
      return scripts;
    },
    find: (name, access) => find(name, access, { tryAgain: true }),
    has: async (name, access) => (await find(name, access, { tryAgain: false })) !== undefined,
  };
}

/** Reports a script to the operator when it stops working. */
function makeReport(note: (line: string) => void) {
  const reported = new Map<string, string>();
  return ({ name }: NamedScript, script: LoadedScript): void => {
    const text = script.ok ? "" : script.diagnostics.flatMap(printDiagnostic).join("\n");
    if (text === (reported.get(name) ?? "")) return;
    reported.set(name, text);
    if (!script.ok) note(`The script "${name}" cannot be run:\n${text}`);
  };
}

function mayCallAll(tools: readonly ManifestTool[], { servers }: Lockfile): boolean {
  return tools.every(({ serverId, toolName }) => findOperation(servers.get(serverId), toolName) !== undefined);
}

function toProgram(found: ReadScript): ScriptProgram {
  const script = sourceOf(found);
  return "bundle" in found ? { script, bundler: makePinnedBundler(found.bundle) } : { script };
}

/** The files that a script imports, as its source map names them. */
function modulesBeside(found: ReadScript, { map }: Bundle): string[] {
  if ("bundle" in found) return [];
  const { folder = "", name } = found;
  return map.sources
    .filter((source) => source !== name && !source.startsWith("@codemode/"))
    .map((source) => resolve(folder, source));
}

function stampsOf(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(stampOf));
}

/** With the path as configured: an absolute one would reveal the location of the project. */
function describeUnreadable({ name, file }: NamedScript, { code, hint }: CodemodeError): Diagnostic {
  return {
    severity: "error",
    code: "SCRIPT_UNAVAILABLE",
    message: `The file of the script "${name}" cannot be used (${code}): ${file}`,
    hint,
  };
}
