import { decodedMappings, type TraceMap } from "@jridgewell/trace-mapping";

/** Where a message of V8 begins to print an expression of the code. */
const EXPRESSION_START =
  /^(?=\S* is not (?:a function|a constructor|(?:async )?iterable)\b)|(?<=^Cannot access ')|(?<=^Cannot destructure property '[^']*' of ')/;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u;

/** A line of a bundle, and what the bundle's map says of it. */
export interface BundleLine {
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
