import type { Token } from "acorn";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { positionAt, type ModuleMap, type SourcePosition } from "../syntax/source-position.ts";

// The first sign ends an import without one.
const START = ";export default await (async () => {";
const END = "\n})();";

/** A script whose `return` at the top level is its result, as a module. */
export interface WrappedReturn {
  source: string;
  /** The place in what the author wrote, of a place in `source`. */
  toWritten(position: SourcePosition): SourcePosition;
  /** The map of code that was made of `source`, to what the author wrote. */
  toWrittenMap(map: ModuleMap): ModuleMap;
}

/**
 * Makes a module of a script that ends as a function does. All but its imports becomes the body of a function whose value is the default export;
 * no line moves. Undefined for a script without the word.
 */
export async function wrapReturn(given: string): Promise<WrappedReturn | undefined> {
  if (!/\breturn\b/.test(given)) return undefined;
  // The first line of an executable script becomes a comment of the same length.
  const written = given.replace(/^#!/, "//");
  const start = await findEndOfImports(written);
  const at = positionAt(written, start);
  const last = positionAt(written, written.length);
  const toWritten = ({ line, column }: SourcePosition): SourcePosition => {
    if (line > last.line) return last;
    if (line !== at.line || column <= at.column) return { line, column };
    return { line, column: Math.max(at.column, column - START.length) };
  };
  const moveSegment = (segment: SourceMapSegment): SourceMapSegment => {
    if (segment.length === 1) return segment;
    const { line, column } = toWritten({ line: segment[2] + 1, column: segment[3] + 1 });
    const [generated, source, , , ...name] = segment;
    return [generated, source, line - 1, column - 1, ...name] as SourceMapSegment;
  };
  return {
    source: `${written.slice(0, start)}${START}${written.slice(start)}${END}`,
    toWritten,
    toWrittenMap: (map) => ({
      ...map,
      mappings: encode(decode(map.mappings).map((segments) => segments.map(moveSegment))),
    }),
  };
}

/** The offset behind the imports with which a module begins. */
async function findEndOfImports(source: string): Promise<number> {
  const { tokenizer } = await import("acorn");
  const tokens = tokenizer(source, { ecmaVersion: "latest", sourceType: "module" });
  let end = 0;
  try {
    for (let token = tokens.getToken(); ["import", ";"].includes(token.type.label); token = tokens.getToken()) {
      const after = token.type.label === ";" ? token.end : readImport(tokens);
      if (after === undefined) return end;
      end = after;
    }
  } catch {
    // What is no token is no import: the parser says what is wrong.
  }
  return end;
}

/** Reads the rest of an import declaration, and returns where it ends; undefined for `import(…)` and `import.meta`. */
function readImport(tokens: { getToken(): Token }): number | undefined {
  let { type, end } = tokens.getToken();
  if (type.label === "(" || type.label === ".") return undefined;
  while (type.label !== "string") {
    if (type.label === "eof" || type.label === ";") return undefined;
    ({ type, end } = tokens.getToken());
  }
  return end;
}
