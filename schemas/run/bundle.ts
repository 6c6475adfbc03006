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
