import { findNodeAtLocation, type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** The first mistake in the syntax of a text. */
export interface JsonError {
  /** What is wrong, without a word of the text. */
  words: string;
  /** Both from 1. */
  line: number;
  column: number;
}

/** Finds the first place where a text is no JSON; undefined where it is. */
export function findJsonError(text: string): JsonError | undefined {
  const errors: ParseError[] = [];
  parse(withoutMark(text), errors, { disallowComments: true });
  const [error] = errors;
  if (error === undefined) return undefined;
  const words = printParseErrorCode(error.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return { words, ...positionOf(withoutMark(text), error.offset) };
}

/** The line of the place that a message about a configuration names: `"/limits/timeoutMs"`, or an unknown key in one. */
export function lineOfPlace(text: string, message: string): number | undefined {
  const [, pointer] = /"((?:\/[^"/]*)+)"/.exec(message) ?? [];
  const [, key] = /unknown key "([^"]*)" in/.exec(message) ?? [];
  const root = parseTree(withoutMark(text));
  if (root === undefined) return undefined;
  const segments = (pointer ?? "").split("/").slice(1).map(unescape);
  const place = walk(root, segments);
  const found = place === undefined || key === undefined ? place : findNodeAtLocation(place, [key]);
  // The property, where there is one: its name stands in the line that is to be changed.
  const node = found?.parent?.type === "property" ? found.parent : found;
  return node === undefined || node === root ? undefined : positionOf(withoutMark(text), node.offset).line;
}

function walk(root: Node, segments: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of segments) {
    if (node === undefined) return undefined;
    node = findNodeAtLocation(node, [node.type === "array" ? Number(segment) : segment]);
  }
  return node;
}

/** RFC 6901, section 4. */
function unescape(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** A byte order mark is no part of the first line. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
