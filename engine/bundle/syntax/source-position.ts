import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

/** A place in a text: line and column from 1, columns in UTF-16 units. */
export interface SourcePosition {
  line: number;
  column: number;
}

/** The source map that a transform of one module gave, as far as positions need it. */
export interface ModuleMap {
  version: number;
  names: string[];
  sources: string[];
  mappings: string;
}

/** A module of the author's as it was transformed. */
export interface WrittenModule {
  /** Shown in messages and source maps. */
  name: string;
  code: string;
  map: ModuleMap | undefined;
}

/** Finds line and column of a UTF-16 offset. */
export function positionAt(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}

/** Finds the place in the author's source that an offset of the transformed code came from. */
export async function originalPositionAt(
  code: string,
  offset: number,
  map: ModuleMap | undefined,
): Promise<SourcePosition> {
  const position = positionAt(code, offset);
  if (map === undefined) return position;
  // Only failures need it, so that a bundle without one does not load it.
  const { TraceMap, originalPositionFor, LEAST_UPPER_BOUND } = await import("@jridgewell/trace-mapping");
  const trace = new TraceMap({ ...map, version: 3 });
  const needle = { line: position.line, column: position.column - 1 };
  const before = originalPositionFor(trace, needle);
  // A statement that is written otherwise than it was may begin with text that the map does not have.
  const original = before.line === null ? originalPositionFor(trace, { ...needle, bias: LEAST_UPPER_BOUND }) : before;
  return original.line === null ? position : { line: original.line, column: original.column + 1 };
}

/** `script.ts:LINE:COLUMN`, the form of `Diagnostic.path`. */
export function formatPath(name: string, position: SourcePosition): string {
  return `${name}:${position.line}:${position.column}`;
}

/** The same for an offset of a module's code. */
export async function pathInModule({ name, code, map }: WrittenModule, offset: number): Promise<string> {
  return formatPath(name, await originalPositionAt(code, offset, map));
}

const WORDS = /[\w$]+|[^\s\w$]/g;

/** The map of a text to itself, with a segment for each word and sign. */
export function mapToItself(name: string, code: string): ModuleMap {
  const mappings = encode(
    code
      .split("\n")
      .map((text, line) => Array.from(text.matchAll(WORDS), ({ index }): SourceMapSegment => [index, 0, line, index])),
  );
  return { version: 3, names: [], sources: [name], mappings };
}
