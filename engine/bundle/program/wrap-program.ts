import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { nameProgram, OUTER_START, PROGRAM_END, type SourceMap } from "../../../schemas/run/bundle.ts";

/** The line before the modules; what Rollup mapped starts one line later for it. */
const START = '(async function () {"use strict";';

/** The line before the author's own modules; what follows from the lockfile stands before it. */
export const INNER_START = "return (async function () {";
const INNER_END = "}).call(undefined);";

/** The source map of the modules of a program. */
export interface ModuleLines extends Pick<SourceMap, "names" | "sources" | "mappings"> {
  sourcesContent?: readonly (string | null)[] | undefined;
}

/**
 * Makes the program that the sandbox evaluates: a function around the modules, and the lines that they take their bindings from. Inner
 * lines stand among the modules, before the first.
 */
export function wrapProgram(
  { code, map }: { code: string; map: ModuleLines | null },
  outerLines: readonly PlacedLine[],
  innerLines: readonly string[] = [],
): { code: string; map: SourceMap } {
  if (map === null) throw new Error("Rollup made no source map.");
  const hasOuter = outerLines.length + innerLines.length > 0;
  const lines = [...outerLines, { text: INNER_START }, ...innerLines.map((text) => ({ text }))];
  const { mappings, sources } = hasOuter ? mapPlacedLines(map, lines) : map;
  const parts = hasOuter
    ? [OUTER_START, ...lines.map(({ text }) => text), code, INNER_END, PROGRAM_END]
    : [START, code, PROGRAM_END];
  return {
    code: nameProgram(parts.join("\n")),
    map: {
      version: 3,
      names: map.names,
      sources,
      // Of generated modules and packages the names are enough: everybody who has the lockfiles can get them again.
      sourcesContent: sources.map((name, index) =>
        /^(@codemode|node_modules)\//.test(name) ? null : (map.sourcesContent?.[index] ?? null),
      ),
      mappings: `;${mappings}`,
    },
  };
}

/** A line of code, and the line of a module (from 0) that it was; one of the bundler's own has none. */
export interface PlacedLine {
  text: string;
  place?: { source: string; line: number } | undefined;
}

/**
 * Puts lines in front of those of a source map (ECMA-426). The last of them has no place.
 *
 * @returns the mappings and the names of all sources, the new lines' after the earlier ones
 */
function mapPlacedLines(
  { mappings, sources }: { mappings: string; sources: readonly string[] },
  lines: readonly PlacedLine[],
): { mappings: string; sources: string[] } {
  const indexes = new Map(sources.map((source, index) => [source, index]));
  const placed = lines.map(({ place }): SourceMapSegment[] => {
    if (place === undefined) return [];
    const index = indexes.get(place.source) ?? indexes.size;
    indexes.set(place.source, index);
    return [[0, index, place.line, 0]];
  });
  // What follows is counted from the beginning again.
  placed[placed.length - 1] = [[0, 0, 0, 0]];
  return { mappings: `${encode(placed)};${mappings}`, sources: [...indexes.keys()] };
}
