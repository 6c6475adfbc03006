import { withoutUndefined } from "../json/without-undefined.ts";
import { DEFAULTS, type ScriptEntry } from "./config-file.ts";

/** A script that has a name: `codemode run NAME` runs it, and agents of `codemode serve` do so without sending its code. */
export interface NamedScript {
  name: string;
  /** Relative to the project folder, and below it; one that ends in `.json` is a pinned bundle. */
  file: string;
  /** The script that a pinned bundle is made of; relative to the project folder, and below it. */
  source?: string;
  description?: string;
  /** Whether it is an MCP tool of its own too. */
  isTool: boolean;
}

/** By their names, in the order of the file. */
export function toNamedScripts(written: { [name: string]: ScriptEntry } = {}): ReadonlyMap<string, NamedScript> {
  return new Map(Object.entries(written).map(([name, entry]) => [name, toNamedScript(name, entry)]));
}

function toNamedScript(name: string, entry: ScriptEntry): NamedScript {
  if (typeof entry === "string") return { name, file: entry, isTool: false };
  const { file, source, description, tool } = { ...DEFAULTS.scripts.each, ...entry };
  return {
    name,
    file,
    isTool: tool,
    ...withoutUndefined({ source, description }),
  };
}

/** Whether a word could be the name of a script: it has neither a folder nor an ending, as files have. */
export function isScriptName(word: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(word);
}
