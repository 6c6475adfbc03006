import { decode, encode } from "@jridgewell/sourcemap-codec";

/** A piece of a program, and the text that takes its place; the number of lines stays. Offsets in UTF-16 units. */
export interface ProgramEdit {
  start: number;
  end: number;
  text: string;
}

/** The original name of each identifier that the bundler renamed, by the offset where it stands in the program. */
export function findOriginalNames(code: string, mappings: string, names: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  let lineStart = 0;
  const lines = decode(mappings);
  for (const [index, text] of code.split("\n").entries()) {
    for (const [column, , , , name] of lines[index] ?? []) {
      if (name !== undefined) found.set(lineStart + column, names[name] as string);
    }
    lineStart += text.length + 1;
  }
  return found;
}

/** Offsets in the program that come from a place in a file. */
export function findMappedOffsets(code: string, mappings: string): number[] {
  const lines = decode(mappings);
  let lineStart = 0;
  return code.split("\n").flatMap((text, index) => {
    const start = lineStart;
    lineStart += text.length + 1;
    return (lines[index] ?? []).filter((segment) => segment.length > 1).map(([column]) => start + column);
  });
}

/** Edits a program together with the mappings of its source map. The edits do not overlap. */
export function editProgram(
  code: string,
  mappings: string,
  edits: readonly ProgramEdit[],
): { code: string; mappings: string } {
  // Of edits at one offset the first one given stands first.
  const sorted = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const lines = decode(mappings);
  const pieces: string[] = [];
  let at = 0;
  let next = 0;
  let lineStart = 0;
  for (const [index, text] of code.split("\n").entries()) {
    const lineEnd = lineStart + text.length;
    const moves: { column: number; by: number }[] = [];
    for (let edit = sorted[next]; edit !== undefined && edit.start <= lineEnd; edit = sorted[next]) {
      pieces.push(code.slice(at, edit.start), edit.text);
      at = edit.end;
      if (edit.end <= lineEnd) {
        moves.push({ column: edit.end - lineStart, by: edit.text.length - (edit.end - edit.start) });
      }
      next += 1;
    }
    if (moves.length > 0) {
      for (const segment of lines[index] ?? []) {
        const before = moves.filter(({ column }) => column <= segment[0]);
        segment[0] += before.reduce((sum, { by }) => sum + by, 0);
      }
    }
    lineStart = lineEnd + 1;
  }
  pieces.push(code.slice(at));
  return { code: pieces.join(""), mappings: encode(lines) };
}
