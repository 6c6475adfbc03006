import { createHash } from "node:crypto";
import { decode } from "@jridgewell/sourcemap-codec";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { toRunId } from "../../engine/run-id.ts";
import { type Integrity, integrityOf } from "../../schemas/lock/integrity.ts";
import type { Bundle, SourceMap } from "../../schemas/run/bundle.ts";

/**
 * A key of the caller's is for one run of its project, in each process alike.
 * @param scope the project, where others use the same store
 */
export function idOfKey({ access: { client = "" }, key = "" }: DurableRequest, scope?: string): string {
  const named = scope === undefined ? [client, key] : [client, key, scope];
  return toRunId(createHash("sha256").update(JSON.stringify(named)).digest());
}

/** What a run is to do, as far as its script alone says. */
export function workOf({ script, input = null }: DurableRequest): string {
  return integrityOf([script.name, script.code, input]);
}

/**
 * The program of a run, by what its author has written: the modules, and the lines of packages. What is generated from the lockfile does not count: a
 * tool that has changed stops a run in its own way.
 */
export function programOf({ code, map, packages = [] }: Bundle): Integrity {
  const modules = map.sources.flatMap((name, at) => {
    const text = map.sourcesContent?.[at];
    return typeof text === "string" ? [[name, text]] : [];
  });
  const lines = packages.length === 0 ? [] : linesOfPackages(code, map);
  return integrityOf([modules, packages.map(({ name, version }) => [name, version]), lines]);
}

function linesOfPackages(code: string, { sources, mappings }: SourceMap): string[] {
  const segments = decode(mappings);
  return code
    .split("\n")
    .filter((_, line) =>
      segments[line]?.some(([, source]) => source !== undefined && sources[source]?.startsWith("node_modules/")),
    );
}
