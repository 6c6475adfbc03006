import { basename, dirname, extname, resolve } from "node:path";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { Config } from "../../schemas/config/config.ts";
import { optionInvalid, scriptUnknown } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { toServerId } from "../../schemas/lock/server-ids.ts";
import { isScriptName } from "../../schemas/config/named-scripts.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { parsePinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { withoutMark } from "../../schemas/text/without-mark.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { readText, readTextIfPresent } from "./files.ts";
import { bundlePlaces } from "./project-places.ts";

/**
 * A script to check, bundle or run:
 * - `code`: the source of an ES module in JavaScript or TypeScript. `name` stands in the places of diagnostics; it is `script.ts` unless given.
 *   Relative imports are resolved in `folder`; without it the script has no files.
 * - `file`: a script's file, a pinned bundle (`.json`), or the name of a script of the configuration. Relative to the project's `cwd`.
 * - `bundle`: a pinned bundle, as `project.bundle` gives it.
 */
export type Script = { code: string; name?: string; folder?: string } | { file: string } | { bundle: PinnedBundle };

/** A script whose file has been read. */
export type ReadScript = { code: string; name: string; folder?: string } | { bundle: PinnedBundle };

type Scripts = Pick<Config, "folder" | "scripts">;

/** Reads what a script names. Throws a `CodemodeError` where there is no such file or name. */
export async function findScript(script: Script, cwd: string, config: Scripts): Promise<ReadScript> {
  assertScript(script);
  if ("bundle" in script) return script;
  if ("file" in script) return findFile(script.file, cwd, config);
  const { code, name = "script.ts", folder } = script;
  // Positions of the parser do not count a byte order mark.
  return {
    code: withoutMark(code),
    name,
    ...withoutUndefined({ folder: folder === undefined ? undefined : resolve(cwd, folder) }),
  };
}

/** A program without a compiler may pass anything. */
function assertScript(script: unknown): void {
  const { code, file, bundle } = Object(script) as { [name: string]: unknown };
  if (typeof code === "string" || typeof file === "string" || typeof bundle === "object") return;
  const hint = 'Pass `{ code: "export default 1;" }`, `{ file: "script.ts" }` or `{ bundle }`.';
  throw optionInvalid("script", "it has neither `code` nor `file` nor `bundle`", hint);
}

/** A bare word (no folder, no extension) is first looked up in `scripts`, even if a file has that name. */
async function findFile(file: string, cwd: string, config: Scripts): Promise<ReadScript> {
  const named = config.scripts.get(file);
  if (named !== undefined) return readScript(resolve(config.folder, named.file), named.file);
  const path = resolve(cwd, file);
  if (isScriptName(file) && (await readTextIfPresent(path, "given")) === undefined) {
    const known = [...config.scripts.keys()];
    throw scriptUnknown(file, nearestName(file, known), known);
  }
  return readScript(path, file);
}

/** Reads a script, or a pinned bundle where the file ends in `.json`. `shown` is for the errors' lines. */
export async function readScript(path: string, shown: string): Promise<ReadScript> {
  const text = await readText(path, "given");
  if (extname(path) === ".json") return { bundle: parsePinnedBundle(text, shown) };
  return { code: text, name: basename(path), folder: dirname(path) };
}

/** What a host is asked to run: a pinned bundle has no source, and its bundler reads none. */
export function sourceOf(script: ReadScript): ScriptSource {
  return "bundle" in script ? { code: "", name: script.bundle.name } : script;
}

/** Whether a script uses servers, as far as can be seen before there is a lockfile. */
export function namesServers(script: ReadScript): boolean {
  if ("bundle" in script) return script.bundle.bundle.manifest.tools.length > 0;
  return script.code.search(NAMED_SERVER) >= 0;
}

/** The servers that a script will use, as far as its text or its manifest says so before it is bundled. */
export function expectedServers(script: ReadScript, { servers }: Lockfile): string[] {
  if (!("bundle" in script)) return findNamedServers(script.code, servers);
  const { tools } = script.bundle.bundle.manifest;
  return [...servers.keys()].filter((id) => tools.some(({ serverId }) => serverId === id));
}

/** The start of an import of a server: its specifier, or a path to it. */
const NAMED_SERVER = /(?:@codemode|\.)\/servers\/([\w.-]+)/g;

/** Those of the known servers that a script names. */
export function findNamedServers(code: string, known: Pick<ReadonlySet<string>, "has">): string[] {
  const names = [...code.matchAll(NAMED_SERVER)].map(([, name = ""]) =>
    toServerId(name.replace(/(?:\.[cm]?[jt]s)?$/, "")),
  );
  return [...new Set(names)].filter((name) => known.has(name));
}

/** The lockfile of a project in which nothing is locked. */
export const NO_SERVERS: Lockfile = { servers: new Map() };

/** The function of the sandbox through which a bundle reaches servers and discovery. */
const WAY_OUT = "__codemode_call__";

/** Whether a script neither calls a tool nor looks one up. Imports decide, not words: those of modules beside the script count too. */
export async function needsNoServer(script: ReadScript, config: Config): Promise<boolean> {
  if ("bundle" in script) return !script.bundle.bundle.code.includes(WAY_OUT);
  const { bundleScript } = await import("../bundle/bundle-script.ts");
  const outcome = await bundleScript(script, { ...bundlePlaces(config), lockfile: NO_SERVERS });
  return outcome.ok && !outcome.bundle.code.includes(WAY_OUT);
}

/** Results of earlier runs that a script may import, by the last part of their module's name. All of them belong to its client. */
export interface EarlierResults {
  /** The value as JSON text in UTF-8. */
  read(id: string): Buffer | undefined;
  /** The type of the value, in TypeScript. */
  typeOf(id: string): string | undefined;
}

/** Those of them that a script names, with their types. */
export function findNamedResults(code: string, results: EarlierResults | undefined): ReadonlyMap<string, string> {
  const ids = results === undefined ? [] : [...code.matchAll(/@codemode\/results\/([\w-]+)/g)].map(([, id = ""]) => id);
  return new Map(ids.flatMap((id) => (results?.typeOf(id) === undefined ? [] : [[id, results.typeOf(id) ?? "any"]])));
}
