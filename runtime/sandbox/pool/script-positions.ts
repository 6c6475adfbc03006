import {
  originalPositionFor,
  type OriginalMapping,
  TraceMap,
  traceSegment,
  decodedMappings,
} from "@jridgewell/trace-mapping";
import { BUNDLE_URL, type Bundle } from "../../../schemas/run/bundle.ts";

/** Places of the bundle as places of the author's source. */
export interface ScriptPositions {
  /** `script.ts:LINE:COLUMN` of the innermost frame of the script's own in a stack; undefined where there is none. */
  pathOf(stack: string): string | undefined;
  /** The package that the innermost frame of a stack is in, where it is in one. */
  packageOf(stack: string): string | undefined;
  /** The line of the bundle that the innermost frame of a stack is in; empty where there is none. */
  lineOf(stack: string): string;
  /** The message of an error with that stack, in which a variable that V8 names has the name that its author gave it. */
  showAuthorName(message: string, stack: string): string;
  /** A text in which places of the bundle have become places of the source. */
  translate(text: string): string;
}

const POSITION = new RegExp(`${BUNDLE_URL.replaceAll("/", "\\/").replaceAll(".", "\\.")}:(\\d{1,9}):(\\d{1,9})`, "g");

/** Where the bundler says that the module of a package was. */
const PACKAGE_SOURCE = /^node_modules\/((?:@[\w.~-]+\/)?[\w.~@+-]+)\//;

/** Sources that are part of a bundle but not of the script: bindings, the runtime, packages. */
const FOREIGN_SOURCE = /^\0|(?:^|\/)(?:@codemode|node_modules)\//;

export function makeScriptPositions({ code, map }: Pick<Bundle, "code" | "map">): ScriptPositions {
  let trace: TraceMap | undefined;
  const traceOf = (): TraceMap => (trace ??= new TraceMap(map));
  const lineAt = (line: string | undefined): string => code.split("\n")[Number(line) - 1] ?? "";
  const locate = (
    atLine: string | undefined,
    atColumn: string | undefined,
  ): { source: string; path: string } | undefined => {
    const lineNumber = Number(atLine);
    const columnNumber = Number(atColumn);
    if (!(lineNumber >= 1 && columnNumber >= 1)) return undefined;
    const original = originalPositionFor(traceOf(), { line: lineNumber, column: columnNumber - 1 });
    if (original.source === null) return undefined;
    const column = original.column + 1 + textSince(original, { line: lineNumber, column: columnNumber - 1 });
    return { source: original.source, path: `${original.source}:${original.line}:${column}` };
  };
  /** How much of the author's text stands between the nearest mapping and a place: the place of an operator has none of its own. */
  const textSince = ({ source, line, column }: OriginalMapping, place: { line: number; column: number }): number => {
    const [mapped = place.column] = traceSegment(traceOf(), place.line - 1, place.column) ?? [];
    const made = lineAt(String(place.line)).slice(mapped, place.column);
    const authored = map.sourcesContent?.[map.sources.indexOf(source ?? "")]?.split("\n")[line - 1];
    return authored?.startsWith(made, column) === true ? made.length : 0;
  };

  return {
    pathOf(stack) {
      for (const [, line, column] of stack.matchAll(POSITION)) {
        const position = locate(line, column);
        if (position !== undefined && !FOREIGN_SOURCE.test(position.source)) return position.path;
      }
      return undefined;
    },
    packageOf(stack) {
      for (const [, line, column] of stack.matchAll(POSITION)) {
        const position = locate(line, column);
        if (position !== undefined) return PACKAGE_SOURCE.exec(position.source)?.[1];
      }
      return undefined;
    },
    lineOf(stack) {
      const [, line] = stack.matchAll(POSITION).next().value ?? [];
      return lineAt(line);
    },
    showAuthorName(message, stack) {
      const [, line] = stack.matchAll(POSITION).next().value ?? [];
      return showAuthorName(message, { text: lineAt(line), number: Number(line), trace: traceOf });
    },
    translate(text) {
      if (!text.includes(BUNDLE_URL)) return text;
      return text.replace(POSITION, (place, line: string, column: string) => locate(line, column)?.path ?? place);
    },
  };
}

/** Where a message of V8 begins to print an expression of the code. */
const EXPRESSION_START =
  /^(?=\S* is not (?:a function|a constructor|(?:async )?iterable)\b)|(?<=^Cannot access ')|(?<=^Cannot destructure property '[^']*' of ')/;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u;

/** A line of a bundle, and what the bundle's map says of it. */
interface BundleLine {
  text: string;
  /** From 1. */
  number: number;
  trace(): TraceMap;
}

/**
 * A message of V8 that names a variable as the author does. Modules of a bundle share one scope, in which the bundler renames variables; its
 * map has the author's name of each that stands on a line.
 */
export function showAuthorName(message: string, { text, number, trace }: BundleLine): string {
  const start = EXPRESSION_START.exec(message)?.index;
  const shown = start === undefined ? undefined : IDENTIFIER.exec(message.slice(start))?.[0];
  if (start === undefined || shown === undefined) return message;
  const map = trace();
  for (const [column, , , , name] of decodedMappings(map)[number - 1] ?? []) {
    if (name === undefined || IDENTIFIER.exec(text.slice(column))?.[0] !== shown) continue;
    return message.slice(0, start) + (map.names[name] ?? shown) + message.slice(start + shown.length);
  }
  return message;
}
