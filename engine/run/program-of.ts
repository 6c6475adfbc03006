import { decode } from "@jridgewell/sourcemap-codec";
import { type Integrity, integrityOf } from "../../schemas/lock/integrity.ts";
import type { Bundle, SourceMap } from "../../schemas/run/bundle.ts";

/**
 * The program of a run or a batch, by what its author has written: the modules, and the lines of packages. The runtime of codemode does not count, so
 * that an upgrade goes on with what is half done, nor what is generated from the lockfile: a tool that has changed stops a run in its own way.
 */
export function programOf({ code, map, packages = [] }: Bundle): Integrity {
  const modules = map.sources.flatMap((name, at) => {
    const text = map.sourcesContent?.[at];
    return typeof text === "string" ? [[name, text]] : [];
  });
  // Of a bundle without the texts of its modules only the whole program is known.
  if (modules.length === 0) return integrityOf([code]);
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
