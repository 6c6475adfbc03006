import type { Integrity } from "../lock/integrity.ts";
import type { JsonValue } from "../json/json.ts";

/** A script and the bindings that it uses, as one self-contained program. */
export interface Bundle {
  /** A program whose value is the promise of the script's end: an async function, called. */
  code: string;
  map: SourceMap;
  manifest: Manifest;
  /** The JSON Schema of the input that the script declares; any input will do where it is absent. */
  input?: JsonValue;
  /** Packages of other authors that are part of the code, sorted; absent where there are none. */
  packages?: readonly BundledPackage[];
}

/** A package that a bundle has code of, as it called itself. */
export interface BundledPackage {
  name: string;
  version: string;
}

/** What a bundle may do: the exact tools that survived in it. The host refuses any other call. */
export interface Manifest {
  /** Sorted by `serverId`, then `toolName`. */
  tools: readonly ManifestTool[];
}

/** A tool that a bundle may call. */
export interface ManifestTool {
  serverId: string;
  toolName: string;
  exportName: string;
  /** Of the tool as it was generated; the host compares it with the lockfile. */
  integrity: Integrity;
  /** With which it was bundled, where only its words have changed since, or it takes or gives more: what a person has decided about it holds. */
  bundledIntegrity?: Integrity;
}

/** A source map, version 3 (ECMA-426). `sources` hold names relative to the script's folder, never a path of the machine. */
export interface SourceMap {
  version: 3;
  names: string[];
  sources: string[];
  sourcesContent?: (string | null)[];
  mappings: string;
}

/** The name of the bundle in stack traces; frames of any other file are dropped from answers. */
export const BUNDLE_URL = "codemode:///bundle.js";

/** What the runtime of the bindings is called in a program, outside of the modules. */
export const RUNTIME = "__codemode_runtime__";

/** The first line of a program that has lines outside of its modules: there no name of a script or a tool hides a global of the language. */
export const OUTER_START = '(function () {"use strict";';

/** The last line of each program. */
export const PROGRAM_END = "}).call(undefined)";

const SOURCE_URL = `\n//# sourceURL=${BUNDLE_URL}`;

/** Prints the line that declares the runtime; it is the second of a program that uses it. */
export function printRuntimeLine(code: string): string {
  return `const ${RUNTIME} = ${code};`;
}

/** Names a program in stack traces. */
export function nameProgram(code: string): string {
  return `${code}${SOURCE_URL}`;
}

/**
 * The program without its runtime, for a sandbox that has this very runtime: an expression whose value is a function of the runtime. Every
 * other line stays where it is. Undefined for a program with another runtime, or with none.
 * @param runtimeLine as `printRuntimeLine` prints it
 */
export function leaveOutRuntime(code: string, runtimeLine: string): string | undefined {
  const start = OUTER_START.length + 1;
  const rest = start + runtimeLine.length + 1;
  // Equality compares many characters at once, `startsWith` one after the other.
  const hasRuntime =
    code.startsWith(`${OUTER_START}\n`) && code.slice(start, rest - 1) === runtimeLine && code[rest - 1] === "\n";
  if (!hasRuntime || !code.endsWith(`\n${PROGRAM_END}${SOURCE_URL}`)) return undefined;
  return nameProgram(`(function (${RUNTIME}) { return ${OUTER_START}\n\n${code.slice(rest, -SOURCE_URL.length)}\n})`);
}
